# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of gputest for bash. What it offers is what `gputest help` prints.
_gputest() {
  local word=${COMP_WORDS[COMP_CWORD]} i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -- ]] && return # behind it is another program's command line
  done
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W \
      "$("${COMP_WORDS[0]}" help | sed -n 's/^  \([a-z-]*\) .*/\1/p') help --version" -- "$word")
  elif [[ ${COMP_WORDS[1]} == help ]]; then
    ((COMP_CWORD > 2)) || mapfile -t COMPREPLY < <(compgen -W \
      "$("${COMP_WORDS[0]}" help | sed -n 's/^  \([a-z-]*\) .*/\1/p')" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W \
      "$("${COMP_WORDS[0]}" help "${COMP_WORDS[1]}" 2>/dev/null |
        grep -oE -- '^ +(-[a-zA-Z], +)?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+')" -- "$word")
  fi
}
complete -o default -F _gputest gputest
