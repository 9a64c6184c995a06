# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/analyses.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

# gputest_private_name_umbrella(<variable> <kind> <context>)
#
# The name of the umbrella target of a kind, ${GPUTEST_TARGET_PREFIX}<kind>; <variable>_is_new says
# that there is none yet, and the caller makes it.
function(gputest_private_name_umbrella variable kind context)
  string(TOUPPER ${kind} upper_kind)
  get_property(umbrella GLOBAL PROPERTY GPUTEST_${upper_kind}_TARGET)
  set(${variable}_is_new FALSE PARENT_SCOPE)
  if(NOT umbrella)
    set(umbrella "${GPUTEST_TARGET_PREFIX}${kind}")
    if(TARGET ${umbrella})
      message(FATAL_ERROR "${context}the project has a target '${umbrella}' already: choose a "
                          "prefix for GpuTestCheck's, such as set(GPUTEST_TARGET_PREFIX gpu_), "
                          "which makes it 'gpu_${umbrella}'")
    endif()
    set_property(GLOBAL PROPERTY GPUTEST_${upper_kind}_TARGET ${umbrella})
    set(${variable}_is_new TRUE PARENT_SCOPE)
  endif()
  set(${variable} ${umbrella} PARENT_SCOPE)
endfunction()

# gputest_private_join_umbrella(<kind> <context> <name> <target>)
#
# Adds the test <name>.<kind>, and the target that it needs if there is one, to the umbrella target
# of its kind, an analysis. That target builds, runs and reports on all of them
# (run_umbrella.cmake). The first call makes the target, with the name
# ${GPUTEST_TARGET_PREFIX}<kind>.
function(gputest_private_join_umbrella kind context name target)
  gputest_private_name_umbrella(umbrella ${kind} "${context}")
  if(umbrella_is_new)
    gputest_private_results_dir(results_dir)
    gputest_private_command(gputest)

    # The names are complete only when CMake has read the whole project.
    set(names_file "${results_dir}/${kind}.names.txt")
    file(GENERATE OUTPUT "${names_file}"
         CONTENT "$<JOIN:$<TARGET_PROPERTY:${umbrella},GPUTEST_NAMES>,\n>\n")
    set(progress "")
    get_property(is_long GLOBAL PROPERTY gputest_${kind}_long)
    if(is_long) # outermost, because neither cmake nor ctest hands a terminal on
      set(progress "${gputest}" progress --)
    endif()
    set(script
      ${CMAKE_COMMAND} -DKIND=${kind} "-DCTEST=${CMAKE_CTEST_COMMAND}" "-DGPUTEST=${gputest}"
      "-DBUILD_DIR=${CMAKE_BINARY_DIR}" "-DSOURCE_DIR=${CMAKE_SOURCE_DIR}"
      "-DRESULTS_DIR=${results_dir}" "-DNAMES_FILE=${names_file}" "-DCONFIG=$<CONFIG>")
    foreach(gate IN ITEMS AGAINST FAIL_ON PATCH_COVERAGE TIME_LIMIT)
      if(NOT "${GPUTEST_${gate}}" STREQUAL "")
        string(REPLACE ";" "," value "${GPUTEST_${gate}}")
        list(APPEND script "-D${gate}=${value}")
      endif()
    endforeach()
    set(run -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run_umbrella.cmake)
    add_custom_target(
      ${umbrella}
      COMMAND ${progress} ${script} ${run}
      COMMAND test ! -e "${results_dir}/${kind}.failed" # which that script leaves
      COMMENT "Running the ${kind} tests"
      USES_TERMINAL VERBATIM)
    set_property(TARGET ${umbrella} PROPERTY GPUTEST_MERGE ${script} -DMERGE=ON ${run})
  endif()

  set_property(TARGET ${umbrella} APPEND PROPERTY GPUTEST_NAMES ${name})
  if(target)
    add_dependencies(${umbrella} ${target})
  endif()
endfunction()

