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
expect(2 "--instance is for CUDA and HIP files" describe fill.cl --instance fill)
foreach(command IN ITEMS schedule prove)
  expect(2 "instance" ${command} fill.cl --instance fill)
endforeach()

# Sites of mutants, in ranges.
foreach(sites IN ITEMS 0-0 0-0,2-2)
  expect(0 "Mutants of [^\n]*fill.cl" mutants fill.cl "--sites=${sites}")
endforeach()
foreach(sites IN ITEMS "" 1 2-1 0-0, 0-0,x ",0-0")
  expect(2 "--sites: '[^']*' is no range of sites such as 0-41" mutants fill.cl "--sites=${sites}")
endforeach()

# The version of C++.
file(WRITE ${work}/small.cu "template <typename T> concept Small = sizeof(T) < 8;
__global__ void more(int* v) { v[0] = []<Small T>(T x) { return x > 2 ? x : 1; }(v[0]); }\n")
expect(0 "small.cu:2:[0-9]+: more[^\n]*relational_replacement" mutants small.cu --std c++20)
expect(2 "unknown type name 'concept'" mutants small.cu)
expect(2 "--cl-std 'CL2.0' is none of c.*11, c.*23, the versions of CUDA" mutants small.cu --std CL2.0)

# The host's version of a function.
file(WRITE ${work}/twice.cu "__host__ __device__ int twice(int x) { return 2 * x; }\n__device__ int own(int x) { return x; }\n")
expect(2 "--host-version: say with --function which function it calls" instrument twice.cu --output-dir host --host-version)
expect(0 "" instrument twice.cu --output-dir host --function twice --host-version)
file(READ ${work}/host/host_version.cu text)
if(NOT text MATCHES "twice\\(")
  message(FATAL_ERROR "--host-version makes\n${text}")
endif()
expect(2 "'own' has no version for the host" instrument twice.cu --output-dir host --function own --host-version)

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
expect(0 "" ${harness} --output harness.cpp --lock-step 32)
file(READ ${work}/harness.cpp text)
if(NOT text MATCHES ".lock_step = 32")
  message(FATAL_ERROR "--lock-step 32 makes\n${text}")
endif()
expect(2 "--lock-step: 12 work-items cannot be in lock step" ${harness} --output harness.cpp --lock-step 12)
expect(0 "" ${harness} --output harness.cpp --global-offset 4)
file(READ ${work}/harness.cpp text)
if(NOT text MATCHES ".global_offset = {4}")
  message(FATAL_ERROR "--global-offset 4 makes\n${text}")
endif()
expect(2 "--global-offset needs as many numbers as --global-size" ${harness} --output harness.cpp --global-offset 4,0)
expect(2 "--output is missing" ${harness})
expect(2 "^error: --output is missing: say where cases are written to" generate fill.cl --global-size 8)
expect(0 "--output" generate --help)

# What is asked for is what cases are written for.
file(WRITE ${work}/k.cl [[
kernel void k(global int* v, int a, int n) {
  int s = 0;
  if (a > 5 && n > 3)
    s = 1;
  for (int i = 0; i < n; ++i)
    s += i;
  v[get_global_id(0)] = s;
}
]])
# generated(<outcomes> <regex of what> <option>…): so many outcomes, and each is one of these.
function(generated count regex)
  file(REMOVE_RECURSE ${work}/cases)
  expect(0 "${count} of ${count} outcomes reached" generate k.cl -o cases --json generated.json ${ARGN})
  file(READ ${work}/generated.json json)
  string(REPLACE ";" "," json "${json}")
  string(REGEX MATCHALL "\"what\":\"[^\"]*" outcomes "${json}")
  list(FILTER outcomes EXCLUDE REGEX "\"what\":\"${regex}")
  if(outcomes)
    message(FATAL_ERROR "generate ${ARGN} looked for ${outcomes}")
  endif()
endfunction()
generated(4 "(if|loop) " --branch)
generated(4 "condition " --condition)
generated(4 "for " --loop)
generated(8 "(condition|for) " --condition --loop)
generated(12 "" --no-outputs)
file(GLOB cases ${work}/cases/*.json)
foreach(case IN LISTS cases)
  file(READ ${case} json)
  if(json MATCHES "expected")
    message(FATAL_ERROR "generate --no-outputs records outputs:\n${json}")
  endif()
endforeach()
foreach(option IN ITEMS branch condition loop no-outputs)
  expect(2 "see gputest generate --help" generate k.cl -o cases --${option}=3)
endforeach()

expect(0 "" describe fill.cl --output fill.json)
set(harness harness --source fill.cl --interface fill.json --kernel-dir . --global-size 8 --output harness.cpp)
expect(0 "" ${harness} --simulator /opt/sim/gputest-simulator)
file(READ ${work}/harness.cpp text)
if(NOT text MATCHES "/opt/sim/gputest-simulator")
  message(FATAL_ERROR "--simulator makes\n${text}")
endif()
expect(2 "simulator" ${harness} --simulator)
expect(2 "--judge-device needs --judge: give it" fuzz fill.cl --judge-device 0)

# `gputest run` has the analyses of programs alone.
foreach(value IN ITEMS "" "=5")
  expect(2 "--fuzz is for kernels with test cases, and not for programs: see gputest_add_kernel"
         run --fuzz${value} -- nothing)
endforeach()
execute_process(COMMAND ${GPUTEST} run --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
if(NOT help MATCHES "--check\\[=LIST\\]" OR help MATCHES "--fuzz")
  message(FATAL_ERROR "gputest run --help:\n${help}")
endif()

# What a result belongs to is what it says.
expect(0 "" fuzz fill.cl -o fuzz --seconds 2 --seed 1 --content "part of it" --json fuzz.json)
file(READ ${work}/fuzz.json json)
if(NOT json MATCHES "\"content\": *\"part of it\"")
  message(FATAL_ERROR "--content makes\n${json}")
endif()
expect(2 "see gputest fuzz --help" fuzz fill.cl --content)
