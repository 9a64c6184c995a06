include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

# verdicts(<variable> <mutation.json>): "id verdict reason" of each mutant, sorted.
function(verdicts variable file)
  execute_process(COMMAND python3 -c "
import json, sys
for name, file in json.load(open(sys.argv[1]))['files'].items():
  for m in file['mutants']:
    print(name, m['id'], m['status'], m.get('gputest', {}).get('reason', ''))" ${file}
    OUTPUT_VARIABLE all RESULT_VARIABLE failed)
  if(failed OR all STREQUAL "")
    message(FATAL_ERROR "${file} has no mutants")
  endif()
  string(STRIP "${all}" all)
  string(REPLACE "\n" ";" all "${all}")
  list(SORT all)
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

# same_verdicts(<what>): those of clamp are those of a run without shards.
function(same_verdicts what)
  verdicts(found ${results}/clamp/mutation.json)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${what}: the verdicts differ from those of a run without shards:\n${found}\n${expected}")
  endif()
endfunction()

configure()
run("build" COMMAND ${CMAKE_COMMAND} --build ${build})
run("without shards" COMMAND ${results}/clamp/clamp_harness --mutation --store ${WORK}/whole.db --json ${WORK}/whole/mutation.json)
verdicts(expected ${WORK}/whole/mutation.json)

# ---- Devices ----

run("resources" COMMAND ${PREFIX}/bin/gputest resources -o ${results}/resources.json OUTPUT "^0: ")
expect_file(${results}/resources.json "\"gpus\": \\[[^]]*\"id\": \"0\"[^]]*\"slots\": ")
run("resources to standard output" COMMAND ${PREFIX}/bin/gputest resources --slots 2 OUTPUT "\"major\": 1")
run("resources of no slot" FAILS COMMAND ${PREFIX}/bin/gputest resources --slots 0 OUTPUT "whole number from 1")
run("resources into no folder" FAILS COMMAND ${PREFIX}/bin/gputest resources -o ${WORK}/none/r.json OUTPUT "r.json: error: cannot be written")
run("resources with no device" FAILS COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${PREFIX}/bin/gputest resources
    OUTPUT "no OpenCL device")
set(with_resources ${test} --resource-spec-file ${results}/resources.json)
run("tests with resources" COMMAND ${with_resources} -R "[.]test" OUTPUT
    "clamp.test [.]+ +Passed" "last.test.cpu [.]+ +Passed" "last.test.simulator [.]+ +Passed")
file(WRITE ${WORK}/other.json [[{"version": {"major": 1, "minor": 0}, "local": [{"gpus": [{"id": "77"}]}]}]])
run("a device that is not there" FAILS COMMAND ${test} --resource-spec-file ${WORK}/other.json -V -R "^clamp.test$"
    OUTPUT "CTest has allocated device 77, and there are only: 1: 0: ")

# ---- Shards ----

run("a shard alone" COMMAND ${test} -R "^clamp.mutation.2-of-3$" OUTPUT "clamp.mutation.2-of-3 [.]+ +Passed" "out of 1")
expect_file(${results}/clamp/shards/2-of-3/mutation-2-of-3.json)
run("shards and what merges them" COMMAND ${with_resources} -j 2 -V -R "^clamp.mutation$" OUTPUT
    "clamp.mutation.1-of-3 [.]+ +Passed" "clamp.mutation.3-of-3 [.]+ +Passed" "clamp.mutation [.]+ +Passed"
    "outcomes taken from 3 shards" ", 0 run")
same_verdicts("shards")
file(REMOVE_RECURSE ${results}/clamp/shards ${results}/results.db ${results}/last)
run("build again" COMMAND ${CMAKE_COMMAND} --build ${build})
run("xargs" COMMAND sh -c "xargs -P 2 -d '\\n' -n 1 sh -c <mutation.shards && sh mutation-merge.sh" WORKING_DIRECTORY ${results}
    OUTPUT "clamp.mutation [.]+ +Passed" "last.mutation.simulator [.]+ +Passed" "Report: ${results}/mutation.html" "Devices of last:"
    "cpu, simulator: 0 cases and 0 mutants differ" "simulator +100.0 %"
    NO_OUTPUT "1-of-3 [.]+")
