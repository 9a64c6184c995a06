# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/cuda_variant.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/kernel_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/oracle.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/program_command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/umbrella_target.cmake)

# gputest_add_program(<name> TARGET <target> [ARGS <argument>…] | COMMAND <target or executable> [<argument>…]
#   [KERNELS <file or glob>…] [EXCLUDE <pattern>…] [DEVICE simulator|gpu]
#   [<ANALYSIS> [<setting>…]]… [ORACLE <oracle>…]
#   [WORKING_DIRECTORY <folder>] [TIMEOUT s] [LABELS …])
#
# Measures how well an OpenCL or CUDA program, as it is, tests its kernels: docs/gputest_add_program.md. A target with
# CUDA sources is a CUDA program, for which this is gputest_add_cuda_program().
# The analyses and their settings are those of functions/analyses.cmake.
function(gputest_add_program name)
  set(single TARGET DEVICE WORKING_DIRECTORY TIMEOUT)
  gputest_private_analyses()
  set(multiple COMMAND ARGS KERNELS EXCLUDE ${gputest_keywords} ORACLE LABELS)
  set(context "gputest_add_program(): ${name}: ")
  gputest_private_check_name(gputest_add_program "${name}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  set(has_coverage FALSE)
  if(DEFINED arg_COVERAGE OR "COVERAGE" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    set(has_coverage TRUE)
  endif()
  gputest_private_take_analyses(analyses)
  if(DEFINED arg_ORACLE OR "ORACLE" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    set(has_oracle TRUE)
    list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES ORACLE)
  else()
    set(has_oracle FALSE)
  endif()
  list(REMOVE_ITEM analyses test) # the program itself is the test
  gputest_private_check_keywords("${context}" "${single};${multiple}" "${ARGN}")
  if(DEFINED arg_TARGET)
    if(DEFINED arg_COMMAND)
      message(FATAL_ERROR "${context}TARGET and COMMAND: give one of them")
    endif()
    if(NOT TARGET "${arg_TARGET}")
      message(FATAL_ERROR "${context}TARGET: there is no target '${arg_TARGET}': add_executable() it before")
    endif()
    gputest_private_is_cuda_target(is_cuda "${arg_TARGET}")
    if(is_cuda)
      foreach(keyword IN ITEMS KERNELS EXCLUDE)
        if(DEFINED arg_${keyword})
          message(FATAL_ERROR "${context}${keyword} is for OpenCL programs, and ${arg_TARGET} is a CUDA program: leave it out")
        endif()
      endforeach()
      set(words "")
      math(EXPR last "${ARGC} - 1")
      foreach(i RANGE ${last})
        string(APPEND words " [==[${ARGV${i}}]==]")
      endforeach()
      if(NOT has_coverage) # every call makes this test
        string(APPEND words " COVERAGE")
      endif()
      get_property(names GLOBAL PROPERTY GPUTEST_NAMES)
      list(REMOVE_ITEM names "${name}") # the other function takes it
      set_property(GLOBAL PROPERTY GPUTEST_NAMES ${names})
      cmake_language(EVAL CODE "gputest_add_cuda_program(${words})")
      return()
    endif()
  elseif(DEFINED arg_ARGS)
    message(FATAL_ERROR "${context}ARGS is for TARGET: COMMAND has its arguments behind the program")
  endif()
  if(DEFINED arg_DEVICE)
    message(FATAL_ERROR "${context}DEVICE is for CUDA programs: an OpenCL program chooses its device itself")
  endif()
  set(words "${arg_COMMAND}")
  if(DEFINED arg_TARGET)
    set(words "${arg_TARGET}")
    if(DEFINED arg_ARGS)
      string(APPEND words ";${arg_ARGS}")
    endif()
  endif()
  gputest_private_program_command(command target "${context}" "${words}")
  gputest_private_take_timeout(timeout "${context}")
  gputest_private_oracle(oracle "${context}" ${has_oracle} "${arg_ORACLE}")
  foreach(analysis IN LISTS analyses)
    string(TOUPPER ${analysis} keyword)
    gputest_private_settings(options_of_${analysis} "${context}" program ${analysis} "${arg_${keyword}}")
  endforeach()
  gputest_private_find_files(kernels "${context}" KERNELS ${arg_KERNELS})
  list(TRANSFORM kernels PREPEND "--kernels=")
  set(excluded ${arg_EXCLUDE})
  list(TRANSFORM excluded PREPEND "--exclude=")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  if(DEFINED arg_WORKING_DIRECTORY)
    set(folder "${arg_WORKING_DIRECTORY}")
    if(NOT folder MATCHES "^\\$<")
      cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    endif()
  endif()
  if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING AND NOT CMAKE_TESTING_ENABLED)
    return() # the user wants no tests
  endif()
  gputest_private_check_testing("${context}")

  gputest_private_results_dir(results_dir)
  gputest_private_command(gputest)
  # The command's own limit comes before CTest's, because the command can say what happened. Coverage
  # compares with runs without instrumentation. All others are many runs, whose results are kept.
  string(REGEX REPLACE "[.eE].*$" "" seconds "0${timeout}")
  math(EXPR seconds "5 * (${seconds} + 1) + 300")
  foreach(analysis IN LISTS analyses)
    if(gputest_${analysis}_store) # one for the whole project
      list(APPEND options_of_${analysis} --store ${results_dir}/results.db)
    endif()
    if(NOT gputest_${analysis}_always)
      set(seconds 21600)
    endif()
    add_test(
      NAME ${name}.${analysis}
      COMMAND ${gputest} run --${analysis} ${options_of_${analysis}} ${oracle}
              --output ${results_dir}/${name} --name ${name}
              --cache ${results_dir}/cache --source-root ${CMAKE_SOURCE_DIR} --timeout ${timeout} ${kernels} ${excluded}
              -- ${command}
      WORKING_DIRECTORY "${folder}")
    set_tests_properties(${name}.${analysis} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${seconds}
                                                        RESOURCE_LOCK gputest.${name}) # they share a folder
    gputest_private_python_module(${name}.${analysis})
    set_property(TEST ${name}.${analysis} PROPERTY LABELS gputest ${analysis} ${arg_LABELS})
    gputest_private_join_umbrella(${analysis} "${context}" ${name} "${target}")
    if(TARGET gputest_layer) # of this build: the command loads it
      string(TOUPPER ${analysis} upper_name)
      get_property(umbrella GLOBAL PROPERTY GPUTEST_${upper_name}_TARGET)
      add_dependencies(${umbrella} gputest_layer gputest-simulator)
    endif()
  endforeach()
endfunction()
