# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/umbrella_target.cmake)

# gputest_add_slurm_jobs([TASKS n] [AT_ONCE n] [RETRIES n] [OPTIONS <option of sbatch>…])
#
# Makes the targets slurm-mutation, slurm-schedules, slurm-fuzz and slurm-memory, one for each
# analysis that has shards, which run those of all kernels (MUTATION SHARDS n and so on) as a job
# array of Slurm, merge and report: docs/many-machines.md.
function(gputest_add_slurm_jobs)
  set(context "gputest_add_slurm_jobs(): ")
  set(single TASKS AT_ONCE RETRIES)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${single}" "OPTIONS")
  cmake_parse_arguments(PARSE_ARGV 0 given "" "" "")
  gputest_private_check_keywords("${context}" "${single};OPTIONS" "${given_UNPARSED_ARGUMENTS}"
                                 "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
  foreach(keyword IN ITEMS TASKS AT_ONCE)
    if(DEFINED arg_${keyword})
      gputest_private_check_numbers("${context}" ${keyword} SIZE "${arg_${keyword}}")
    endif()
  endforeach()
  if(DEFINED arg_RETRIES)
    gputest_private_check_numbers("${context}" RETRIES COUNT "${arg_RETRIES}")
  else()
    set(arg_RETRIES 2)
  endif()
  foreach(option IN LISTS arg_OPTIONS)
    if(option MATCHES "^(-a|-o|-W|-D)|^--(array|output|wait|parsable|chdir)(=|$)")
      message(FATAL_ERROR "${context}OPTIONS: '${option}' is an option that GpuTestCheck gives "
                          "itself: leave it out")
    elseif(NOT option MATCHES "^-")
      message(FATAL_ERROR "${context}OPTIONS: '${option}' is no option of sbatch: write "
                          "--name=value as one word")
    endif()
  endforeach()
  gputest_private_results_dir(results_dir)
  gputest_private_analyses()
  get_property(analyses GLOBAL PROPERTY gputest_analyses)
  foreach(kind IN LISTS analyses)
    get_property(keywords GLOBAL PROPERTY gputest_${kind}_keywords)
    if(NOT "SHARDS" IN_LIST keywords)
      continue()
    endif()
    gputest_private_name_umbrella(jobs slurm-${kind} "${context}")
    if(NOT jobs_is_new)
      message(FATAL_ERROR "${context}the target '${jobs}' is there already: call this function "
                          "once")
    endif()
    add_custom_target(
      ${jobs}
      COMMAND ${CMAKE_COMMAND} -DKIND=${kind} "-DRESULTS_DIR=${results_dir}" "-DTASKS=${arg_TASKS}"
              "-DAT_ONCE=${arg_AT_ONCE}" -DRETRIES=${arg_RETRIES} "-DOPTIONS=${arg_OPTIONS}"
              -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/functions/run_slurm.cmake
      COMMENT "Running the shards of the ${kind} tests with Slurm"
      USES_TERMINAL VERBATIM)
    string(TOUPPER ${kind} upper)
    get_property(targets GLOBAL PROPERTY GPUTEST_${upper}_SHARD_TARGETS)
    if(targets) # kernels that are added later do this themselves
      list(REMOVE_DUPLICATES targets)
      add_dependencies(${jobs} ${targets})
    endif()
  endforeach()
endfunction()
