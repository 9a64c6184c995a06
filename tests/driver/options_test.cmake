# cmake -DGPUTEST=… -P options_test.cmake: options that no other test gives.
set(work ${CMAKE_CURRENT_BINARY_DIR}/options)
file(REMOVE_RECURSE ${work})
file(WRITE ${work}/saxpy.cu [[
template <typename T> __global__ void saxpy(T a, const T* x, T* y) { y[threadIdx.x] += a * x[threadIdx.x]; }
]])
file(WRITE ${work}/fill.cl "kernel void fill(global int* v) { v[get_global_id(0)] = 1; }\n")

# expect(<exit code> <regex> <word>…)
function(expect code regex)
  execute_process(COMMAND ${GPUTEST} ${ARGN} WORKING_DIRECTORY ${work} RESULT_VARIABLE ended OUTPUT_VARIABLE said
                  ERROR_VARIABLE said)
  if(NOT ended EQUAL code OR NOT said MATCHES "${regex}")
    message(FATAL_ERROR "gputest ${ARGN}: exit code ${ended}, should be ${code}, and '${regex}' in\n${said}")
  endif()
endfunction()

expect(2 "such as --instance 'saxpy<float>'" describe saxpy.cu)
expect(0 "\"name\": \"saxpy<double>\".*\"scalar\": \"double\"" describe saxpy.cu --instance saxpy<double>)
expect(0 "saxpy.cu:1:[0-9]+: saxpy[^\n]*arithmetic_replacement" mutants saxpy.cu --instance saxpy<float>)
expect(2 "--instance is for CUDA files" describe fill.cl --instance fill)
foreach(command IN ITEMS schedule prove)
  expect(2 "instance" ${command} fill.cl --instance fill)
endforeach()

expect(0 "^.TH \"GPUTEST-MERGE\" 1" help --man merge)
expect(0 "^.TH \"GPUTEST\" 1.*gputest..report" help --man)

expect(0 "" describe saxpy.cu --instance saxpy<float> --output interface.json)
set(harness harness --source saxpy.cu --interface interface.json --kernel-dir . --global-size 8)
expect(0 "" ${harness} --output harness.cpp --shared-memory 128)
file(READ ${work}/harness.cpp text)
if(NOT text MATCHES ".shared_memory = 128")
  message(FATAL_ERROR "--shared-memory 128 makes\n${text}")
endif()
expect(2 "shared-memory" ${harness} --output harness.cpp --shared-memory many)
expect(2 "--output is missing" ${harness})
