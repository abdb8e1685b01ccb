_regret() { mapfile -t COMPREPLY < <("${1/#\~/$HOME}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace +o filenames 2>/dev/null; return 0; }
complete -o filenames -F _regret regret
