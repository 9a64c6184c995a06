include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/check_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/kernel_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/mutation_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/program_command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/schedule_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/umbrella_target.cmake)

# gputest_add_program(<name> COMMAND <target or executable> [<argument>…]
#   [KERNELS <file or glob>…] [EXCLUDE <pattern>…]
#   [COVERAGE [STATEMENT n] [BRANCH n] [CONDITION n] [LOOP n] [BARRIER n]]
#   [MUTATION [THRESHOLD n] [OPERATORS <name|conventional|gpu|all>…] [SAMPLE n] [TIMEOUT_FACTOR f]]
#   [SCHEDULES [n] [STRATEGY permute|first|serial|reverse|all] [SEED n]]
#   [CHECK [RACES] [BARRIERS] [BOUNDS] [UNINITIALIZED] [ARITHMETIC] [OVERFLOW]]
#   [WORKING_DIRECTORY <folder>] [TIMEOUT s] [LABELS …])
#
# Measures how well an OpenCL program, as it is, tests its kernels: docs/gputest_add_program.md.
function(gputest_add_program name)
  set(single WORKING_DIRECTORY TIMEOUT)
  set(multiple COMMAND KERNELS EXCLUDE COVERAGE MUTATION SCHEDULES CHECK LABELS)
  set(context "gputest_add_program(): ${name}: ")
  gputest_private_check_name(gputest_add_program "${name}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  gputest_private_take_bare_keyword(coverage COVERAGE) # measured in any case
  gputest_private_take_bare_keyword(mutation MUTATION)
  gputest_private_take_bare_keyword(schedules SCHEDULES)
  gputest_private_take_bare_keyword(check CHECK)
  gputest_private_check_keywords("${context}" "${single};${multiple}" "${ARGN}")
  gputest_private_program_command(command target "${context}" "${arg_COMMAND}")
  set(timeout 1500)
  if(DEFINED arg_TIMEOUT)
    gputest_private_check_numbers("${context}" TIMEOUT SECONDS ${arg_TIMEOUT})
    set(timeout ${arg_TIMEOUT})
  endif()
  gputest_private_thresholds(thresholds "${context}" "${arg_COVERAGE}")
  gputest_private_program_mutation(mutation_options "${context}" "${arg_MUTATION}")
  gputest_private_program_schedules(schedule_options "${context}" "${arg_SCHEDULES}")
  gputest_private_program_checks(check_options "${context}" "${arg_CHECK}")
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
  if(NOT CMAKE_TESTING_ENABLED)
    message(FATAL_ERROR "${context}tests are off: call enable_testing() before, in the project's top CMakeLists.txt")
  endif()

  gputest_private_results_dir(results_dir)
  gputest_private_command(gputest)
  set(kinds coverage)
  set(options_of_coverage --coverage ${thresholds})
  set(options_of_mutation --mutation --store ${results_dir}/results.db ${mutation_options})
  set(options_of_schedules ${schedule_options})
  set(options_of_check ${check_options})
  if(mutation)
    list(APPEND kinds mutation)
  endif()
  if(schedules)
    list(APPEND kinds schedules)
  endif()
  if(check)
    list(APPEND kinds check)
  endif()
  foreach(kind IN LISTS kinds)
    add_test(
      NAME ${name}.${kind}
      COMMAND ${gputest} run ${options_of_${kind}} --output ${results_dir}/${name} --name ${name}
              --cache ${results_dir}/cache --source-root ${CMAKE_SOURCE_DIR} --timeout ${timeout} ${kernels} ${excluded}
              -- ${command}
      WORKING_DIRECTORY "${folder}")
    set_tests_properties(${name}.${kind} PROPERTIES SKIP_RETURN_CODE 77)
    set_property(TEST ${name}.${kind} PROPERTY LABELS gputest ${kind} ${arg_LABELS})
    gputest_private_join_umbrella(${kind} "${context}" ${name} "${target}")
    if(TARGET gputest_layer) # of this build: the command loads it
      string(TOUPPER ${kind} upper_kind)
      get_property(umbrella GLOBAL PROPERTY GPUTEST_${upper_kind}_TARGET)
      add_dependencies(${umbrella} gputest_layer gputest-simulator)
    endif()
  endforeach()
  # The command's own limit comes first, because it knows what to say. What a run with mutants has
  # found out is kept when it is ended.
  string(REGEX REPLACE "[.eE].*$" "" seconds "0${timeout}")
  math(EXPR seconds "5 * (${seconds} + 1) + 300") # runs without instrumentation are compared with it
  set_tests_properties(${name}.coverage PROPERTIES TIMEOUT ${seconds})
  foreach(kind IN LISTS kinds)
    if(NOT kind STREQUAL "coverage") # many runs
      set_tests_properties(${name}.${kind} PROPERTIES TIMEOUT 21600)
    endif()
    set_tests_properties(${name}.${kind} PROPERTIES RESOURCE_LOCK gputest.${name}) # they share a folder
  endforeach()
endfunction()
