# gputest_private_take_bare_keyword(<variable> <keyword>)
#
# Whether the caller's cmake_parse_arguments() saw the keyword, which may stand alone though it can
# have values: takes it out of arg_KEYWORDS_MISSING_VALUES.
function(gputest_private_take_bare_keyword variable keyword)
  set(given FALSE)
  if(DEFINED arg_${keyword} OR keyword IN_LIST arg_KEYWORDS_MISSING_VALUES)
    set(given TRUE)
  endif()
  list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES ${keyword})
  set(arg_KEYWORDS_MISSING_VALUES "${arg_KEYWORDS_MISSING_VALUES}" PARENT_SCOPE)
  set(${variable} ${given} PARENT_SCOPE)
endfunction()

# gputest_private_mutation_options(<variable> <context> <values of MUTATION>)
#
# Reads "THRESHOLD 80 OPERATORS gpu logical_replacement"; the result is a list of options of
# `gputest harness`, such as --mutation-threshold;80;--mutation-operators;gpu,logical_replacement. The
# command knows which operators there are.
function(gputest_private_mutation_options variable context values)
  set(kind_of_THRESHOLD PERCENT)
  set(kind_of_REPEAT SIZE)
  set(kind_of_SAMPLE SIZE)
  set(kind_of_TIMEOUT_FACTOR FACTOR)
  set(single THRESHOLD REPEAT SAMPLE SINCE TIMEOUT_FACTOR)
  cmake_parse_arguments(arg "" "${single}" OPERATORS ${values})
  gputest_private_check_keywords("${context}MUTATION: " "THRESHOLD;OPERATORS;REPEAT;SAMPLE;SINCE;TIMEOUT_FACTOR"
                                 "${values}")

  set(options "")
  foreach(inner IN LISTS single)
    if(DEFINED arg_${inner})
      if(DEFINED kind_of_${inner})
        gputest_private_check_numbers("${context}" "MUTATION ${inner}" ${kind_of_${inner}} ${arg_${inner}})
      elseif(arg_${inner} MATCHES "^-|[ \t]")
        message(FATAL_ERROR "${context}MUTATION ${inner}: '${arg_${inner}}' cannot be a commit: name a branch, a tag "
                            "or a commit of Git, such as origin/main")
      endif()
      string(TOLOWER "--mutation-${inner}" option)
      string(REPLACE "_" "-" option ${option})
      list(APPEND options ${option} "${arg_${inner}}")
    endif()
  endforeach()
  if(DEFINED arg_OPERATORS)
    foreach(name IN LISTS arg_OPERATORS)
      if(NOT name MATCHES "^[a-z][a-z_]*$")
        gputest_private_misspelt_hint(hint "${name}")
        message(FATAL_ERROR "${context}MUTATION OPERATORS: '${name}' is no mutation operator: give conventional, gpu, "
                            "all or names that `gputest mutants --list-operators` lists${hint}")
      endif()
    endforeach()
    list(JOIN arg_OPERATORS "," names)
    list(APPEND options --mutation-operators ${names})
  endif()
  set(${variable} "${options}" PARENT_SCOPE)
endfunction()
