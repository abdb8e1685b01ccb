# cmake -DPROGRAM=REGRET -DOUT=FOLDER -P manual.cmake: writes what `regret --man-page` and `--completion`
# print, as it lies below share/: man/man1/, bash-completion/completions/, zsh/site-functions/ and
# fish/vendor_completions.d/; last an empty file "stamp".
function(write_output file) # ARGN: the arguments
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE words
    RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "regret ${ARGN}: ${code}\n${words}")
  endif()
  file(WRITE "${OUT}/${file}" "${text}")
endfunction()

file(REMOVE_RECURSE "${OUT}")
write_output(man/man1/regret.1 --man-page)
file(READ "${OUT}/man/man1/regret.1" page)
string(REGEX REPLACE ".*\n\\.SH SEE ALSO\n" "" page "${page}") # "\fBregret\-run\fR(1),"
string(REGEX MATCHALL "regret.-[a-z]+" names "${page}")
foreach(name ${names})
  string(REGEX REPLACE ".*-" "" command "${name}")
  write_output("man/man1/regret-${command}.1" --man-page ${command})
endforeach()
write_output(bash-completion/completions/regret --completion bash)
write_output(zsh/site-functions/_regret --completion zsh)
write_output(fish/vendor_completions.d/regret.fish --completion fish)
file(WRITE "${OUT}/stamp" "")
