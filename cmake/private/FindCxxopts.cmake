# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds cxxopts, for the command line: the target cxxopts::cxxopts. Each source that includes
# version 3.1 makes six regular expressions when the program starts, which was most of the time that
# `gputest --version` and a host program take. Later versions make them when they are used, and so
# does the copy of 3.1 that this puts into the build folder.
find_package(cxxopts REQUIRED)

if(cxxopts_VERSION MATCHES "^3[.]1[.]")
  get_target_property(gputest_cxxopts_folders cxxopts::cxxopts INTERFACE_INCLUDE_DIRECTORIES)
  find_file(gputest_cxxopts_file cxxopts.hpp PATHS ${gputest_cxxopts_folders} REQUIRED NO_CACHE)
  file(READ ${gputest_cxxopts_file} gputest_cxxopts_text)
  string(REGEX REPLACE "CXXOPTS_LINKONCE\nstd::basic_regex<char> ([a-z_]+)[ \n]*[(](\"[^\n]*\")[)];"
         "inline const std::basic_regex<char>& \\1() {\n  static const std::basic_regex<char> \
made(\\2);\n  return made;\n}"
         gputest_cxxopts_text "${gputest_cxxopts_text}")
  foreach(name IN ITEMS integer_pattern truthy_pattern falsy_pattern option_matcher option_specifier
                        option_specifier_separator)
    string(REGEX REPLACE ", ${name}([,)])" ", ${name}()\\1" gputest_cxxopts_text
           "${gputest_cxxopts_text}")
  endforeach()
  set(gputest_cxxopts_copy ${PROJECT_BINARY_DIR}/cxxopts/cxxopts.hpp)
  set(gputest_cxxopts_before "")
  if(EXISTS ${gputest_cxxopts_copy})
    file(READ ${gputest_cxxopts_copy} gputest_cxxopts_before)
  endif()
  # Else all that includes it would be compiled again.
  if(NOT gputest_cxxopts_before STREQUAL gputest_cxxopts_text)
    file(WRITE ${gputest_cxxopts_copy} "${gputest_cxxopts_text}")
  endif()
  set_property(TARGET cxxopts::cxxopts PROPERTY INTERFACE_INCLUDE_DIRECTORIES
               ${PROJECT_BINARY_DIR}/cxxopts ${gputest_cxxopts_folders})
endif()
