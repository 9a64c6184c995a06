# Steps of a test that plays the user of a project. Included by <case>/test.cmake, which is run with
#   -DCASE=<the project's folder> -DWORK=<a folder of its own> -DGENERATOR=… -DPREFIX=<install tree>
#   -DSOURCE_TREE=<checkout> -DGPUTEST=<built command>

# A copy, because tests touch and change files. KEEP_WORK: of a test that goes on where another one has ended.
if(NOT KEEP_WORK)
  file(REMOVE_RECURSE ${WORK})
  file(COPY ${CASE}/ DESTINATION ${WORK}/source)
endif()
set(source ${WORK}/source)
set(build ${WORK}/build)
set(make ${CMAKE_COMMAND} --build ${build})
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build})
set(results ${build}/gputest)
set(configs Default)
if(GENERATOR STREQUAL "Ninja Multi-Config")
  set(configs Debug Release)
endif()

# use_config(<one of ${configs}>): from here on, `make`, `test` and `results` are those of this configuration.
function(use_config config)
  set(make ${CMAKE_COMMAND} --build ${build} --config ${config} PARENT_SCOPE)
  set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build} -C ${config} PARENT_SCOPE)
  if(NOT config STREQUAL "Default")
    set(results ${build}/gputest/${config} PARENT_SCOPE)
  endif()
endfunction()

# Short runs have one of each kind.
set(long FALSE)
if(DEFINED ENV{GPUTEST_LONG_TESTS} OR DEFINED ENV{GPUTEST_RANDOM})
  set(long TRUE)
endif()

# A tool that is set up for the run of the tests as a whole must not change what is seen here.
execute_process(COMMAND ${CMAKE_COMMAND} -E environment OUTPUT_VARIABLE environment)
string(REGEX MATCHALL "(^|\n)GPUTEST_[A-Z_]+" variables "${environment}")
list(TRANSFORM variables STRIP)
foreach(variable IN LISTS variables ITEMS DESTDIR GITHUB_ACTIONS GITHUB_STEP_SUMMARY FORCE_COLOR NO_COLOR)
  unset(ENV{${variable}})
endforeach()
set(ENV{GPUTEST_MUTATION_VIEWER} OFF) # and nothing is fetched

# run(<what the user does> [FAILS] COMMAND … [WORKING_DIRECTORY <folder>] [OUTPUT <regex>…] [NO_OUTPUT <regex>…])
#
# Fails the test unless the command succeeds (FAILS: fails) and what it prints matches every OUTPUT
# and no NO_OUTPUT. White space in it is folded, because CMake breaks the lines of messages.
function(run what)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAILS" "WORKING_DIRECTORY" "COMMAND;OUTPUT;NO_OUTPUT")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_COMMAND)
    message(FATAL_ERROR "run(): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  set(in "")
  if(arg_WORKING_DIRECTORY)
    set(in WORKING_DIRECTORY ${arg_WORKING_DIRECTORY})
  endif()
  execute_process(COMMAND ${arg_COMMAND} ${in} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " folded "${output}")
  set(problem "")
  if(arg_FAILS AND NOT failed)
    set(problem "should have failed")
  elseif(failed AND NOT arg_FAILS)
    set(problem "failed: ${failed}")
  endif()
  foreach(regex IN LISTS arg_OUTPUT)
    if(NOT folded MATCHES "${regex}")
      string(APPEND problem "\n  does not print '${regex}'")
    endif()
  endforeach()
  foreach(regex IN LISTS arg_NO_OUTPUT)
    if(folded MATCHES "${regex}")
      string(APPEND problem "\n  prints '${regex}'")
    endif()
  endforeach()
  if(problem)
    message("${output}")
    message(FATAL_ERROR "${what}: ${problem}")
  endif()
  if(output MATCHES "\\(Skipped\\)|\\*\\*\\*Skipped" AND NOT what MATCHES "no device")
    message(FATAL_ERROR "This test needs an OpenCL device. skipped: no OpenCL device")
  endif()
  set(output "${output}" PARENT_SCOPE)
  message(STATUS "${what}: as it should be")
endfunction()

# run_fuzz(<regex of tests> <regex>…): these tests fail, and what they print matches.
#
# How many inputs the seconds of FUZZ are enough for is the machine's affair. So the project's FUZZ has ${SECONDS}, and
# where a failure has not been come upon, the project gets ten times as many, up to ten minutes.
function(run_fuzz tests)
  foreach(seconds IN ITEMS 2 20 200 600)
    if(seconds GREATER 2)
      message(STATUS "${tests}: not found yet: ${seconds} s")
      run("more seconds" COMMAND ${CMAKE_COMMAND} -DSECONDS=${seconds} ${build})
      run("build with more seconds" COMMAND ${CMAKE_COMMAND} --build ${build})
    endif()
    execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -V -R ${tests} RESULT_VARIABLE failed
                    OUTPUT_VARIABLE output ERROR_VARIABLE output)
    string(REGEX REPLACE "[ \n]+" " " folded "${output}")
    set(missing "")
    foreach(regex IN LISTS ARGN)
      if(NOT folded MATCHES "${regex}")
        string(APPEND missing "\n  does not print '${regex}'")
      endif()
    endforeach()
    if(failed AND NOT missing)
      message(STATUS "${tests}: as it should be")
      return()
    endif()
  endforeach()
  message("${output}")
  message(FATAL_ERROR "${tests}: result ${failed}${missing}")
endfunction()

# configure([<option>…]): with GpuTestCheck from the install tree.
macro(configure)
  run("configure" COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${PREFIX} ${ARGN})
endmacro()

# without_opencl(): what follows needs no OpenCL platform, and sees none.
macro(without_opencl)
  set(ENV{OCL_ICD_VENDORS} /nonexistent)
  set(ENV{GPUTEST_CACHE_DIR} ${WORK}/cache)
endmacro()

# without_cuda(): what follows uses the installed toolchain file ${toolchain}, and sees no CUDA toolkit.
macro(without_cuda)
  file(GLOB toolchain ${PREFIX}/*/gputest/cuda/gputest-cuda.cmake)
  if(NOT toolchain)
    message(FATAL_ERROR "There is no gputest-cuda.cmake in ${PREFIX}")
  endif()
  set(ENV{PATH} "/usr/bin:/bin")
  unset(ENV{CUDA_PATH})
endmacro()

# expect_file(<file> [<regex>]): it exists, and its text matches.
function(expect_file file)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "There is no ${file}")
  endif()
  if(ARGC GREATER 1)
    file(READ "${file}" text)
    if(NOT text MATCHES "${ARGV1}")
      message(FATAL_ERROR "${file} does not match '${ARGV1}':\n${text}")
    endif()
  endif()
endfunction()
