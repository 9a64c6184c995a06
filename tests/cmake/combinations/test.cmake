# Settings of gputest_add_kernel() together: each pair of them in some kernel (in long runs; else as many as
# 4 kernels have).
include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

set(count 4)
if(long)
  set(count 0)
endif()
run("kernels" COMMAND ${PYTHON} ${source}/combinations.py ${source} 1 ${count} OUTPUT "[0-9]+ pairs of settings")
message(STATUS "${output}")
configure()
run("build" COMMAND ${CMAKE_COMMAND} --build ${build})
run("the right ones" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure -R "^right" OUTPUT "100% tests passed")
run("the faulty ones" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -R "^faulty[0-9]+[.](test|coverage)([.]simulator|[.]cpu)?$"
    OUTPUT " 0% tests passed")
run("the target coverage" FAILS COMMAND ${CMAKE_COMMAND} --build ${build} --target coverage OUTPUT "Report: ")
run("the target check" COMMAND ${CMAKE_COMMAND} --build ${build} --target check OUTPUT " 0 findings")
