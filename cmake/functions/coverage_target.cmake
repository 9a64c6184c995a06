# gputest_private_join_coverage(<context> <name> <target>)
#
# Makes the test <name>.coverage and the target it needs part of the umbrella target `coverage`, which
# builds them all, runs them and reports. The first call makes the target, with the name
# ${GPUTEST_TARGET_PREFIX}coverage.
function(gputest_private_join_coverage context name target)
  get_property(coverage_target GLOBAL PROPERTY GPUTEST_COVERAGE_TARGET)
  if(NOT coverage_target)
    set(coverage_target "${GPUTEST_TARGET_PREFIX}coverage")
    if(TARGET ${coverage_target})
      message(FATAL_ERROR "${context}the project has a target '${coverage_target}' already: choose a prefix for "
                          "GpuTestCheck's, such as set(GPUTEST_TARGET_PREFIX gpu_), which makes it 'gpu_${coverage_target}'")
    endif()
    set_property(GLOBAL PROPERTY GPUTEST_COVERAGE_TARGET ${coverage_target})
    gputest_private_results_dir(results_dir)
    gputest_private_command(gputest)

    # Names are complete only when the whole project has been read.
    file(GENERATE OUTPUT "${results_dir}/names.txt"
         CONTENT "$<JOIN:$<TARGET_PROPERTY:${coverage_target},GPUTEST_NAMES>,\n>\n")
    add_custom_target(
      ${coverage_target}
      COMMAND
        ${CMAKE_COMMAND} "-DCTEST=${CMAKE_CTEST_COMMAND}" "-DGPUTEST=${gputest}" "-DBUILD_DIR=${CMAKE_BINARY_DIR}"
        "-DSOURCE_DIR=${CMAKE_SOURCE_DIR}" "-DRESULTS_DIR=${results_dir}" "-DCONFIG=$<CONFIG>"
        -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run_coverage.cmake
      COMMENT "Running the coverage tests"
      USES_TERMINAL VERBATIM)
  endif()

  set_property(TARGET ${coverage_target} APPEND PROPERTY GPUTEST_NAMES ${name})
  add_dependencies(${coverage_target} ${target})
endfunction()
