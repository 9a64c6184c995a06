# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gputest_private_program_command(<variable> <target variable> <context> <values of COMMAND>)
#
# A command line in which a target is replaced by its file. The second variable is the target, or
# empty. Any other first word must be an existing program or a generator expression. The function
# splits lists by hand, because list() would split arguments that hold a semicolon.
function(gputest_private_program_command variable target_variable context words)
  if("${words}" STREQUAL "")
    message(FATAL_ERROR "${context}COMMAND is missing: name the target of your test program, or an "
                        "executable, with its arguments")
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
          message(FATAL_ERROR "${context}COMMAND: there is neither a target nor a program "
                              "'${word}': add_executable() it before, or check the path")
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

# gputest_private_python_module(<test>)
#
# Lets the program of this test find the module gputest, if this package has it.
function(gputest_private_python_module test)
  if(TARGET GpuTestCheck::python)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION
                 "PYTHONPATH=path_list_prepend:$<TARGET_FILE_DIR:GpuTestCheck::python>")
  endif()
endfunction()
