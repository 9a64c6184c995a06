include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

# Somebody has a kernel, and nothing else. What is to be found ends the search, so budgets are large.
set(gputest ${PREFIX}/bin/gputest)
run("init" COMMAND ${gputest} init ${source}/kernels.cl --budget 60 OUTPUT "scale: [0-9]+ case" "weigh: [0-9]+ cases"
    "CMakeLists.txt: written")
expect_file(${source}/CMakeLists.txt "gputest_add_kernel\\(weigh")
configure()
run("build" COMMAND ${make})
run("tests" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -LE mutation OUTPUT "scale.check" "weigh.schedules"
    "100% tests passed")
run("coverage" COMMAND ${make} --target coverage OUTPUT "recorded, not verified|branch")

# The reference is empty until somebody writes it, and compiles.
file(READ ${source}/CMakeLists.txt text)
string(REGEX REPLACE "# (REFERENCE [a-z_.]+) # [^\n]*" "\\1" text "${text}")
file(WRITE ${source}/CMakeLists.txt "${text}")
run("build with references" COMMAND ${make})
run("the reference is still to be written" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -V -R "weigh.test" OUTPUT
    "weigh_reference\\(\\) is still to be written")
# The lines that are printed can be pasted, though the file has two kernels and the cases share a folder.
file(MAKE_DIRECTORY ${source}/include)
run("generate" COMMAND ${gputest} generate ${source}/kernels.cl --branch --budget 60 --cmake-base ${source} -o ${source}/both
    --cl-std CL1.2 -D UNUSED=3 -I ${source}/include --require "global_size(0) >= 1" --require "global_size(0) <= 4096" OUTPUT
    "DEFINITIONS \"UNUSED=3\"" "INCLUDE_DIRECTORIES include" "CL_STD CL1.2"
    "REQUIRE \"global_size\\(0\\) >= 1\" \"global_size\\(0\\) <= 4096\"")
string(REGEX MATCHALL "gputest_add_kernel[^\n]*\n(  [^\n]*\n)+" calls "${output}")
list(LENGTH calls count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "not a call for each of two kernels: ${output}")
endif()
list(JOIN calls "\n" calls)
string(REPLACE "gputest_add_kernel(" "gputest_add_kernel(pasted_" calls "${calls}")
file(APPEND ${source}/CMakeLists.txt "\n${calls}")
run("build what was pasted" COMMAND ${make})
run("test what was pasted" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -R "^pasted_.*test$" OUTPUT "pasted_scale.test"
    "pasted_weigh.test" "100% tests passed")

run("once more" COMMAND ${gputest} init ${source}/kernels.cl --budget 60 OUTPUT "stays as it is" "Add to .*CMakeLists.txt")

# A folder of which one file is broken; several definitions; no time.
set(others ${WORK}/others)
file(WRITE ${others}/broken.cl "kernel void broken(global int* a) { a[0] = ; }\n")
file(WRITE ${others}/scaled.cl
     "kernel void scaled(global int* a) { a[get_global_id(0)] = a[get_global_id(0)] > OFFSET ? SCALE : 0; }\n")
run("no time" FAILS COMMAND ${gputest} init ${others}/scaled.cl -D SCALE=2 -D OFFSET=1 --budget 0.001 OUTPUT
    "scaled: no cases: the time was over before the kernel was launched" NO_OUTPUT "does nothing wrong")
run("init a folder" COMMAND ${gputest} init ${others} -D SCALE=2 -D OFFSET=1 --budget 60 OUTPUT "broken.cl: left out: "
    "scaled: [0-9]+ case" "CMakeLists.txt: written")
expect_file(${others}/CMakeLists.txt "DEFINITIONS \"SCALE=2\" \"OFFSET=1\"")
run("configure the folder" COMMAND ${CMAKE_COMMAND} -S ${others} -B ${WORK}/others-build -DCMAKE_PREFIX_PATH=${PREFIX})

# Work-items that write the same to one place, which no launch avoids: the project's tests pass all the same. A folder
# below is named.
set(same "${WORK}/same values")
file(WRITE "${same}/found.cl" "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void found(global int* any, int n) {
  any[0] = n;
}
")
file(WRITE "${same}/below/other.cl" "kernel void other(global int* a) { a[get_global_id(0)] = 1; }\n")
run("init where all write the same" COMMAND ${gputest} init ${same} --budget 60 OUTPUT "found: [0-9]+ case"
    "the project leaves RACES out of its CHECK" "below: left out: it is a folder of its own" "cmake -S '[^']*same values' -B '[^']*build'")
run("configure it" COMMAND ${CMAKE_COMMAND} -S ${same} -B ${WORK}/same-build -DCMAKE_PREFIX_PATH=${PREFIX})
run("build it" COMMAND ${CMAKE_COMMAND} --build ${WORK}/same-build)
run("test it" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/same-build -R "test|check" OUTPUT "found.check"
    "100% tests passed")

