# gputest_private_program_command(<variable> <target variable> <context> <values of COMMAND>)
#
# A command line, with the target's file for a target; the second variable is the target, or empty.
# Anything else must be a program that is there, or a generator expression. Lists are taken apart by
# hand, because list() would split arguments that hold a semicolon.
function(gputest_private_program_command variable target_variable context words)
  if("${words}" STREQUAL "")
    message(FATAL_ERROR "${context}COMMAND is missing: name the target of your test program, or an executable, "
                        "with its arguments")
  endif()
  set(command "")
  set(target "")
  foreach(word IN LISTS words)
    if(NOT command)
      if(TARGET "${word}")
        set(target "${word}")
        set(word $<TARGET_FILE:${target}>)
      elseif(NOT word MATCHES "^\\$<")
        find_program(program NAMES "${word}" HINTS ${CMAKE_CURRENT_SOURCE_DIR} NO_CACHE)
        if(NOT program)
          message(FATAL_ERROR "${context}COMMAND: there is neither a target nor a program '${word}': "
                              "add_executable() it before, or check the path")
        endif()
        set(word "${program}")
      endif()
    endif()
    string(REPLACE ";" "\\;" word "${word}")
    list(APPEND command "${word}")
  endforeach()
  set(${variable} "${command}" PARENT_SCOPE)
  set(${target_variable} "${target}" PARENT_SCOPE)
endfunction()

# gputest_private_program_mutation(<variable> <context> <values of MUTATION>)
#
# Options of `gputest run --mutation`. A program is run once for each mutant, and git knows nothing of
# sources that are made at run time.
function(gputest_private_program_mutation variable context values)
  gputest_private_mutation_options(options "${context}" "${values}")
  foreach(keyword IN ITEMS REPEAT SINCE)
    string(TOLOWER "--mutation-${keyword}" option)
    if(option IN_LIST options)
      message(FATAL_ERROR "${context}MUTATION ${keyword} is for gputest_add_kernel() only: leave it out")
    endif()
  endforeach()
  list(TRANSFORM options REPLACE "^--mutation-" "--")
  set(${variable} "${options}" PARENT_SCOPE)
endfunction()

# gputest_private_program_schedules(<variable> <context> <values of SCHEDULES>)
#
# Options of `gputest run --schedules`. A program is run once under each order.
function(gputest_private_program_schedules variable context values)
  gputest_private_schedule_options(options "${context}" "${values}")
  if(--schedules-repeat IN_LIST options)
    message(FATAL_ERROR "${context}SCHEDULES REPEAT is for gputest_add_kernel() only: leave it out")
  endif()
  list(TRANSFORM options REPLACE "^--schedules-" "--")
  if(NOT --schedules IN_LIST options)
    list(PREPEND options --schedules)
  endif()
  set(${variable} "${options}" PARENT_SCOPE)
endfunction()
