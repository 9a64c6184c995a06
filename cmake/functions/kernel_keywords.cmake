# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/analyses.cmake)

# gputest_private_kernel_keywords(<options> <single> <multiple>)
#
# The keywords of gputest_add_kernel(): those without a value, with one, and with several. Functions
# that take "the words of a kernel" parse them with these three lists. Keywords behind
# REFERENCE_KERNEL have that prefix there.
function(gputest_private_kernel_keywords options_variable single_variable multiple_variable)
  gputest_private_analyses()
  get_property(analyses GLOBAL PROPERTY gputest_keywords)
  set(${options_variable} DISCOVER PARENT_SCOPE)
  set(${single_variable}
      SOURCE KERNEL FUNCTION INTERFACE REFERENCE REFERENCE_FUNCTION REFERENCE_KERNEL
      REFERENCE_KERNEL_KERNEL PROPERTY PROPERTY_FUNCTION CL_STD CXX_STANDARD SHARED_MEMORY
      WARP_SIZE LOCK_STEP TIMEOUT DEVICE PARENT_SCOPE)
  set(${multiple_variable}
      GLOBAL_SIZE LOCAL_SIZE GLOBAL_OFFSET ARGUMENTS REFERENCE_KERNEL_GLOBAL_SIZE
      REFERENCE_KERNEL_LOCAL_SIZE REFERENCE_KERNEL_ARGUMENTS TEST_CASES TOLERANCE DEFINITIONS
      INCLUDE_DIRECTORIES BUILD_OPTIONS ${analyses} GENERATE REQUIRE DEVICES LABELS PARENT_SCOPE)
endfunction()

# gputest_private_kernel_words(<variable> <word>…)
#
# The words of a kernel: KERNEL, GLOBAL_SIZE, LOCAL_SIZE and ARGUMENTS behind REFERENCE_KERNEL are
# the reference's, and get that prefix. Words without a character are left out.
function(gputest_private_kernel_words variable)
  gputest_private_kernel_keywords(options single multiple)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "")
  set(is_of_reference FALSE)
  set(words "")
  foreach(word IN LISTS given_UNPARSED_ARGUMENTS)
    if(word STREQUAL "REFERENCE_KERNEL")
      set(is_of_reference TRUE)
    elseif(is_of_reference AND word MATCHES "^(KERNEL|GLOBAL_SIZE|LOCAL_SIZE|ARGUMENTS)$")
      string(PREPEND word "REFERENCE_KERNEL_")
    elseif(word IN_LIST options OR word IN_LIST single OR word IN_LIST multiple)
      set(is_of_reference FALSE)
    endif()
    string(REPLACE ";" "\\;" word "${word}")
    list(APPEND words "${word}")
  endforeach()
  set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# gputest_private_option_name(<variable> <keyword>): --local-size for LOCAL_SIZE.
function(gputest_private_option_name variable keyword)
  string(TOLOWER "--${keyword}" option)
  string(REPLACE "_" "-" option ${option})
  set(${variable} ${option} PARENT_SCOPE)
endfunction()

# gputest_private_device_folder(<variable> <device>)
#
# The device as a part of the names of tests and files.
function(gputest_private_device_folder variable device)
  string(REGEX REPLACE "[^A-Za-z0-9_.+-]" "_" folder "${device}")
  set(${variable} "${folder}" PARENT_SCOPE)
endfunction()
