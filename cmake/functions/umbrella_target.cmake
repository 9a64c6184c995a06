# gputest_private_join_umbrella(<kind> <context> <name> <target>)
#
# Makes the test <name>.<kind> and the target it needs, if it needs one, part of the umbrella target of its kind,
# `coverage`, `mutation`, `schedules` or `check`, which builds them all, runs them and reports: run_umbrella.cmake. The first
# call makes the target, with the name ${GPUTEST_TARGET_PREFIX}<kind>.
function(gputest_private_join_umbrella kind context name target)
  string(TOUPPER ${kind} upper_kind)
  get_property(umbrella GLOBAL PROPERTY GPUTEST_${upper_kind}_TARGET)
  if(NOT umbrella)
    set(umbrella "${GPUTEST_TARGET_PREFIX}${kind}")
    if(TARGET ${umbrella})
      message(FATAL_ERROR "${context}the project has a target '${umbrella}' already: choose a prefix for "
                          "GpuTestCheck's, such as set(GPUTEST_TARGET_PREFIX gpu_), which makes it 'gpu_${umbrella}'")
    endif()
    set_property(GLOBAL PROPERTY GPUTEST_${upper_kind}_TARGET ${umbrella})
    gputest_private_results_dir(results_dir)
    gputest_private_command(gputest)

    # Names are complete only when the whole project has been read.
    set(names_file "${results_dir}/${kind}.names.txt")
    file(GENERATE OUTPUT "${names_file}" CONTENT "$<JOIN:$<TARGET_PROPERTY:${umbrella},GPUTEST_NAMES>,\n>\n")
    set(progress "")
    if(kind STREQUAL "mutation") # outermost, because neither cmake nor ctest passes a terminal on
      set(progress "${gputest}" progress --)
    endif()
    add_custom_target(
      ${umbrella}
      COMMAND
        ${progress} ${CMAKE_COMMAND} -DKIND=${kind} "-DCTEST=${CMAKE_CTEST_COMMAND}" "-DGPUTEST=${gputest}" "-DBUILD_DIR=${CMAKE_BINARY_DIR}"
        "-DSOURCE_DIR=${CMAKE_SOURCE_DIR}" "-DRESULTS_DIR=${results_dir}" "-DNAMES_FILE=${names_file}"
        "-DCONFIG=$<CONFIG>" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run_umbrella.cmake
      COMMENT "Running the ${kind} tests"
      USES_TERMINAL VERBATIM)
  endif()

  set_property(TARGET ${umbrella} APPEND PROPERTY GPUTEST_NAMES ${name})
  if(target)
    add_dependencies(${umbrella} ${target})
  endif()
endfunction()