same_verdicts("xargs")

# harness_shards_test.cpp and slurm.cmake run those of fuzzing, too.
run("shards of orders" COMMAND ${test} -j 2 -V -R "^(clamp|last)[.]schedules(.cpu|.simulator)?$" OUTPUT
    "clamp.schedules.2-of-2 [.]+ +Passed" "last.schedules.simulator.1-of-2 [.]+ +Passed"
    "last.schedules.cpu [.]+ +Passed" "2 shards:" NO_OUTPUT "nothing is there")
expect_file(${results}/clamp/schedules.json "\"schedules\": 6")
run("shards of fuzzing" COMMAND ${test} -N -R "^clamp[.]fuzz" OUTPUT "clamp.fuzz.1-of-2" "clamp.fuzz.2-of-2" "Total Tests: 3")
expect_file(${results}/fuzz.shards "clamp_harness' '--fuzz' '--shard' '2/2'")
expect_file(${results}/last/devices/cpu/shards/1-of-2/schedules-1-of-2.json)
run("shards of memory" COMMAND ${test} -V -R "^last[.]memory$" OUTPUT "last.memory.2-of-2 [.]+ +Passed" "2 shards:"
    "the worst of 4 schedules" NO_OUTPUT "nothing is there")
expect_file(${results}/last/memory.json "\"schedules_tried\": 4")
file(REMOVE ${results}/clamp/shards/1-of-2/schedules-1-of-2.json)
run("orders with xargs" COMMAND sh -c "head -n 1 schedules.shards | xargs -d '\\n' -n 1 sh -c && sh schedules-merge.sh" WORKING_DIRECTORY ${results}
    OUTPUT "clamp.schedules [.]+ +Passed" "Report: ${results}/schedules.html" NO_OUTPUT "1-of-2 [.]+" "nothing is there")

# ---- Stores of several machines ----

file(GLOB stores ${results}/clamp/shards/*/results.db)
list(REVERSE stores)
run("merge" COMMAND ${PREFIX}/bin/gputest merge -o ${WORK}/all.db ${stores} ${stores} OUTPUT "0 outcomes added or replaced" NO_OUTPUT "warning")
run("with merged outcomes nothing runs" COMMAND ${results}/clamp/clamp_harness --mutation --store ${WORK}/all.db
    --json ${WORK}/merged/mutation.json OUTPUT ", 0 run")

# ---- Comparing devices ----

run("tests of each device" COMMAND ${test} -R "^last[.](test|devices)" OUTPUT "last.devices [.]+ +Passed")
expect_file(${results}/last/devices.json "\"cases\": \\[\\]")
run("as if the CPU had not noticed" COMMAND python3 -c "
import json, sys
whole = json.load(open(sys.argv[1]))
for mutant in whole['files']['last.cl']['mutants']:
  if 'barrier_deletion' in mutant['mutatorName']:
    mutant['status'] = 'Survived'
    mutant['gputest']['verdict'] = 'survived'
    mutant['gputest'].pop('reason')
json.dump(whole, open(sys.argv[1], 'w'))" ${results}/last/devices/cpu/mutation.json)
run("a mutant that one device notices" COMMAND ${test} -V -R "^last[.]devices" OUTPUT
    "last.cl:5:3: barrier_deletion.*survived on cpu, killed .[a-z ]+. on simulator" "0 cases and 1 mutant differ")
expect_file(${results}/last/devices.json "barrier_deletion")
file(READ ${results}/last/devices/cpu/test.json json)
string(REPLACE "\"passed\"" "\"failed\"" json "${json}")
file(WRITE ${results}/last/devices/cpu/test.json "${json}")
run("a case that fails on one" FAILS COMMAND ${PREFIX}/bin/gputest compare ${results}/last/devices/cpu ${results}/last/devices/simulator
    OUTPUT "case pi: failed on cpu, passed on simulator")
run("one device alone" FAILS COMMAND ${PREFIX}/bin/gputest compare ${results}/last/devices/cpu OUTPUT "two devices or more")
run("no results" FAILS COMMAND ${PREFIX}/bin/gputest compare ${WORK}/source ${build} OUTPUT "neither test.json nor mutation.json")
