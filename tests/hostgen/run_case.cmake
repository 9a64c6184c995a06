# cmake -DGPUTEST=<command> -DCASE=<folder> -DOUTPUT=<file> -P run_case.cmake
# To accept what is written now as right: GPUTEST_UPDATE_GOLDEN=1 ctest -R hostgen
#
# A case without an interface of its own has that of all cases. The first line of its options may
# be `usual`, which stands for the options in cases/usual_options.

file(STRINGS ${CASE}/options options)
list(GET options 0 first)
if(first STREQUAL usual)
  list(POP_FRONT options)
  file(STRINGS ${CASE}/../usual_options usual)
  list(PREPEND options ${usual})
endif()
set(interface ../interface.json)
if(EXISTS ${CASE}/interface.json)
  set(interface interface.json)
endif()
file(REMOVE ${OUTPUT})
execute_process(
  COMMAND ${GPUTEST} harness --output ${OUTPUT} --interface ${interface} ${options}
  WORKING_DIRECTORY ${CASE} RESULT_VARIABLE exit_code ERROR_VARIABLE error)

if(EXISTS ${CASE}/error)
  file(READ ${CASE}/error expected)
  if(NOT error STREQUAL expected OR NOT exit_code EQUAL 2 OR EXISTS ${OUTPUT})
    message(FATAL_ERROR "exit code ${exit_code}, wanted 2 and no output;\nerror:\n${error}\nexpected:\n${expected}")
  endif()
  return()
endif()

if(NOT exit_code EQUAL 0 OR error)
  message(FATAL_ERROR "exit code ${exit_code}: ${error}")
endif()
set(golden ${CASE}/build/harness.cpp)
if(DEFINED ENV{GPUTEST_UPDATE_GOLDEN})
  file(COPY_FILE ${OUTPUT} ${golden})
endif()
execute_process(COMMAND diff -u ${golden} ${OUTPUT} RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "${golden} is not what is written now")
endif()
