# Alt+Y chooses a session on screen and puts its id where the cursor stands.
# In ~/.config/fish/config.fish:  yore widget fish | source
function __yore_choose
    set -l id (yore --print=id)
    and commandline --insert -- $id
    commandline --function repaint
end
if status is-interactive
    bind \ey __yore_choose
end
