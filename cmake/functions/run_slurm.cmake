# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The script of the targets slurm-mutation and so on (gputest_add_slurm_jobs).
#
#     cmake -DKIND=… -DRESULTS_DIR=… -DTASKS=… -DAT_ONCE=… -DRETRIES=… -DOPTIONS=…
#           -P run_slurm.cmake
#
# RESULTS_DIR/<KIND>.shards has a command in each line. A job array of TASKS tasks runs them, task K
# the K-th and each TASKS-th after that. The script submits tasks that fail, or that Slurm ends,
# again, up to RETRIES times; shards continue where they stopped. One more job merges their results.
# Logs and exit codes are in RESULTS_DIR/slurm/KIND.

cmake_minimum_required(VERSION 3.25)

set(folder "${RESULTS_DIR}/slurm/${KIND}")
set(shards "${RESULTS_DIR}/${KIND}.shards")
foreach(program IN ITEMS sbatch squeue)
  find_program(${program} ${program} NO_CACHE)
  if(NOT ${program})
    message(FATAL_ERROR "There is no ${program} here: run this where Slurm takes jobs (Debian and "
                        "Ubuntu: apt install slurm-client), or use xargs as docs/many-machines.md "
                        "says")
  endif()
endforeach()
if(NOT EXISTS "${shards}")
  string(TOUPPER ${KIND} keyword)
  message(FATAL_ERROR "No kernel has shards: give gputest_add_kernel() ${keyword} SHARDS n, such "
                      "as ${keyword} SHARDS 8")
endif()
file(STRINGS "${shards}" commands)
list(LENGTH commands number)
if(NOT TASKS OR TASKS GREATER number)
  set(TASKS ${number})
endif()
if(TASKS GREATER 1000) # MaxArraySize, unless the cluster says otherwise
  set(TASKS 1000)
endif()
set(at_once "")
if(AT_ONCE)
  set(at_once "%${AT_ONCE}")
endif()

file(REMOVE_RECURSE "${folder}")
file(MAKE_DIRECTORY "${folder}")
file(WRITE "${folder}/task.sh" "#!/bin/sh
# Runs each command of its part, even after one has failed. 77: there is no device.
n=0
status=0
while IFS= read -r command; do
  if [ $((n % ${TASKS})) -eq \"$SLURM_ARRAY_TASK_ID\" ]; then
    sh -c \"$command\" </dev/null
    code=$?
    if [ $code -ne 0 ] && { [ $status -eq 0 ] || [ $status -eq 77 ]; }; then
      status=$code
    fi
  fi
  n=$((n + 1))
done <../../${KIND}.shards
echo $status >status-$SLURM_ARRAY_TASK_ID.part
mv status-$SLURM_ARRAY_TASK_ID.part status-$SLURM_ARRAY_TASK_ID
exit $status
")
file(WRITE "${folder}/merge.sh" "#!/bin/sh
sh ../../${KIND}-merge.sh
echo $? >status-merge.part
mv status-merge.part status-merge
")

# submit(<variable> <command> <option>…): the number of the job that `sbatch`, the command, makes.
function(submit variable command)
  cmake_parse_arguments(PARSE_ARGV 2 given "" "" "")
  execute_process(
    COMMAND ${command} ${given_UNPARSED_ARGUMENTS}
    RESULT_VARIABLE failed OUTPUT_VARIABLE job ERROR_VARIABLE message
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    message(FATAL_ERROR "sbatch does not take the job: ${message}")
  endif()
  string(REGEX REPLACE ";.*" "" job "${job}") # and the cluster
  set(${variable} ${job} PARENT_SCOPE)
endfunction()

set(sbatch ${sbatch} --parsable --chdir=${folder} --job-name=gputest-${KIND} ${OPTIONS})

# wait_for(<squeue> <job> <what it is>)
#
# Waits until Slurm has no task of the job left. A job that Slurm does not know any more has ended.
function(wait_for squeue job what)
  set(seconds 1)
  set(shown "")
  while(TRUE)
    execute_process(COMMAND ${squeue} --noheader --array --jobs=${job} --format=%T
                    RESULT_VARIABLE failed OUTPUT_VARIABLE states ERROR_VARIABLE message)
    if(failed AND NOT message MATCHES "Invalid job id")
      set(states "?") # the controller does not answer, and may again
    elseif(failed OR states STREQUAL "")
      break()
    endif()
    string(REGEX MATCHALL "[A-Z]+" states "${states}")
    list(LENGTH states left)
    if(left GREATER 0 AND NOT shown STREQUAL left)
      message(STATUS "job ${job}: ${left} ${what} left")
      set(shown ${left})
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -E sleep ${seconds})
    if(seconds LESS 5)
      math(EXPR seconds "${seconds} + 1")
    endif()
  endwhile()
endfunction()

# read_status(<variable> <file>): the exit code that a job has left.
function(read_status variable file)
  set(status "none: Slurm has ended it")
  if(EXISTS "${file}")
    file(STRINGS "${file}" status)
  endif()
  set(${variable} "${status}" PARENT_SCOPE)
endfunction()

math(EXPR last "${TASKS} - 1")
set(tasks "")
foreach(task RANGE ${last})
  list(APPEND tasks ${task})
endforeach()
foreach(try RANGE ${RETRIES})
  list(JOIN tasks "," array)
  submit(job "${sbatch}" --array=${array}${at_once} --output=task-%a.log task.sh)
  list(LENGTH tasks count)
  message(STATUS "job ${job}: ${number} shards, ${count} tasks")
  wait_for(${squeue} ${job} "tasks")
  set(failed "")
  foreach(task IN LISTS tasks)
    read_status(status "${folder}/status-${task}")
    if(NOT status MATCHES "^(0|77)$")
      list(APPEND failed ${task})
      message(STATUS "task ${task}: exit code ${status}: ${folder}/task-${task}.log")
      file(REMOVE "${folder}/status-${task}")
    endif()
  endforeach()
  set(tasks "${failed}")
  if(NOT tasks)
    break()
  endif()
endforeach()
if(tasks)
  list(GET tasks 0 task)
  set(log "(it is empty)")
  if(EXISTS "${folder}/task-${task}.log")
    file(READ "${folder}/task-${task}.log" log)
  endif()
  list(LENGTH tasks count)
  message(FATAL_ERROR "${count} of ${TASKS} tasks fail in every try. Nothing is lost: run the "
                      "target again when the cause is mended. The log of task ${task}:\n${log}")
endif()

submit(job "${sbatch}" --output=merge.log merge.sh)
wait_for(${squeue} ${job} "job that merges is")
if(EXISTS "${folder}/merge.log")
  file(READ "${folder}/merge.log" log)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${log}")
endif()
read_status(status "${folder}/status-merge")
if(NOT status STREQUAL "0")
  message(FATAL_ERROR "Merging ended with exit code ${status}: see above")
endif()
