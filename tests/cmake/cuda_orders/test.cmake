include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_cuda()
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build} -V)
configure(--toolchain ${toolchain})
run("build" COMMAND ${make})
run("the program as it is" COMMAND ${test} -R "^orders$" OUTPUT "1: 762 0.000" "100% tests passed")
run("integers" COMMAND ${test} -R "^count" OUTPUT "762 0.000" "count +1/1 +10 +22 +all")
expect_file(${build}/gputest/count/orders.count/schedules.json "\"kernel\": \"count\"")
run("beside another analysis" COMMAND ${test} -R "^both" OUTPUT "100% tests passed, 0 tests failed out of 2")
run("floats" COMMAND ${test} -R "^mean" OUTPUT "mean: case .mean.: within tolerance")
run("a kernel that depends on the order" FAILS COMMAND ${test} -R "^running" OUTPUT
    "running<int> [(]running[)]: case .running.: order dependent" "between groups: blocks depend on each other's order"
    "'sums' differs in 15 of 16 values" "sums.1.: 2 as launched, 1 in this order" "order: blocks reverse")
expect_file(${build}/gputest/running/orders.running_int_/schedules.json "\"kernel\": \"running<int>\"")
run("another order" FAILS COMMAND ${test} -R "^one" OUTPUT "order: blocks random 7")
run("a kernel by itself" FAILS COMMAND ${test} -R "^by_itself.schedules" OUTPUT
    "between groups: .*'sums' differs in [0-9]+ of 16 values" "replay: gputest replay")
run("a block that waits" FAILS COMMAND ${test} -R "^flag" OUTPUT "[(]anonymous namespace[)]::flag [(]flag[)]" "waits: the kernel does not end in this order"
    "orders.cu:29:12")
run("memory of kernels" FAILS COMMAND ${test} -R "^chunks" OUTPUT
    "error: chunks was not run in other orders: the kernel allocates memory by itself")
run("no launch" FAILS COMMAND ${test} -R "^nothing" OUTPUT "launched no kernel in the simulator that is built for SCHEDULES")
run("a program that fails" FAILS COMMAND ${test} -R "^fails" OUTPUT "error: fails failed: exit code 1" "blocks reverse")
run("a mutant that one order shows" COMMAND ${test} -R "^phases" OUTPUT "100% tests passed")
expect_file(${build}/gputest/phases/mutation.json "exit code 1; order of work-items: reversed")
run("on the model of a GPU" COMMAND ${test} -R "^slow.memory" OUTPUT "orders.count +[0-9]+ +[0-9]+ +[0-9.]+ % orders.count.1")
expect_file(${build}/gputest/slow/orders.count/memory.json "\"gpu\": \"h200\"")
expect_file(${build}/gputest/slow/launches/orders.count.1.json "\"caches\": \"warm\"")
run("too many cycles" FAILS COMMAND ${test} -R "^slower.memory" OUTPUT "error: orders.count: case 'orders.count.1' takes [0-9,]+ cycles, more than 1")
run("nothing to model" FAILS COMMAND ${test} -R "^unmeasured.memory" OUTPUT "error: no launch of unmeasured was modelled: it launched no kernel in the simulator")
run("the page of cycles" FAILS COMMAND ${make} --target memory OUTPUT "memory.html")
run("one page for all" FAILS COMMAND ${make} --target schedules OUTPUT "schedules.html")
