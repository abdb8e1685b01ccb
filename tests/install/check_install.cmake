# Installs BUILD below WORK, moves the tree elsewhere, and builds and runs user/user.c against it by
# pkg-config and by find_package(): both must work from wherever the tree lies. So must the examples of
# docs/examples/library.
set(user "${CMAKE_CURRENT_LIST_DIR}/user")
set(prefix "${WORK}/moved here")

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what}: ${code}\n${out}${err}")
  endif()
  string(STRIP "${out}" out)
  set(output "${out}" PARENT_SCOPE)
endfunction()

function(expect_version who)
  if(NOT output STREQUAL "${VERSION}")
    message(FATAL_ERROR "${who} says \"${output}\", not \"${VERSION}\"")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
unset(ENV{DESTDIR})
run("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${prefix}")

run("the program" "${prefix}/bin/regret" --version)
if(NOT output STREQUAL "regret ${VERSION}")
  message(FATAL_ERROR "the program says \"${output}\"")
endif()

foreach(file man/man1/regret.1 man/man1/regret-run.1 man/man1/regret-pool.1
    bash-completion/completions/regret zsh/site-functions/_regret fish/vendor_completions.d/regret.fish)
  file(SIZE "${prefix}/share/${file}" size) # an error where it is not there
  if(size LESS 50)
    message(FATAL_ERROR "share/${file} has ${size} bytes")
  endif()
endforeach()
file(STRINGS "${prefix}/share/man/man1/regret-run.1" shown REGEX "allow..commands")
if(NOT shown)
  message(FATAL_ERROR "regret-run.1 does not have the options")
endif()

# Configurations and pools by name, from any folder.
execute_process(COMMAND "${prefix}/bin/regret" run smoke --seeds 1 --set beta=0 --quiet -o by-name
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE err OUTPUT_QUIET)
if(NOT code EQUAL 0 OR NOT err MATCHES "smoke is .*/moved here/share/regret/configs/smoke.json")
  message(FATAL_ERROR "regret run smoke: ${code}\n${err}")
endif()
foreach(pool newswire newswire-fitted patches)
  run("pool validate" "${prefix}/bin/regret" pool validate ${pool})
endforeach()

set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
run("pkg-config" "${PKG_CONFIG}" --modversion regret)
expect_version("pkg-config")
run("pkg-config" "${PKG_CONFIG}" --cflags --libs regret)
separate_arguments(flags UNIX_COMMAND "${output}")
run("compiling by pkg-config" "${CC}" -std=c17 "${user}/user.c" -o "${WORK}/by-pkg-config" ${flags})
set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}")
run("the program built by pkg-config" "${WORK}/by-pkg-config")
expect_version("the program built by pkg-config")

function(run_example name wanted) # ARGN: its arguments
  run("compiling ${name}.c" "${CC}" -std=c17 -Wall -Wextra -Wpedantic -Werror
    "${PROJECT}/docs/examples/library/${name}.c" -o "${WORK}/${name}" ${flags})
  run("${name}" "${WORK}/${name}" ${ARGN})
  if(NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "${name} says \"${output}\"")
  endif()
endfunction()
run_example(own_arrays "cvci +regret 0\\.0")
run_example(replicate "cvci-residual +0\\.[0-9]+" "${PROJECT}/configs/smoke.json" "${WORK}/run" seeds=1)
run_example(reward_map "2 replicates of 2 cells" "${PROJECT}/configs/smoke.json" "${WORK}/rewarded" seeds=1 reward.bar=0.7
  beta=0)
file(READ "${WORK}/rewarded/report/report.md" report)
file(READ "${WORK}/rewarded/run.json" described)
if(NOT report MATCHES "reward\\.map = acceptable" OR NOT described MATCHES "\"reward\\.bar\":0\\.7")
  message(FATAL_ERROR "the run of reward_map.c does not show the map and its parameter")
endif()
run("a report by a program that does not know the map" "${prefix}/bin/regret" report "${WORK}/rewarded" --table summary)
if(NOT output MATCHES "2 of 2 cells ranked")
  message(FATAL_ERROR "a program that does not know the map reports: ${output}")
endif()
run_example(rate "RATE_ATE +[+-]" "${PROJECT}/data/rate/rows.jsonl")
run_example(evaluate "by tag: Choose the agent by tag" "${PROJECT}/docs/examples/evaluate/evaluate.json")
unset(ENV{LD_LIBRARY_PATH})

run("configuring by find_package" "${CMAKE_COMMAND}" -S "${user}" -B "${WORK}/cmake"
  "-DCMAKE_C_COMPILER=${CC}" "-DCMAKE_PREFIX_PATH=${prefix}")
run("building by find_package" "${CMAKE_COMMAND}" --build "${WORK}/cmake")
run("the program built by find_package" "${WORK}/cmake/user")
expect_version("the program built by find_package")
file(REMOVE_RECURSE "${WORK}")
