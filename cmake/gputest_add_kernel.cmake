# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/compile_commands.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/discover.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/generate_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/kernel_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/kernel_tests.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/variant.cmake)

# gputest_add_kernel(<name> SOURCE <file> [KERNEL <entry> | FUNCTION <device function>]
#   GLOBAL_SIZE x [y [z]] [LOCAL_SIZE x [y [z]]]
#   [ARGUMENTS <spec>…] [INTERFACE <json>] [TEST_CASES <json or glob>…]
#   [REFERENCE_KERNEL <file> [KERNEL <k>] [GLOBAL_SIZE x [y [z]]] [LOCAL_SIZE x [y [z]]] [ARGUMENTS theirs=ours…]]
#   [REFERENCE <cpp> [REFERENCE_FUNCTION <f>]] [PROPERTY <cpp> [PROPERTY_FUNCTION <f>]] [TOLERANCE [ABSOLUTE a] [RELATIVE r] [ULP u]]
#   [DEFINITIONS …] [INCLUDE_DIRECTORIES …] [BUILD_OPTIONS …] [CL_STD CL1.2|CL2.0|CL3.0]
#   [SHARED_MEMORY <bytes>] [WARP_SIZE 32|64]
#   [<ANALYSIS> [<setting>…]]…
#   [GENERATE [BRANCH] [CONDITION] [LOOP] [MUTANTS] [ASSUME_FIXED] [BUDGET s] [INTO dir] [SEED n] [MAX_CASES n]]
#   [REQUIRE <expression>…] [DISCOVER]
#   [TIMEOUT s] [DEVICE <name part, type or index> | DEVICES <such a one>…] [LABELS …])
#
# Tests a kernel, and measures how good its tests are: docs/reference/gputest_add_kernel.md. The analyses and their
# settings are those of functions/analyses.cmake, such as SCHEDULES 20 STRATEGY serial.
function(gputest_add_kernel name)
  set(single SOURCE KERNEL FUNCTION INTERFACE REFERENCE REFERENCE_FUNCTION REFERENCE_KERNEL REFERENCE_KERNEL_KERNEL PROPERTY
             PROPERTY_FUNCTION CL_STD SHARED_MEMORY WARP_SIZE TIMEOUT DEVICE)
  gputest_private_analyses()
  set(multiple GLOBAL_SIZE LOCAL_SIZE ARGUMENTS REFERENCE_KERNEL_GLOBAL_SIZE REFERENCE_KERNEL_LOCAL_SIZE
               REFERENCE_KERNEL_ARGUMENTS TEST_CASES TOLERANCE DEFINITIONS INCLUDE_DIRECTORIES BUILD_OPTIONS
               ${gputest_keywords} GENERATE REQUIRE DEVICES LABELS)
  set(context "gputest_add_kernel(): ${name}: ")
  gputest_private_check_name(gputest_add_kernel "${name}")
  # KERNEL, GLOBAL_SIZE, LOCAL_SIZE and ARGUMENTS behind REFERENCE_KERNEL are the reference's.
  set(is_of_reference OFF)
  set(words "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 0 ${last})
    if("${ARGV${i}}" STREQUAL "REFERENCE_KERNEL")
      set(is_of_reference ON)
    elseif(is_of_reference AND "${ARGV${i}}" MATCHES "^(KERNEL|GLOBAL_SIZE|LOCAL_SIZE|ARGUMENTS)$")
      set(ARGV${i} "REFERENCE_KERNEL_${ARGV${i}}")
    elseif("${ARGV${i}}" IN_LIST single OR "${ARGV${i}}" IN_LIST multiple OR "${ARGV${i}}" STREQUAL "DISCOVER")
      set(is_of_reference OFF)
    endif()
    if(i GREATER 0)
      list(APPEND words "${ARGV${i}}")
    endif()
  endforeach()
  cmake_parse_arguments(PARSE_ARGV 1 arg DISCOVER "${single}" "${multiple}")
  gputest_private_take_analyses(analyses)
  set(generate OFF) # bare, it asks for every criterion
  if(DEFINED arg_GENERATE OR "GENERATE" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    set(generate ON)
    list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES GENERATE)
  endif()
  gputest_private_check_keywords("${context}" "${single};${multiple};DISCOVER" "${words}")
  gputest_private_check_kernel("${context}")
  if(DEFINED arg_WARP_SIZE) # code that uses warpSize as a constant sees the macro, and so does the simulator
    list(APPEND arg_DEFINITIONS GPUTEST_WARP_SIZE=${arg_WARP_SIZE})
  endif()
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
  gputest_private_is_cuda(cuda "${source}")
  set(variant_options "")
  if(cuda AND DEFINED arg_KERNEL)
    set(variant_options --instance "${arg_KERNEL}")
  endif()
  set(wrapper "")
  if(DEFINED arg_FUNCTION)
    list(APPEND source_options --function "${arg_FUNCTION}")
    set(wrapper ${dir}/wrapper.cl)
    if(cuda)
      set(wrapper ${dir}/wrapper${cuda})
    endif()
  endif()
  list(APPEND source_options "$<$<BOOL:${definitions}>:--define=$<JOIN:${definitions},$<SEMICOLON>--define=>>"
                             "$<$<BOOL:${folders}>:--include=$<JOIN:${folders},$<SEMICOLON>--include=>>")
  cmake_path(GET source FILENAME source_name)
  set(read_at_run_time "")
  foreach(analysis IN LISTS analyses)
    set(variant ${gputest_${analysis}_variant})
    if(NOT variant OR (cuda AND gputest_${analysis}_cuda STREQUAL "simulator")) # the kernel runs as it is
      continue()
    endif()
    list(POP_FRONT variant subcommand comment)
    list(TRANSFORM variant PREPEND ${dir}/)
    if(cuda)
      list(TRANSFORM variant REPLACE "[.]cl$" "${cuda}")
    endif()
    if(NOT gputest_${analysis}_always)
      list(APPEND read_at_run_time ${variant})
    else() # with the kernel that every test needs
      list(APPEND variant ${wrapper})
    endif()
    gputest_private_add_variant(${subcommand} "${comment} ${source_name} for ${name}" ${variant})
  endforeach()

  set(reference_interface "")
  if(DEFINED arg_REFERENCE_KERNEL)
    gputest_private_add_reference_kernel(reference_interface "${context}")
  endif()
  if(generate)
    gputest_private_generate_options(generate_options "${context}" "${arg_GENERATE}")
    # Cases from earlier generation are test cases, too. There may be none yet.
    file(GLOB generated CONFIGURE_DEPENDS LIST_DIRECTORIES false "${generated_folder}/*.json")
    list(APPEND arg_TEST_CASES ${generated})
  endif()
  if(DEFINED arg_DEVICES) # for the tests that do not run on each of them
    list(GET arg_DEVICES 0 arg_DEVICE)
  endif()
  gputest_private_harness_options(harness_options "${context}")
  gputest_private_add_compile_command()
  if(generate)
    gputest_private_add_generate_target("${context}" ${name} ${generate_options})
  endif()
  set(simulator_option "")
  if(TARGET GpuTestCheck::gputest-simulator)
    set(simulator_option --simulator $<TARGET_FILE:GpuTestCheck::gputest-simulator>)
  endif()
  add_custom_command(
    OUTPUT ${dir}/harness.cpp
    COMMAND ${gputest} harness --interface ${dir}/interface.json --output ${dir}/harness.cpp --name ${name}
            --source ${source} --kernel-dir ${dir} --executable-dir ${dir} --driver ${gputest}
            ${simulator_option} ${source_options} ${harness_options}
    DEPENDS ${dir}/interface.json ${reference_interface} ${gputest}
    COMMENT "Writing the host program of ${name}"
    VERBATIM COMMAND_EXPAND_LISTS)

  # The executable is beside its data, so relative paths hold wherever the build folder is moved to.
  # Files that it reads are made with it, but not compiled: CUDA may be a language of the project.
  set_source_files_properties(${read_at_run_time} PROPERTIES HEADER_FILE_ONLY ON)
  add_executable(${target} ${dir}/harness.cpp ${read_at_run_time})
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD OFF # the reference's own names stay its own
    CXX_SCAN_FOR_MODULES OFF
    BUILD_RPATH_USE_ORIGIN ON
    RUNTIME_OUTPUT_DIRECTORY ${dir}
    GPUTEST_DEFINITIONS "${definition_list}"
    GPUTEST_INCLUDE_DIRECTORIES "${folder_list}"
    FOLDER gputest)
  target_link_libraries(${target} PRIVATE GpuTestCheck::runtime)
  if(DEFINED arg_REFERENCE OR DEFINED arg_PROPERTY)
    # They see the kernel's own constants and headers.
    target_compile_definitions(${target} PRIVATE ${definition_list})
    target_include_directories(${target} PRIVATE ${folder_list})
  endif()

  if(TARGET gputest-simulator) # of this build: the harness starts it
    add_dependencies(${target} gputest-simulator)
  endif()
  if("fuzz" IN_LIST analyses AND TARGET gputest-generate) # the harness starts these, too
    add_dependencies(${target} gputest gputest-generate)
  endif()

  if("memory" IN_LIST analyses AND TARGET gputest-memory)
    add_dependencies(${target} gputest gputest-memory)
  endif()

  list(LENGTH test_cases case_files)
  gputest_private_ctest_timeout(ctest_timeout ${case_files})
  gputest_private_add_kernel_tests("${context}" ${name} ${target} ${ctest_timeout})
endfunction()
