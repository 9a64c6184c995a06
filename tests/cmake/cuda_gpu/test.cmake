# CUDA kernels by themselves on a GPU, which is the simulator behind the driver API ($DRIVER), with gputest-cuda
# as nvcc. What comes out is what the simulator says by itself.
include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()
file(GLOB toolkit ${PREFIX}/*/gputest/cuda)
set(ENV{CUDAToolkit_ROOT} ${toolkit})
set(ENV{GPUTEST_CUDA_DRIVER} ${DRIVER})
set(faults "behind|outside|asserts|traps|endless|too_|unguarded.fuzz")

configure()
run("build" COMMAND ${CMAKE_COMMAND} --build ${build})
run("devices" COMMAND ${results}/saxpy/saxpy_harness --list-devices OUTPUT
    "simulator: GpuTestCheck's own" "cuda:0: GpuTestCheck simulator .compute capability 8.0, 16 GiB, CUDA 12.5.")

# Nobody names a GPU.
run("in the simulator" COMMAND ${test} -V -R "^saxpy" OUTPUT "1 of 1 cases passed on simulator")
set(ENV{GPUTEST_DEVICE} cpu) # which is about OpenCL
run("with a device of OpenCL's" COMMAND ${test} -V -R "^saxpy.test" OUTPUT "1 of 1 cases passed on simulator")
run("a device that is none" FAILS COMMAND ${results}/saxpy/saxpy_harness --device abacus OUTPUT
    "no GPU of CUDA's is called 'abacus'; there are: cuda:0: GpuTestCheck simulator")
set(ENV{GPUTEST_DEVICE} gpu)
run("on the GPU" COMMAND ${test} -V -E "${faults}" OUTPUT "1 of 1 cases passed on GpuTestCheck simulator"
    "coverage of saxpy.cu .kernel 'saxpy<float>'. on GpuTestCheck simulator" "branch +100.0 %" "all as it should be"
    "0 failures in [1-9][0-9]* inputs.*compared with GpuTestCheck simulator" "case 'arguments' on h200, round-robin")
run_fuzz("^unguarded.fuzz$" "compared with the reference function"
         "1 failure in [1-9][0-9]* inputs.*compared with GpuTestCheck simulator")
foreach(analysis IN ITEMS test coverage mutation)
  expect_file(${results}/saxpy/${analysis}.json "\"device\": \"GpuTestCheck simulator\"")
endforeach()
foreach(analysis IN ITEMS schedules check) # which a GPU cannot do
  expect_file(${results}/saxpy/${analysis}.json "\"device\": \"simulator\"")
endforeach()

# fault(<kernel> <message> [FAILED]): the case 'wrong' crashes or fails, and 'right' passes behind it.
function(fault kernel verdict message)
  run("${kernel}" FAILS COMMAND ${test} -V -R "^${kernel}.test$" OUTPUT "${verdict}: wrong" "${message}" "passed: right")
endfunction()
fault(behind failed "kernel 'behind' wrote 16 bytes past the end of 'data' .4 elements., first at index 4")
fault(outside crashed "kernel 'outside': CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access")
fault(asserts crashed "kernel 'asserts': CUDA_ERROR_ASSERT: device-side assert triggered")
fault(traps crashed "kernel 'traps': CUDA_ERROR_LAUNCH_FAILED")
fault(endless timeout "kernel 'endless' timed out after 5 s")
run("coverage without what faults" FAILS COMMAND ${test} -V -R "^outside.coverage$" OUTPUT "crashed: wrong" "passed: right"
    "what case 'wrong' executed is not known .crashed.")
run("mutants of what faults" FAILS COMMAND ${test} -V -R "^outside.mutation$" OUTPUT
    "case 'wrong': kernel 'outside': CUDA_ERROR_ILLEGAL_ADDRESS")
run("a block that is too large" FAILS COMMAND ${test} -V -R "^too_large.test$" OUTPUT
    "a block has 2048 threads, GpuTestCheck simulator runs at most 1024")
run("too much memory of a block" FAILS COMMAND ${test} -V -R "^too_much_shared.test$" OUTPUT
    "it needs 1000000 bytes of __shared__ memory for a block")

# Verdicts are those of the simulator, but where it looks at each access.
set(least_block_sum 3) # it has few operators
set(kernels block_sum classify)
if(long)
  list(APPEND kernels saxpy scale)
endif()
foreach(kernel IN LISTS kernels)
  if(NOT DEFINED least_${kernel})
    set(least_${kernel} 10)
  endif()
  run("mutants of ${kernel} in the simulator" COMMAND ${results}/${kernel}/${kernel}_harness --mutation --device simulator
      --store ${WORK}/${kernel}.db --json ${WORK}/${kernel}/mutation.json)
  run("verdicts of ${kernel}" COMMAND python3 -c "
import json, sys
def read(name):
  return {(f, m['id']): (m['status'], m.get('gputest', {}).get('reason', ''))
          for f, file in json.load(open(name))['files'].items() for m in file['mutants']}
one, other = map(read, sys.argv[1:3])
assert one.keys() == other.keys() and len(one) > int(sys.argv[3])
differ = {k: (one[k], other[k]) for k in one if one[k][0] != other[k][0]}
assert not differ, differ
same = sum(one[k] == other[k] for k in one)
assert same > 0.8 * len(one), same
print(len(one), 'mutants', sum(v[1] == 'budget exhausted' for v in other.values()), 'by their budgets')
" ${WORK}/${kernel}/mutation.json ${results}/${kernel}/mutation.json ${least_${kernel}} OUTPUT "^[1-9][0-9]* mutants")
  string(REGEX MATCH "([0-9]+) by their budgets" ignored "${output}")
  set(budgets_${kernel} ${CMAKE_MATCH_1})
endforeach()
if(NOT budgets_classify GREATER 0) # a mutant whose loop does not end says so, and the next one is run
  message(FATAL_ERROR "no mutant of classify used up its budget")
endif()

# Nothing to run on.
set(ENV{GPUTEST_CUDA_DRIVER} /nonexistent/libcuda.so.1)
run("no device" COMMAND ${test} -V -R "^(saxpy.test|calls)$" OUTPUT "skipped: no CUDA driver" "saxpy.test .Skipped."
    "calls .Skipped.")
