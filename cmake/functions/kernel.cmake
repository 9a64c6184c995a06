# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/compile_commands.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/generate_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/kernel_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/kernel_tests.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/settings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/variant.cmake)

# gputest_private_add_kernel(<context> <name> <word>…)
#
# What gputest_add_kernel() makes of the words of a kernel (kernel_keywords.cmake): files, the host
# program and its tests.
function(gputest_private_add_kernel context name)
  gputest_private_kernel_keywords(options single multiple)
  cmake_parse_arguments(PARSE_ARGV 2 arg "${options}" "${single}" "${multiple}")
  cmake_parse_arguments(PARSE_ARGV 2 given "" "" "")
  set(words "${given_UNPARSED_ARGUMENTS}")
  gputest_private_given_analyses(analyses ${words})
  set(generate FALSE) # bare, it asks for every criterion
  if("GENERATE" IN_LIST words)
    set(generate TRUE)
  endif()
  gputest_private_check_kernel("${context}" "${analyses}" ${generate} ${words})
  gputest_private_check_language("${context}" ${words})
  gputest_private_wants_tests(wanted)
  if(NOT wanted)
    return()
  endif()
  gputest_private_check_project("${context}")
  set(target ${name}_harness)
  if(TARGET ${target})
    message(FATAL_ERROR "${context}the project has a target '${target}' already: choose another "
                        "name for the kernel")
  endif()

  gputest_private_find_file(source "${context}" SOURCE "${arg_SOURCE}")
  gputest_private_results_dir(results_dir)
  set(dir "${results_dir}/${name}")
  gputest_private_command(gputest)
  list(TRANSFORM arg_DEFINITIONS REPLACE "^-D" "")
  if(DEFINED arg_WARP_SIZE) # code that uses warpSize as a constant sees it, as the simulator does
    list(APPEND arg_DEFINITIONS GPUTEST_WARP_SIZE=${arg_WARP_SIZE})
  endif()
  gputest_private_include_folders(include_folders "${arg_INCLUDE_DIRECTORIES}")
  gputest_private_is_cuda(cuda "${source}")
  gputest_private_own_ending(ending "${source}")
  if(ending STREQUAL ".clcpp" AND NOT DEFINED arg_CL_STD)
    set(arg_CL_STD CLC++1.0)
    list(APPEND words CL_STD ${arg_CL_STD})
  endif()
  if(cuda AND NOT DEFINED arg_CXX_STANDARD) # that of the project
    set(standard "${CMAKE_CUDA_STANDARD}")
    if(ending STREQUAL ".hip")
      set(standard "${CMAKE_HIP_STANDARD}")
    endif()
    if(standard MATCHES "^(11|14|17|20|23)$")
      set(arg_CXX_STANDARD ${standard})
    endif()
  endif()
  if(DEFINED arg_CXX_STANDARD)
    set(arg_CL_STD c++${arg_CXX_STANDARD})
    list(APPEND words CL_STD ${arg_CL_STD})
  endif()
  gputest_private_source_options(source_options ${target} ${words})
  gputest_private_add_variants(read_at_run_time ${name} "${source}" ${dir} "${analyses}"
                               "${source_options}" ${words})
  set(reference_interface "")
  if(DEFINED arg_REFERENCE_KERNEL)
    gputest_private_add_reference_kernel(
      reference_interface "${context}" ${name} ${dir} "${arg_REFERENCE_KERNEL}"
      "${arg_REFERENCE_KERNEL_KERNEL}" "${source}" "${source_options}")
  endif()
  set(is_case_of_arguments FALSE) # beside others
  if(generate)
    if(NOT DEFINED arg_TEST_CASES)
      set(is_case_of_arguments TRUE)
    endif()
    gputest_private_generate_options(generate_options folder "${context}" "${arg_GENERATE}")
    # Cases from earlier generation are test cases, too. There may be none yet.
    file(GLOB generated CONFIGURE_DEPENDS LIST_DIRECTORIES false "${folder}/*.json")
    list(APPEND arg_TEST_CASES ${generated})
  endif()
  gputest_private_find_files(test_cases "${context}" TEST_CASES "${arg_TEST_CASES}")
  if(DEFINED arg_DEVICES) # for the tests that do not run on each of them
    list(GET arg_DEVICES 0 first)
    list(APPEND words DEVICE "${first}")
  endif()
  gputest_private_harness_options(harness_options "${context}" ${dir} "${analyses}"
                                  "${test_cases}" ${words})
  if(is_case_of_arguments)
    list(APPEND harness_options --case-of-arguments)
  endif()
  if(ending STREQUAL ".spv")
    list(REMOVE_ITEM analyses coverage) # of which there is only the interface
  else()
    gputest_private_add_compile_command("${source}" ${cuda} "${arg_CL_STD}" "${arg_DEFINITIONS}"
                                        "${include_folders}")
  endif()
  if(generate)
    gputest_private_generate_words(kernel_options "${context}" "${test_cases}" ${words})
    gputest_private_add_generate_target("${context}" ${name} ${source} ${source_options}
                                        ${kernel_options} ${generate_options})
  endif()
  set(simulator_option "")
  if(TARGET GpuTestCheck::gputest-simulator)
    set(simulator_option --simulator $<TARGET_FILE:GpuTestCheck::gputest-simulator>)
  endif()
  add_custom_command(
    OUTPUT ${dir}/harness.cpp
    COMMAND ${gputest} harness --interface ${dir}/interface.json --output ${dir}/harness.cpp
            --name ${name} --source ${source} --kernel-dir ${dir} --executable-dir ${dir}
            --driver ${gputest} ${simulator_option} ${source_options} ${harness_options}
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
    GPUTEST_DEFINITIONS "${arg_DEFINITIONS}"
    GPUTEST_INCLUDE_DIRECTORIES "${include_folders}"
    FOLDER gputest)
  target_link_libraries(${target} PRIVATE GpuTestCheck::runtime)
  if(arg_REFERENCE STREQUAL "HOST")
    set(version c++17)
    if(DEFINED arg_CXX_STANDARD)
      set(version c++${arg_CXX_STANDARD})
    endif()
    gputest_private_link_host_version("${context}" ${target} ${dir} ${dir}/host_version${cuda}
                                      "${arg_FUNCTION}" ${version})
  endif()
  if(DEFINED arg_REFERENCE OR DEFINED arg_PROPERTY)
    # They see the kernel's own constants and headers.
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
    target_include_directories(${target} PRIVATE ${include_folders})
  endif()
  gputest_private_add_started_programs(${target} "${analyses}")

  list(LENGTH test_cases case_files)
  gputest_private_ctest_timeout(timeout ${case_files} "${arg_TIMEOUT}")
  set(flags "")
  if(ending)
    list(APPEND flags SIMULATED)
  endif()
  if(arg_DISCOVER)
    list(APPEND flags DISCOVER)
  endif()
  gputest_private_add_kernel_tests(
    "${context}" ${name} ${target} ${flags} FOLDER ${dir} TIMEOUT ${timeout} DEVICE ${arg_DEVICE}
    ANALYSES "${analyses}" DEVICES "${arg_DEVICES}" OPTIONS "${harness_options}"
    LABELS "${arg_LABELS}")
