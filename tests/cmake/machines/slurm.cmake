# The target slurm-mutation on a Slurm of two nodes on this machine (cluster.sh), in the build folder that test.cmake has
# left: slurm.cmake runs itself with the cluster up.
cmake_minimum_required(VERSION 3.25)
set(KEEP_WORK TRUE)
foreach(program IN ITEMS slurmctld slurmd sbatch munged)
  find_program(${program} ${program} PATHS /usr/sbin /sbin NO_CACHE)
  if(NOT ${program})
    message(FATAL_ERROR "skipped: there is no ${program} (apt install slurm-wlm munge)")
  endif()
endforeach()
if(NOT INSIDE)
  execute_process(
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/cluster.sh ${WORK}/cluster ${CMAKE_COMMAND} -DINSIDE=ON -DCASE=${CASE} -DWORK=${WORK}
            -DGENERATOR=${GENERATOR} -DPREFIX=${PREFIX} -P ${CMAKE_CURRENT_LIST_FILE}
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "see above")
  endif()
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)
set(results ${build}/gputest)
set(target ${CMAKE_COMMAND} --build ${build} --target slurm-mutation)

run("what changed since" COMMAND ${CMAKE_COMMAND} --build ${build}) # CMake would write mutation.shards anew

# A shard that fails the first time is run again, and no other is.
file(REMOVE_RECURSE ${results}/clamp/shards ${results}/last/devices)
file(WRITE ${WORK}/once.sh "echo run >>'${WORK}/once.log'; test -e '${WORK}/once' && exit 0; touch '${WORK}/once'; exit 9\n")
file(REMOVE ${WORK}/once ${WORK}/once.log)
file(READ ${results}/mutation.shards shards)
string(REGEX REPLACE "[^\n]*once.sh'\n" "" shards "${shards}")
file(WRITE ${results}/mutation.shards "${shards}'sh' '${WORK}/once.sh'\n")
run("slurm" COMMAND ${target} OUTPUT "8 shards, 2 tasks" "task 1: exit code 9: " "8 shards, 1 tasks"
    "clamp.mutation [.]+ +Passed" "last.mutation.cpu [.]+ +Passed" "Report: ${results}/mutation.html" NO_OUTPUT "task 0: exit")
foreach(shard IN ITEMS 1 2 3)
  expect_file(${results}/clamp/shards/${shard}-of-3/mutation-${shard}-of-3.json)
endforeach()
expect_file(${WORK}/once.log "^run\nrun\n$")

file(REMOVE_RECURSE ${results}/clamp/shards/1-of-2)
run("orders with Slurm" COMMAND ${CMAKE_COMMAND} --build ${build} --target slurm-schedules OUTPUT "6 shards, 2 tasks"
    "clamp.schedules [.]+ +Passed" "Report: ${results}/schedules.html" NO_OUTPUT "nothing is there")
expect_file(${results}/clamp/shards/1-of-2/schedules-1-of-2.json)

# Fuzzing finds that clamp takes more elements than there are: the shards pass, and the whole fails.
file(REMOVE_RECURSE ${results}/clamp/shards/1-of-2 ${results}/clamp/fuzz.json)
run("fuzzing with Slurm" FAILS COMMAND ${CMAKE_COMMAND} --build ${build} --target slurm-fuzz OUTPUT "2 shards, 2 tasks"
    "clamp: [0-9]+ failures? in [0-9]+ inputs of 2 shards" "At least one fuzz test failed" NO_OUTPUT "nothing is there" "task 0: exit")
expect_file(${results}/clamp/shards/1-of-2/fuzz-1-of-2.json)
file(REMOVE_RECURSE ${results}/last/shards/1-of-2 ${results}/last/memory.json)
run("memory with Slurm" COMMAND ${CMAKE_COMMAND} --build ${build} --target slurm-memory OUTPUT "2 shards, 2 tasks"
    "last.memory [.]+ +Passed" NO_OUTPUT "nothing is there")
expect_file(${results}/last/shards/1-of-2/memory-1-of-2.json)
expect_file(${results}/last/memory.json "\"schedules_tried\": 4")

# What always fails is said, with its log.
file(WRITE ${WORK}/once.sh "echo the disk is on fire; exit 3\n")
run("slurm with a shard that fails" FAILS COMMAND ${target} OUTPUT "1 of 2 tasks fail in every try" "the disk is on fire")
file(WRITE ${results}/mutation.shards "${shards}")

file(RENAME ${results}/mutation.shards ${results}/away)
run("no shards" FAILS COMMAND ${target} OUTPUT "No kernel has shards" "MUTATION SHARDS 8")
file(RENAME ${results}/away ${results}/mutation.shards)
run("no Slurm" FAILS COMMAND ${CMAKE_COMMAND} -E env SLURM_CONF=/nonexistent ${target} OUTPUT "sbatch does not take the job")
