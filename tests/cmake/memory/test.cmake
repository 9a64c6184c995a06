include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()

configure()
run("build" COMMAND ${make})
run("tests of the label" COMMAND ${test} -N -L "^memory$" OUTPUT "allowed.memory" "slow.memory" "Total Tests: 5")
run("within the limits" COMMAND ${test} -V -R "^allowed.memory$" OUTPUT "on h200, " "the worst of 5 schedules"
    "transpose.cl:3:18: warning: memory: writes of 'out' are not coalesced")
expect_file(${results}/allowed/memory.json "\"schedules_tried\": 5")
run("more overhead than allowed" FAILS COMMAND ${test} -V -R "^slow.memory$" OUTPUT
    "the worst of 20 schedules" "case 'square' loses [0-9.]+ % of its cycles, more than 1 %")
run("more warnings than allowed, on a GPU of the project" FAILS COMMAND ${test} -V -R "^warned.memory$" OUTPUT
    "on small, " "case 'square' takes [0-9,]+ cycles, more than 99" "2 warnings, more than 0")
run("another number of schedules" COMMAND ${results}/allowed/allowed_harness --memory=2 OUTPUT "the worst of 2 schedules")
run("a number that is none" FAILS COMMAND ${results}/allowed/allowed_harness --memory=few OUTPUT "--memory: 'few' is not a whole number")
run("no such GPU" FAILS COMMAND ${test} -V -R "^nowhere.memory$" OUTPUT "there is no GPU 'h201'")
run("a commit that is none" FAILS COMMAND ${results}/allowed/allowed_harness --memory=1 --not-slower-than no-commit
    OUTPUT "--not-slower-than no-commit: Git has no such commit")
run("a strategy, a second, a seed" COMMAND ${test} -V -R "^searched.memory$" OUTPUT "guided: [0-9,]+ executions in [0-9]")
expect_file(${results}/searched/memory.json "\"strategy\": \"guided\",[^}]*\"seed\": 7,[^}]*\"budget\": 1")
expect_file(${results}/searched/memory/cases/generated-1.json "\"name\": \"generated-1\"")

# The schedule again, and one of another GPU.
set(schedule ${results}/slow/memory/1.json)
run("replayed" COMMAND ${results}/slow/slow_harness --warps ${schedule} OUTPUT "cycles, as in the file")
run("replayed elsewhere" FAILS COMMAND ${results}/allowed/allowed_harness --warps ${schedule} OUTPUT
    "is a schedule for the GPU 'embedded', not for 'h200'")
run("the umbrella target" FAILS COMMAND ${make} --target memory OUTPUT "At least one memory test failed")