# A race with more work-items than the cases have is told; a missing __syncthreads().
file(WRITE ${others}/told/total.cu "
__global__ void total(const unsigned* counts, unsigned* out, int n) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0)
    sum = counts[blockIdx.x];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = sum;
}
template <class T> __global__ void unused(T* a) { a[threadIdx.x] *= 2; }
")
run("init says what the checks find" COMMAND ${gputest} init ${others}/told/total.cu --budget 60 OUTPUT "total: [0-9]+ case"
    "total.cu:[0-9:]+ race: " "unused: no cases: it is a template")

# An output that depends on the order of work-items would fail SCHEDULES; no order changes the other one.
file(WRITE ${others}/orders/ticket.cl "
kernel void ticket(global int* next, global int* out, int n) {
  const int i = get_global_id(0);
  if (i < n && atomic_inc(next) % 3 == 1)
    out[0] = i;
}
kernel void count(global int* next, global int* out, int n) {
  const int i = get_global_id(0);
  if (i < n && atomic_inc(next) % 3 == 1)
    atomic_inc(out);
}
")
run("init of what depends on the order" COMMAND ${gputest} init ${others}/orders/ticket.cl --budget 60 OUTPUT
    "an output depends on the order of work-items, so the project leaves SCHEDULES out count: [0-9]+ case")
expect_file(${others}/orders/CMakeLists.txt
            "SCHEDULES is left out.*COVERAGE MUTATION CHECK MEMORY.*COVERAGE MUTATION SCHEDULES CHECK")
# The cases are there now, and are looked at as new ones are.
file(REMOVE ${others}/orders/CMakeLists.txt)
run("init with its cases" COMMAND ${gputest} init ${others}/orders/ticket.cl --budget 60 OUTPUT
    "an output depends on the order of work-items, so the project leaves SCHEDULES out count: [0-9]+ case")

# The tests of a project accept the cases that it begins with, and pass: work-items of a group that write one place are
# avoided, and unions and untyped memory can be given.
set(passes ${WORK}/passes)
file(WRITE ${passes}/begun.cl "
typedef union { uint bits; float number; } word;
kernel void flagged(global word* words, global int* rows, global int* any, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (y == 0 && x < n && words[x].bits > 7)
    words[x].number = 1;
  rows[y] = n;
}
kernel void untyped(global const void* in, ulong offset, global void* out, int n) {
  global const float* x = (global const float*)((global const char*)in + offset);
  const int i = get_global_id(0);
  if (i < n)
    ((global float*)out)[i] = x[i] > 0.0f ? x[i] : 0.0f;
}
")
run("init of what is hard to begin" COMMAND ${gputest} init ${passes}/begun.cl --budget 60 OUTPUT "flagged: [0-9]+ case"
    "untyped: [0-9]+ case" NO_OUTPUT "CHECK reports")
if(long) # the project above is built, too
  run("configure it" COMMAND ${CMAKE_COMMAND} -S ${passes} -B ${WORK}/passes-build -DCMAKE_PREFIX_PATH=${PREFIX})
  run("build it" COMMAND ${CMAKE_COMMAND} --build ${WORK}/passes-build)
  run("test it" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/passes-build -R "test|coverage|check" OUTPUT "flagged.check"
      "untyped.check" "100% tests passed")
endif()

# Files for editors: the user's own stay, and the kernels' definitions come from the build folder.
file(WRITE ${others}/.vscode/settings.json "{\"mine\": true}\n")
run("files for editors" COMMAND ${gputest} init --vscode -o ${others} OUTPUT "tasks.json: written" "launch.json: written"
    "settings.json: stays as it is" "extensions.json: written" "clangd: written")
expect_file(${others}/.vscode/settings.json "mine")
foreach(file IN ITEMS tasks launch extensions)
  file(READ ${others}/.vscode/${file}.json text)
  string(JSON length ERROR_VARIABLE broken LENGTH "${text}")
  if(broken)
    message(FATAL_ERROR "${file}.json: ${broken}")
  endif()
endforeach()
run("files for editors, again" COMMAND ${gputest} init --vscode WORKING_DIRECTORY ${others} OUTPUT "tasks.json: stays as it is"
    "clangd: stays as it is" NO_OUTPUT "written")
run("no folder for them" FAILS COMMAND ${gputest} init --vscode -o ${others}/scaled.cl OUTPUT "scaled.cl")
file(WRITE ${others}/add.cu "__global__ void add(float* a) { atomicAdd(a, 1.0f + threadIdx.x); __syncthreads(); }\n")
file(WRITE ${others}/wrong.cu "__global__ void add(float* a) { *a = threadIdx.w; }\n")
run("configure where .clangd looks" COMMAND ${CMAKE_COMMAND} -S ${others} -B ${others}/build -DCMAKE_PREFIX_PATH=${PREFIX})
expect_file(${others}/build/gputest/compile_commands.json "\"-cl-std=CL1.2\", \"-DSCALE=2\", \"-DOFFSET=1\"")
find_program(clangd NAMES clangd-19 clangd-22) # older ones do not know all options
if(clangd)
  foreach(file IN ITEMS scaled.cl add.cu)
    run("clangd reads ${file}" COMMAND ${clangd} --clang-tidy=0 --check=${others}/${file} OUTPUT "All checks completed, 0 errors")
  endforeach()
  run("clangd finds a mistake" FAILS COMMAND ${clangd} --check=${others}/wrong.cu OUTPUT "no member named 'w'")
endif()
