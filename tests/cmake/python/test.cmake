include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()
configure(-DPYTHON=${PYTHON})
run("test" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure OUTPUT
    "half.coverage [.]+ +Passed" "too_much_wanted.coverage [.]+\\*\\*\\*Failed" "branch.*50.*75" "whole.coverage [.]+ +Passed")
expect_file(${build}/gputest/whole/clip.clip.coverage.json "\"clip.cl\"")
run("target" FAILS COMMAND ${CMAKE_COMMAND} --build ${build} --target coverage OUTPUT "Report: ")
