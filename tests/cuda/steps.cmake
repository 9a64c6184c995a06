# Steps of a test that starts compilers and programs. Included by scripts that set ${folder}, in which they run.

# step(<command>…): sets `failed` and `output`.
function(step)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
  set(failed "${failed}" PARENT_SCOPE)
endfunction()

# must_pass(<command>…): the same; ends the test where the command fails.
function(must_pass)
  step(${ARGV})
  if(failed)
    message(FATAL_ERROR "${ARGV} ends with ${failed}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
