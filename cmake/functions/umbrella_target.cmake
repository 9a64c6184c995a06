include(${CMAKE_CURRENT_LIST_DIR}/analyses.cmake)

# gputest_private_name_umbrella(<variable> <kind> <context>)
#
# The name of the umbrella target of a kind, ${GPUTEST_TARGET_PREFIX}<kind>. If there is none yet,
# the caller makes it, and <variable>_is_new is set.
function(gputest_private_name_umbrella variable kind context)
  string(TOUPPER ${kind} upper_kind)
  get_property(umbrella GLOBAL PROPERTY GPUTEST_${upper_kind}_TARGET)
  set(${variable}_is_new FALSE PARENT_SCOPE)
  if(NOT umbrella)
    set(umbrella "${GPUTEST_TARGET_PREFIX}${kind}")
    if(TARGET ${umbrella})
      message(FATAL_ERROR "${context}the project has a target '${umbrella}' already: choose a prefix for "
                          "GpuTestCheck's, such as set(GPUTEST_TARGET_PREFIX gpu_), which makes it 'gpu_${umbrella}'")
    endif()
    set_property(GLOBAL PROPERTY GPUTEST_${upper_kind}_TARGET ${umbrella})
    set(${variable}_is_new TRUE PARENT_SCOPE)
  endif()
  set(${variable} ${umbrella} PARENT_SCOPE)
endfunction()

# gputest_private_join_umbrella(<kind> <context> <name> <target>)
#
# Adds the test <name>.<kind>, and the target that it needs if there is one, to the umbrella target
# of its kind, an analysis. That target builds, runs and reports on all of them (run_umbrella.cmake).
# The first call makes the target, with the name ${GPUTEST_TARGET_PREFIX}<kind>.
function(gputest_private_join_umbrella kind context name target)
  gputest_private_name_umbrella(umbrella ${kind} "${context}")
  if(umbrella_is_new)
    gputest_private_results_dir(results_dir)
    gputest_private_command(gputest)

    # Names are complete only when the whole project has been read.
    set(names_file "${results_dir}/${kind}.names.txt")
    file(GENERATE OUTPUT "${names_file}" CONTENT "$<JOIN:$<TARGET_PROPERTY:${umbrella},GPUTEST_NAMES>,\n>\n")
    set(progress "")
    gputest_private_analyses()
    if(gputest_${kind}_long) # outermost, because neither cmake nor ctest passes a terminal on
      set(progress "${gputest}" progress --)
    endif()
    add_custom_target(
      ${umbrella}
      COMMAND
        ${progress} ${CMAKE_COMMAND} -DKIND=${kind} "-DCTEST=${CMAKE_CTEST_COMMAND}" "-DGPUTEST=${gputest}" "-DBUILD_DIR=${CMAKE_BINARY_DIR}"
        "-DSOURCE_DIR=${CMAKE_SOURCE_DIR}" "-DRESULTS_DIR=${results_dir}" "-DNAMES_FILE=${names_file}"
        "-DCONFIG=$<CONFIG>" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run_umbrella.cmake
      COMMAND test ! -e "${results_dir}/${kind}.failed" # which that script leaves
      COMMENT "Running the ${kind} tests"
      USES_TERMINAL VERBATIM)
  endif()

  set_property(TARGET ${umbrella} APPEND PROPERTY GPUTEST_NAMES ${name})
  if(target)
    add_dependencies(${umbrella} ${target})
  endif()
endfunction()