# gputest_private_add_shards(<kind> <context> <test> <target> <number> OPTIONS <option>…
#   PROPERTIES <name> <value>… LABELS <label>… [FOLDER <folder>]
#   [COMMAND <word>… ARGUMENTS <word>…])
#
# Adds the tests <test>.1-of-4 and so on, which share nothing. <test>, which merges their results,
# waits for them. FOLDER: where their folders are, if not in the kernel's. COMMAND and ARGUMENTS:
# what is around the options, if the target is no host program; it takes its folder as --output. The
# file <kind>.shards has their commands, one a line, for programs that run such lines on many
# machines. The target <kind>-merge, and the script of that name, merge the results and report.
function(gputest_private_add_shards kind context test target number)
  cmake_parse_arguments(PARSE_ARGV 5 arg "" "FOLDER" "OPTIONS;PROPERTIES;LABELS;COMMAND;ARGUMENTS")
  string(TOUPPER ${kind} upper)
  get_property(umbrella GLOBAL PROPERTY GPUTEST_${upper}_TARGET)
  gputest_private_name_umbrella(merge ${kind}-merge "${context}")
  if(merge_is_new)
    gputest_private_results_dir(results_dir)
    set(shards "$<TARGET_PROPERTY:${umbrella},GPUTEST_SHARDS>")
    file(GENERATE OUTPUT "${results_dir}/${kind}.shards"
         CONTENT "$<JOIN:$<TARGET_GENEX_EVAL:${umbrella},${shards}>,\n>\n")
    get_property(command TARGET ${umbrella} PROPERTY GPUTEST_MERGE)
    set(succeeded test ! -e "${results_dir}/${kind}.failed") # which that script leaves
    gputest_private_shell_words(words ${command})
    gputest_private_shell_words(words_of_succeeded ${succeeded})
    file(GENERATE OUTPUT "${results_dir}/${kind}-merge.sh"
         CONTENT "${words} && ${words_of_succeeded}\n")
    add_custom_target(
      ${merge} COMMAND ${command} COMMAND ${succeeded}
      COMMENT "Merging what shards of the ${kind} tests have left"
      USES_TERMINAL VERBATIM)
  endif()
  foreach(shard RANGE 1 ${number})
    set(part ${shard}-of-${number})
    set(options --${kind} --shard ${shard}/${number} ${arg_OPTIONS})
    if(DEFINED arg_COMMAND)
      list(APPEND options --output ${arg_FOLDER}/${part})
      set(command ${arg_COMMAND})
      set(words_of_command ${arg_COMMAND})
    else()
      set(command ${target})
      set(words_of_command $<TARGET_FILE:${target}>)
    endif()
    if(DEFINED arg_FOLDER AND NOT DEFINED arg_COMMAND)
      if(kind STREQUAL "mutation")
        list(APPEND options --store ${arg_FOLDER}/${part}/results.db)
      endif()
      list(APPEND options --json ${arg_FOLDER}/${part}/${kind}-${part}.json)
    endif()
    add_test(NAME ${test}.${part} COMMAND ${command} ${options} ${arg_ARGUMENTS})
    set_tests_properties(${test}.${part} PROPERTIES ${arg_PROPERTIES} FIXTURES_SETUP ${test}.shards)
    set_property(TEST ${test}.${part} PROPERTY LABELS gputest ${kind}-shard ${arg_LABELS})
    gputest_private_shell_words(words ${words_of_command} ${options} ${arg_ARGUMENTS})
    set_property(TARGET ${umbrella} APPEND PROPERTY GPUTEST_SHARDS "${words}")
  endforeach()
  set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED ${test}.shards)
  if(NOT target)
    return() # the program is no target
  endif()
  add_dependencies(${merge} ${target})
  set_property(GLOBAL APPEND PROPERTY GPUTEST_${upper}_SHARD_TARGETS ${target})
  get_property(jobs GLOBAL PROPERTY GPUTEST_SLURM-${upper}_TARGET)
  if(jobs) # gputest_add_slurm_jobs() came first
    add_dependencies(${jobs} ${target})
  endif()
endfunction()

# gputest_private_shell_words(<variable> <word>…): the words, quoted for a shell.
function(gputest_private_shell_words variable)
  set(words "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 1 ${last})
    string(REPLACE "'" "'\\''" word "${ARGV${i}}")
    string(APPEND words "'${word}' ")
  endforeach()
  string(STRIP "${words}" words)
  set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# gputest_private_add_program_shards(<analysis> <context> <name> <target> SETTINGS <option>…
#   COMMAND <word>… OPTIONS <option>… ARGUMENTS <word>… FOLDER <working directory> TIMEOUT <s>
#   LABELS <label>…)
#
# Adds the shards of <name>.<analysis>, if its settings ask for some. They have no threshold, as
# those of kernels.
function(gputest_private_add_program_shards analysis context name target)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "FOLDER;TIMEOUT"
                        "SETTINGS;COMMAND;OPTIONS;ARGUMENTS;LABELS")
  if(NOT arg_SETTINGS MATCHES "--setting=${analysis}[.]shards=([0-9]+)" OR CMAKE_MATCH_1 LESS 2)
    return()
  endif()
  set(number ${CMAKE_MATCH_1})
  list(FILTER arg_SETTINGS EXCLUDE REGEX "^--setting=${analysis}[.](threshold|shards)=")
  gputest_private_results_dir(results_dir)
  gputest_private_add_shards(${analysis} "${context}" ${name}.${analysis} "${target}" ${number}
    COMMAND ${CMAKE_COMMAND} -E chdir "${arg_FOLDER}" ${arg_COMMAND}
    OPTIONS ${arg_SETTINGS} ${arg_OPTIONS} --name ${name} ARGUMENTS ${arg_ARGUMENTS}
    FOLDER ${results_dir}/${name}/shards PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT}
    LABELS ${arg_LABELS})
endfunction()
