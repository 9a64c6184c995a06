# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What editors must know to read kernels: <build>/gputest/compile_commands.json has an entry for
# each kernel of gputest_add_kernel(). CMake's own file has only what CMake compiles. `gputest init
# --vscode` writes a .clangd that names this one.

# gputest_private_json_words(<variable> <prefix> <words>)
#
# The words as elements of JSON, each behind a comma. Reads no words that hold both a comma and a
# generator expression, which no generator expression can choose.
function(gputest_private_json_words variable prefix words)
  set(json "")
  foreach(word IN LISTS words)
    string(REPLACE "\\" "\\\\" word "${word}")
    string(REPLACE "\"" "\\\"" word "${word}")
    string(REPLACE ";" "$<SEMICOLON>" word "${word}")
    if(NOT word MATCHES "\\$<")
      string(APPEND json ", \"${prefix}${word}\"")
    elseif(NOT word MATCHES ",")
      string(APPEND json "$<$<BOOL:${word}>:$<COMMA> \"${prefix}${word}\">")
    endif()
  endforeach()
  set(${variable} "${json}" PARENT_SCOPE)
endfunction()

# gputest_private_add_compile_command(<source> <is CUDA> <version, or nothing> <definitions>
#   <folders>)
#
# Adds a kernel.
function(gputest_private_add_compile_command source cuda standard definitions folders)
  set(words clang++)
  if(cuda) # .clangd adds the headers
    list(APPEND words -x cuda)
    if(NOT standard STREQUAL "")
      list(APPEND words -std=${standard})
    endif()
  else()
    if(standard STREQUAL "")
      set(standard CL1.2)
    endif()
    if(source MATCHES "[.]clcpp$")
      list(APPEND words -x clcpp)
    else()
      list(APPEND words -x cl)
    endif()
    list(APPEND words -cl-std=${standard})
  endif()
  cmake_path(GET source PARENT_PATH folder)
  list(PREPEND folders "${folder}")
  gputest_private_json_words(arguments "" "${words}")
  gputest_private_json_words(definitions -D "${definitions}")
  gputest_private_json_words(folders -I "${folders}")
  gputest_private_json_words(file "" "${source}")
  gputest_private_json_words(directory "" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(APPEND arguments "${definitions}${folders}${file}")
  foreach(text IN ITEMS arguments file directory)
    string(REGEX REPLACE "^, " "" ${text} "${${text}}")
  endforeach()
  get_property(entries GLOBAL PROPERTY GPUTEST_COMPILE_COMMANDS)
  if("${entries}" STREQUAL "")
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL gputest_private_write_compile_commands)
  else()
    string(APPEND entries ",\n")
  endif()
  string(APPEND entries " {\"directory\": ${directory}, \"file\": ${file},\n"
                        "  \"arguments\": [${arguments}]}")
  set_property(GLOBAL PROPERTY GPUTEST_COMPILE_COMMANDS "${entries}")
endfunction()

# gputest_private_write_compile_commands()
#
# Writes the file, when the project is read. With several configurations it is that of the first.
function(gputest_private_write_compile_commands)
  get_property(entries GLOBAL PROPERTY GPUTEST_COMPILE_COMMANDS)
  set(condition "")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    list(GET CMAKE_CONFIGURATION_TYPES 0 first)
    set(condition CONDITION $<CONFIG:${first}>)
  endif()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/gputest/compile_commands.json
       CONTENT "[\n${entries}\n]\n" ${condition})
endfunction()
