include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/check_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/kernel_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/mutation_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/schedule_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/umbrella_target.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/variant.cmake)

# gputest_add_kernel(<name> SOURCE <file> [KERNEL <entry> | FUNCTION <device function>]
#   GLOBAL_SIZE x [y [z]] [LOCAL_SIZE x [y [z]]]
#   [ARGUMENTS <spec>…] [INTERFACE <json>] [TEST_CASES <json or glob>…]
#   [REFERENCE <cpp> [REFERENCE_FUNCTION <f>]] [TOLERANCE [ABSOLUTE a] [RELATIVE r] [ULP u]]
#   [DEFINITIONS …] [INCLUDE_DIRECTORIES …] [BUILD_OPTIONS …] [CL_STD CL1.2|CL2.0|CL3.0]
#   [COVERAGE [STATEMENT n] [BRANCH n] [CONDITION n] [LOOP n] [BARRIER n]]
#   [MUTATION [THRESHOLD n] [OPERATORS <name|conventional|gpu|all>…] [REPEAT n] [SAMPLE n]
#     [SINCE <git ref>] [TIMEOUT_FACTOR f]]
#   [SCHEDULES [n] [STRATEGY permute|first|serial|reverse|all] [SEED n] [REPEAT n]]
#   [CHECK [RACES] [BARRIERS] [BOUNDS] [UNINITIALIZED] [ARITHMETIC] [OVERFLOW]
#          [INTERLEAVINGS [n]]]
#   [TIMEOUT s] [DEVICE <name part, type or index>] [LABELS …])
#
# Tests a kernel and how well it is tested: docs/gputest_add_kernel.md.
function(gputest_add_kernel name)
  set(single SOURCE KERNEL FUNCTION INTERFACE REFERENCE REFERENCE_FUNCTION CL_STD TIMEOUT DEVICE)
  set(multiple GLOBAL_SIZE LOCAL_SIZE ARGUMENTS TEST_CASES TOLERANCE DEFINITIONS INCLUDE_DIRECTORIES BUILD_OPTIONS
               COVERAGE MUTATION SCHEDULES CHECK LABELS)
  set(context "gputest_add_kernel(): ${name}: ")
  gputest_private_check_name(gputest_add_kernel "${name}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  gputest_private_take_bare_keyword(coverage COVERAGE) # measured in any case
  gputest_private_take_bare_keyword(mutation MUTATION)
  gputest_private_take_bare_keyword(schedules SCHEDULES)
  gputest_private_take_bare_keyword(check CHECK)
  gputest_private_check_keywords("${context}" "${single};${multiple}" "${ARGN}")
  gputest_private_check_kernel("${context}")
  if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING AND NOT CMAKE_TESTING_ENABLED)
    return() # the user wants no tests
  endif()
  gputest_private_check_project("${context}")
  set(target ${name}_harness)
  if(TARGET ${target})
    message(FATAL_ERROR "${context}the project has a target '${target}' already: choose another name for the kernel")
  endif()

  gputest_private_find_file(source "${context}" SOURCE "${arg_SOURCE}")
  gputest_private_results_dir(results_dir)
  set(dir "${results_dir}/${name}")
  gputest_private_command(gputest)

  # Definitions and folders may hold generator expressions, and commas, which $<JOIN> can take only
  # from a target's property.
  set(definitions "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},GPUTEST_DEFINITIONS>>")
  set(folders "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},GPUTEST_INCLUDE_DIRECTORIES>>")
  set(source_options "")
  if(DEFINED arg_CL_STD)
    list(APPEND source_options --cl-std ${arg_CL_STD})
  endif()
  set(wrapper "")
  if(DEFINED arg_FUNCTION)
    list(APPEND source_options --function ${arg_FUNCTION})
    set(wrapper ${dir}/wrapper.cl)
  endif()
  list(APPEND source_options "$<$<BOOL:${definitions}>:--define=$<JOIN:${definitions},$<SEMICOLON>--define=>>"
                             "$<$<BOOL:${folders}>:--include=$<JOIN:${folders},$<SEMICOLON>--include=>>")
  cmake_path(GET source FILENAME source_name)
  gputest_private_add_variant(instrument "Instrumenting ${source_name} for ${name}"
    ${dir}/interface.json ${dir}/coverage.cl ${dir}/sites.json ${wrapper})
  set(kinds coverage)
  set(read_at_run_time "")
  if(mutation)
    # Beside mutants.json, which is written last, there is a mutant-<id>.cl for each mutant that is a
    # program of its own.
    list(APPEND kinds mutation)
    list(APPEND read_at_run_time ${dir}/mutants.json ${dir}/mutants.cl ${dir}/original.cl)
    gputest_private_add_variant(mutants "Making the mutants of ${source_name} for ${name}"
      ${dir}/mutants.json ${dir}/mutants.cl ${dir}/original.cl)
  endif()
  if(schedules)
    list(APPEND kinds schedules)
    list(APPEND read_at_run_time ${dir}/schedule-sites.json ${dir}/schedule.cl ${dir}/guarded.cl)
    gputest_private_add_variant(schedule "Making ${source_name} ready for schedules, for ${name}"
      ${dir}/schedule-sites.json ${dir}/schedule.cl ${dir}/guarded.cl)
  endif()

  if(check)
    list(APPEND kinds check)
  endif()

  gputest_private_harness_options(harness_options "${context}")
  set(simulator_option "")
  if(TARGET GpuTestCheck::gputest-simulator)
    set(simulator_option --simulator $<TARGET_FILE:GpuTestCheck::gputest-simulator>)
  endif()
  add_custom_command(
    OUTPUT ${dir}/harness.cpp
    COMMAND ${gputest} harness --interface ${dir}/interface.json --output ${dir}/harness.cpp --name ${name}
            --source ${source} --kernel-dir ${dir} --executable-dir ${dir} --driver ${gputest}
            ${simulator_option} ${source_options} ${harness_options}
    DEPENDS ${dir}/interface.json ${gputest}
    COMMENT "Writing the host program of ${name}"
    VERBATIM COMMAND_EXPAND_LISTS)

  # The executable lies with its data: relative paths hold wherever the build folder is moved to.
  add_executable(${target} ${dir}/harness.cpp ${read_at_run_time})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF) # the reference's own names stay its own
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${dir}
    GPUTEST_DEFINITIONS "${definition_list}"
    GPUTEST_INCLUDE_DIRECTORIES "${folder_list}"
    FOLDER gputest)
  target_link_libraries(${target} PRIVATE GpuTestCheck::runtime)
  if(DEFINED arg_REFERENCE)
    # The reference sees the kernel's own constants and headers.
    target_compile_definitions(${target} PRIVATE ${definition_list})
    target_include_directories(${target} PRIVATE ${folder_list})
  endif()

  if(TARGET gputest-simulator) # of this build: the harness starts it
    add_dependencies(${target} gputest-simulator)
  endif()

  list(LENGTH test_cases case_files)
  gputest_private_ctest_timeout(ctest_timeout ${case_files})
  foreach(kind IN ITEMS test LISTS kinds)
    set(option "")
    if(NOT kind STREQUAL "test")
      set(option --${kind})
      gputest_private_join_umbrella(${kind} "${context}" ${name} ${target})
    endif()
    add_test(NAME ${name}.${kind} COMMAND ${target} ${option})
    set_tests_properties(${name}.${kind} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${ctest_timeout})
    set_property(TEST ${name}.${kind} PROPERTY LABELS gputest ${kind} ${arg_LABELS})
  endforeach()
  if(mutation)
    # Mutants have time limits of their own; what a run has found out is kept when it is ended.
    set_tests_properties(${name}.mutation PROPERTIES TIMEOUT 21600)
  endif()
endfunction()
