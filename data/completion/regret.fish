function __regret; set -l words (commandline -opc) (commandline -ct); eval $words[1] --complete (string escape -- $words[2..-1]) 2>/dev/null </dev/null; end
complete -c regret -f -a '(__regret)'
