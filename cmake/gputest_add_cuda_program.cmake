include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/umbrella_target.cmake)

# gputest_add_cuda_program(<name> TARGET <target> [ARGS <argument>…]
#   CHECK [RACES] [BARRIERS] [BOUNDS] [UNINITIALIZED] [ARITHMETIC] [OVERFLOW]
#   [DEVICE simulator] [WORKING_DIRECTORY <folder>] [TIMEOUT s] [LABELS …])
#
# Runs a CUDA program, as it is, with the simulator's checks: docs/gputest_add_cuda_program.md.
function(gputest_add_cuda_program name)
  set(single TARGET DEVICE WORKING_DIRECTORY TIMEOUT)
  set(multiple ARGS CHECK LABELS)
  set(context "gputest_add_cuda_program(): ${name}: ")
  gputest_private_check_name(gputest_add_cuda_program "${name}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  gputest_private_take_analyses(analyses)
  gputest_private_check_keywords("${context}" "${single};${multiple}" "${ARGN}")
  if(NOT DEFINED arg_TARGET)
    message(FATAL_ERROR "${context}TARGET is missing: name the executable target of your CUDA program")
  endif()
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "${context}TARGET: there is no target '${arg_TARGET}': add_executable() it before")
  endif()
  if(NOT "check" IN_LIST analyses)
    message(FATAL_ERROR "${context}CHECK is missing: it is what this function measures so far")
  endif()
  if(DEFINED arg_DEVICE AND NOT arg_DEVICE STREQUAL "simulator")
    message(FATAL_ERROR "${context}DEVICE: '${arg_DEVICE}' is not known: checks are made in the simulator")
  endif()
  gputest_private_take_timeout(timeout "${context}")
  gputest_private_settings(checks "${context}" program check "${arg_CHECK}")
  list(TRANSFORM checks REPLACE "^--setting=check[.]" "")
  list(JOIN checks "," checks)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  if(DEFINED arg_WORKING_DIRECTORY)
    cmake_path(ABSOLUTE_PATH arg_WORKING_DIRECTORY BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE
               OUTPUT_VARIABLE folder)
  endif()
  if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING AND NOT CMAKE_TESTING_ENABLED)
    return() # the user wants no tests
  endif()
  gputest_private_check_testing("${context}")

  gputest_private_results_dir(results_dir)
  set(arguments ${arg_ARGS})
  add_test(
    NAME ${name}.check
    COMMAND $<TARGET_FILE:GpuTestCheck::gputest-cuda-run> --name ${name} --output ${results_dir} --timeout ${timeout}
            --check "${checks}" -- $<TARGET_FILE:${arg_TARGET}> ${arguments}
    WORKING_DIRECTORY "${folder}")
  string(REGEX REPLACE "[.eE].*$" "" seconds "0${timeout}")
  math(EXPR seconds "${seconds} + 60")
  set_tests_properties(${name}.check PROPERTIES TIMEOUT ${seconds})
  set_property(TEST ${name}.check PROPERTY LABELS gputest check ${arg_LABELS})
  gputest_private_join_umbrella(check "${context}" ${name} "${arg_TARGET}")
endfunction()
