# Alt+Y chooses a session on screen and puts its id where the cursor stands.
# In ~/.bashrc:  eval "$(yore widget bash)"
__yore_choose() {
  local id
  id=$(yore --print=id) || return 0
  READLINE_LINE="${READLINE_LINE:0:READLINE_POINT}${id}${READLINE_LINE:READLINE_POINT}"
  READLINE_POINT=$((READLINE_POINT + ${#id}))
}
if [[ $- == *i* ]]; then
  bind -x '"\ey": __yore_choose'
fi
