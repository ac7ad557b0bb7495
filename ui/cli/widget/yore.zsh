# Alt+Y chooses a session on screen and puts its id where the cursor stands.
# In ~/.zshrc:  eval "$(yore widget zsh)"
__yore_choose() {
  local id
  id=$(yore --print=id </dev/tty) && LBUFFER+=$id
  zle reset-prompt
}
if [[ -o interactive ]]; then
  zle -N __yore_choose
  bindkey '\ey' __yore_choose
fi
