# cmake -DSOURCE=<examples/cuda> -DWORK=<folder> -DTOOLCHAIN=<gputest-cuda.cmake> -DPACKAGE=<folder> -P examples.cmake
#
# The examples as their user has them: configured with the toolchain file, built, and tested with checks.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
set(ENV{PATH} "/usr/bin:/bin")
unset(ENV{CUDA_PATH})
foreach(step IN ITEMS "-S;${SOURCE};-B;${WORK};-G;Ninja;--toolchain;${TOOLCHAIN};-DGpuTestCheck_DIR=${PACKAGE}" "--build;${WORK}")
  execute_process(COMMAND ${CMAKE_COMMAND} ${step} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${step}:\n${output}")
  endif()
endforeach()
# Mutants of two: all of them are for longer runs, `ctest -L mutation` in examples/cuda.
execute_process(
  COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK} --output-on-failure -E
          "^(constant_filter|cooperative_tiles|dynamic_shared_sum|streams_pipeline|texture_blur|warp_shuffles)[.]mutation$"
  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed OR NOT output MATCHES "100% tests passed, 0 tests failed out of 26")
  message(FATAL_ERROR "${output}")
endif()
# Counted by hand: 2 branches of each of 3 conditions, and their 4 operands' outcomes.
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK} -R "^constant_filter.coverage$" -V OUTPUT_VARIABLE output)
if(NOT output MATCHES "constant_filter +9/9 +100 % +6/6 +100 % +4/4 +100 % +2/2 +100 % +–")
  message(FATAL_ERROR "The coverage of constant_filter is not what was counted:\n${output}")
endif()
file(READ ${WORK}/gputest/warp_shuffles/check.json json)
if(NOT json MATCHES "\"launches\": ?1,")
  message(FATAL_ERROR "check.json of warp_shuffles does not count its launch:\n${json}")
endif()
