# gputest_private_check_options(<variable> <context> <values of CHECK>)
#
# Reads "RACES BOUNDS"; the result is a list of options of `gputest harness`, such as
# --check;races;--check;bounds. Nothing: the harness has a default.
function(gputest_private_check_options variable context values)
  set(known RACES BARRIERS BOUNDS UNINITIALIZED ARITHMETIC OVERFLOW)
  set(options "")
  foreach(value IN LISTS values)
    if(NOT value IN_LIST known)
      list(JOIN known ", " readable)
      message(FATAL_ERROR "${context}CHECK: '${value}' is no check; there are ${readable}")
    endif()
    string(TOLOWER ${value} check)
    list(APPEND options --check ${check})
  endforeach()
  set(${variable} "${options}" PARENT_SCOPE)
endfunction()
