# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/kernel_options.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/umbrella_target.cmake)

# gputest_private_generate_options(<variable> <folder variable> <context> <values of GENERATE>)
#
# Reads "BRANCH BUDGET 30 INTO cases/generated"; the result is a list of options of `gputest
# generate`, such as --branch;--budget;30;--output;<absolute folder>, and that folder.
function(gputest_private_generate_options variable folder_variable context values)
  set(flags BRANCH CONDITION LOOP MUTANTS ASSUME_FIXED)
  set(single BUDGET INTO SEED MAX_CASES)
  cmake_parse_arguments(arg "${flags}" "${single}" "" ${values})
  gputest_private_check_keywords("${context}GENERATE: " "${flags};${single}" "${values}"
                                 "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
  set(options "")
  foreach(flag IN LISTS flags)
    if(arg_${flag})
      string(TOLOWER "--${flag}" option)
      string(REPLACE "_" "-" option ${option})
      list(APPEND options ${option})
    endif()
  endforeach()
  foreach(setting IN ITEMS "BUDGET SECONDS" "SEED SEED" "MAX_CASES SIZE")
    string(REPLACE " " ";" setting "${setting}")
    list(POP_FRONT setting keyword kind)
    if(DEFINED arg_${keyword})
      gputest_private_check_numbers("${context}" "GENERATE ${keyword}" ${kind} "${arg_${keyword}}")
      gputest_private_option_name(option ${keyword})
      list(APPEND options ${option} ${arg_${keyword}})
    endif()
  endforeach()
  set(folder cases/generated)
  if(DEFINED arg_INTO)
    set(folder "${arg_INTO}")
  endif()
  if(folder MATCHES ";")
    message(FATAL_ERROR "${context}GENERATE INTO: '${folder}' has a ; in its name, which CMake "
                        "cannot handle: rename it")
  endif()
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  set(${variable} "${options};--output;${folder}" PARENT_SCOPE)
  set(${folder_variable} "${folder}" PARENT_SCOPE)
endfunction()

# gputest_private_generate_words(<variable> <context> <test cases> <word>…)
#
# The options of `gputest generate` that follow from the words of a kernel (kernel_keywords.cmake).
function(gputest_private_generate_words variable context test_cases)
  gputest_private_kernel_keywords(options single multiple)
  cmake_parse_arguments(PARSE_ARGV 3 arg "${options}" "${single}" "${multiple}")
  set(words "")
  if(DEFINED arg_KERNEL)
    list(APPEND words --kernel "${arg_KERNEL}")
  endif()
  if(DEFINED arg_SHARED_MEMORY)
    list(APPEND words --case-shared-memory ${arg_SHARED_MEMORY})
  endif()
  if(DEFINED arg_LOCK_STEP)
    list(APPEND words --lock-step ${arg_LOCK_STEP})
  endif()
  foreach(keyword IN ITEMS GLOBAL_SIZE LOCAL_SIZE GLOBAL_OFFSET)
    if(DEFINED arg_${keyword})
      gputest_private_option_name(option CASE_${keyword})
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
  gputest_private_tolerance(tolerance "${context}" "${arg_TOLERANCE}")
  list(APPEND words ${tolerance})
  set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# gputest_private_add_generate_target(<context> <name> <source> <option>…)
#
# Makes <name>.generate.cases, which adds cases to the source tree, <name>.generate, which also
# writes the page over all results, and `generate`, which makes all cases and then the page. The
# options are those of `gputest generate`.
function(gputest_private_add_generate_target context name source)
  cmake_parse_arguments(PARSE_ARGV 3 given "" "" "")
  gputest_private_command(gputest)
  gputest_private_results_dir(results_dir)
  set(index COMMAND ${gputest} report "${results_dir}" --index "${results_dir}/report.html"
            --badge "${results_dir}/badge.svg" --source-root ${CMAKE_SOURCE_DIR} --no-terminal)
  add_custom_target(
    ${name}.generate.cases
    COMMAND ${gputest} generate ${source} --source-root ${CMAKE_SOURCE_DIR}
            --cmake-base ${CMAKE_CURRENT_SOURCE_DIR}
            --html "${results_dir}/${name}/generation.html" --back ../report.html
            --json "${results_dir}/${name}/generation.json" ${given_UNPARSED_ARGUMENTS}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} # which files in ARGUMENTS are relative to
    COMMENT "Generating test cases for ${name}"
    USES_TERMINAL VERBATIM COMMAND_EXPAND_LISTS)
  if(TARGET gputest-generate) # of this build: gputest starts it
    add_dependencies(${name}.generate.cases gputest gputest-generate)
  endif()
  add_custom_target(${name}.generate ${index} VERBATIM)
  add_dependencies(${name}.generate ${name}.generate.cases)
  gputest_private_name_umbrella(umbrella generate "${context}")
  if(umbrella_is_new)
    add_custom_target( # its dependencies generate first
      ${umbrella} ${index}
      COMMAND ${CMAKE_COMMAND} -E echo "All kinds of results: ${results_dir}/report.html"
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
      VERBATIM)
  endif()
  add_dependencies(${umbrella} ${name}.generate.cases)
endfunction()