endfunction()

# gputest_private_source_options(<variable> <target> <word>…)
#
# How `gputest` reads the kernel's source. Definitions and folders may hold generator expressions,
# and commas, which $<JOIN> can take only from a property, here of the host program's target.
function(gputest_private_source_options variable target)
  gputest_private_kernel_keywords(options single multiple)
  cmake_parse_arguments(PARSE_ARGV 2 arg "${options}" "${single}" "${multiple}")
  set(result "")
  if(DEFINED arg_CL_STD)
    list(APPEND result --cl-std ${arg_CL_STD})
  endif()
  if(DEFINED arg_FUNCTION)
    list(APPEND result --function "${arg_FUNCTION}")
  endif()
  foreach(pair IN ITEMS "DEFINITIONS define" "INCLUDE_DIRECTORIES include")
    string(REPLACE " " ";" pair "${pair}")
    list(POP_FRONT pair property option)
    set(values "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},GPUTEST_${property}>>")
    list(APPEND result
         "$<$<BOOL:${values}>:--${option}=$<JOIN:${values},$<SEMICOLON>--${option}=>>")
  endforeach()
  set(${variable} "${result}" PARENT_SCOPE)
endfunction()

# gputest_private_add_variants(<variable> <name> <source> <folder> <analyses> <options> <word>…)
#
# Makes the variants of the kernel that the analyses need. The result is those of the files that the
# host program reads.
function(gputest_private_add_variants variable name source dir analyses source_options)
  gputest_private_kernel_keywords(options single multiple)
  cmake_parse_arguments(PARSE_ARGV 6 arg "${options}" "${single}" "${multiple}")
  gputest_private_is_cuda(cuda "${source}")
  if(cuda AND DEFINED arg_KERNEL)
    list(APPEND source_options --instance "${arg_KERNEL}")
  endif()
  gputest_private_own_ending(ending "${source}")
  cmake_path(GET source FILENAME source_name)
  set(read_at_run_time "")
  foreach(analysis IN LISTS analyses)
    get_property(outputs GLOBAL PROPERTY gputest_${analysis}_variant)
    get_property(cuda_way GLOBAL PROPERTY gputest_${analysis}_cuda)
    get_property(always GLOBAL PROPERTY gputest_${analysis}_always)
    if(NOT outputs OR (ending AND cuda_way STREQUAL "simulator")) # the kernel runs as it is
      continue()
    endif()
    list(POP_FRONT outputs subcommand comment)
    if(always AND DEFINED arg_FUNCTION) # with the kernel that every test needs
      list(APPEND outputs wrapper.cl)
    endif()
    set(options "${source_options}")
    if(always AND arg_REFERENCE STREQUAL "HOST")
      list(APPEND outputs host_version.cl)
      list(APPEND options --host-version)
    endif()
    list(TRANSFORM outputs PREPEND ${dir}/)
    if(ending)
      list(TRANSFORM outputs REPLACE "[.]cl$" "${ending}")
    endif()
    if(NOT always)
      list(APPEND read_at_run_time ${outputs})
    endif()
    gputest_private_add_variant(${subcommand} "${comment} ${source_name} for ${name}" "${source}"
                                ${dir} "${outputs}" "${options}")
  endforeach()
  set(${variable} "${read_at_run_time}" PARENT_SCOPE)
endfunction()

# gputest_private_add_started_programs(<target> <analyses>)
#
# The programs of this build that the host program starts are made with it.
function(gputest_private_add_started_programs target analyses)
  if(TARGET gputest-simulator)
    add_dependencies(${target} gputest-simulator)
  endif()
  foreach(pair IN ITEMS "fuzz gputest-generate" "memory gputest-memory")
    string(REPLACE " " ";" pair "${pair}")
    list(POP_FRONT pair analysis program)
    if(analysis IN_LIST analyses AND TARGET ${program})
      add_dependencies(${target} gputest ${program})
    endif()
  endforeach()
endfunction()
