include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

foreach(header IN ITEMS cub/version.cuh thrust/version.h)
  if(NOT EXISTS /usr/include/${header})
    message(FATAL_ERROR "skipped: there is no CUB or no Thrust; install libcub-dev and libthrust-dev")
  endif()
endforeach()
without_cuda()
configure(--toolchain ${toolchain})
run("build" COMMAND ${CMAKE_COMMAND} --build ${build} NO_OUTPUT "warning")
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure)
# Functor and lambda of the project are covered and mutated, and the libraries' code is not.
run("what holds" COMMAND ${test} -V -R "^holds" OUTPUT "100% tests passed, 0 tests failed out of 3"
    "holds +4/5 +80 % +4/4 +100 %")
foreach(result IN ITEMS coverage mutation)
  expect_file(${build}/gputest/holds/${result}.json "readings.cu")
  file(READ ${build}/gputest/holds/${result}.json json)
  if(json MATCHES "/usr/include/(thrust|cub)")
    message(FATAL_ERROR "${result}.json has code of a library")
  endif()
endforeach()
expect_file(${build}/gputest/holds/mutation.json "value > 20")
expect_file(${build}/gputest/holds/mutation.json "value < 0")
# Findings have lines of the project: that of the call, and that of the lambda.
run("what overruns" FAILS COMMAND ${test} -R "^overruns" OUTPUT
    "readings.cu:39:[0-9]+: error: in the algorithm that is called here, at /usr/include/cub/[^ ]+: .*out_of_bounds")
run("what races" FAILS COMMAND ${test} -R "^races" OUTPUT "readings.cu:28:[0-9]+: error: data race" NO_OUTPUT "/usr/include")
