# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gputest_private_generate_options(<variable> <context> <values of GENERATE>)
#
# Reads "BRANCH BUDGET 30 INTO cases/generated"; the result is a list of options of `gputest generate`, such as
# --branch;--budget;30;--output;<absolute folder>. Sets generated_folder in the caller.
function(gputest_private_generate_options variable context values)
  set(flags BRANCH CONDITION LOOP MUTANTS ASSUME_FIXED)
  set(single BUDGET INTO SEED MAX_CASES)
  cmake_parse_arguments(arg "${flags}" "${single}" "" ${values})
  gputest_private_check_keywords("${context}GENERATE: " "${flags};${single}" "${values}")
  set(options "")
  foreach(flag IN LISTS flags)
    if(arg_${flag})
      string(TOLOWER "--${flag}" option)
      string(REPLACE "_" "-" option ${option})
      list(APPEND options ${option})
    endif()
  endforeach()
  if(DEFINED arg_BUDGET)
    gputest_private_check_numbers("${context}" "GENERATE BUDGET" SECONDS ${arg_BUDGET})
    list(APPEND options --budget ${arg_BUDGET})
  endif()
  if(DEFINED arg_SEED)
    gputest_private_check_numbers("${context}" "GENERATE SEED" SEED ${arg_SEED})
    list(APPEND options --seed ${arg_SEED})
  endif()
  if(DEFINED arg_MAX_CASES)
    gputest_private_check_numbers("${context}" "GENERATE MAX_CASES" SIZE ${arg_MAX_CASES})
    list(APPEND options --max-cases ${arg_MAX_CASES})
  endif()
  set(folder cases/generated)
  if(DEFINED arg_INTO)
    set(folder "${arg_INTO}")
  endif()
  if(folder MATCHES ";")
    message(FATAL_ERROR "${context}GENERATE INTO: '${folder}' has a ; in its name, which CMake cannot handle: rename it")
  endif()
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  set(${variable} "${options};--output;${folder}" PARENT_SCOPE)
  set(generated_folder "${folder}" PARENT_SCOPE)
endfunction()

# gputest_private_add_generate_target(<context> <name> <options of GENERATE>)
#
# Makes <name>.generate, which adds cases to the source tree, and `generate`, which makes all of them. Reads the
# caller's variables gputest, source, source_options, test_cases, argument_list and arg_….
function(gputest_private_add_generate_target context name)
  set(words "")
  if(DEFINED arg_KERNEL)
    list(APPEND words --kernel "${arg_KERNEL}")
  endif()
  if(DEFINED arg_SHARED_MEMORY)
    list(APPEND words --case-shared-memory ${arg_SHARED_MEMORY})
  endif()
  foreach(keyword IN ITEMS GLOBAL_SIZE LOCAL_SIZE)
    if(DEFINED arg_${keyword})
      string(TOLOWER "--case-${keyword}" option)
      string(REPLACE "_" "-" option ${option})
      list(JOIN arg_${keyword} "," sizes)
      list(APPEND words ${option} ${sizes})
    endif()
  endforeach()
  foreach(file IN LISTS test_cases)
    list(APPEND words --cases "${file}")
  endforeach()
  foreach(specification IN LISTS arg_ARGUMENTS)
    list(APPEND words --argument "${specification}")
  endforeach()
  foreach(requirement IN LISTS arg_REQUIRE)
    list(APPEND words --require "${requirement}")
  endforeach()
  if(DEFINED arg_REFERENCE OR DEFINED arg_REFERENCE_KERNEL)
    list(APPEND words --no-outputs)
  endif()
  gputest_private_nested_numbers(tolerance "${context}" TOLERANCE "${arg_TOLERANCE}"
    ABSOLUTE REAL --absolute  RELATIVE REAL --relative  ULP COUNT --ulp)
  list(APPEND words ${tolerance})
  gputest_private_results_dir(results_dir)
  add_custom_target(
    ${name}.generate
    COMMAND ${gputest} generate ${source} --source-root ${CMAKE_SOURCE_DIR} --cmake-base ${CMAKE_CURRENT_SOURCE_DIR}
            --html "${results_dir}/${name}/generation.html" --json "${results_dir}/${name}/generation.json" ${source_options} ${words} ${ARGN}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} # which files in ARGUMENTS are relative to
    COMMENT "Generating test cases for ${name}"
    USES_TERMINAL VERBATIM COMMAND_EXPAND_LISTS)
  if(TARGET gputest-generate) # of this build: gputest starts it
    add_dependencies(${name}.generate gputest gputest-generate)
  endif()
  gputest_private_name_umbrella(umbrella generate "${context}")
  if(umbrella_is_new)
    add_custom_target( # its dependencies generate first
      ${umbrella}
      COMMAND ${gputest} report "${results_dir}" --index "${results_dir}/report.html" --badge "${results_dir}/badge.svg"
              --no-terminal
      COMMAND ${CMAKE_COMMAND} -E echo "All kinds of results: ${results_dir}/report.html"
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
      VERBATIM)
  endif()
  add_dependencies(${umbrella} ${name}.generate)
endfunction()
