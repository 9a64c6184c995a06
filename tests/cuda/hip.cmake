# cmake -DHIPCC=<bin/hipcc> -DHOST=<C compiler> -DUNITS=<folder> -DWORK=<folder> -P hip.cmake
#
# The compiler under hipcc's name, as makefiles call it, and what it refuses.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(folder ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
cmake_path(GET HIPCC PARENT_PATH toolkit)
cmake_path(GET toolkit PARENT_PATH toolkit)

must_pass(${HIPCC} --version)
if(NOT output MATCHES "HIP version: 6[.]2.*clang version")
  message(FATAL_ERROR "hipcc --version prints\n${output}")
endif()
set(options -std=c++17 -O2 -Wall -Wextra -Werror -fgpu-rdc --offload-arch=gfx90a:sramecc+:xnack-,gfx1030 -mcode-object-version=5
            -munsafe-fp-atomics --rocm-path=/opt/rocm)
must_pass(${HIPCC} ${options} -c ${UNITS}/function.hip -o function.o)
must_pass(ar rcs libfunction.a function.o)
must_pass(${HIPCC} --genco --offload-arch=gfx90a ${UNITS}/module.hip -o module.co)
must_pass(${HIPCC} ${options} ${UNITS}/main.cpp -o program libfunction.a)
must_pass(${WORK}/program module.co)
must_pass(${HIPCC} -x hip --amdgpu-target=gfx1100 -c ${UNITS}/function.hip -o other.o -MD -MF other.d)
file(READ ${WORK}/other.d rule)
if(NOT rule MATCHES "function[.]hip")
  message(FATAL_ERROR "hipcc -MD writes\n${rule}")
endif()
# What the first GPU is called.
file(WRITE ${WORK}/name.hip "#include <hip/hip_runtime.h>\n#include <cstdio>\n__global__ void k(int* d) {\n#ifdef __gfx1030__\n*d = 1030;\n#endif\n}\nint main() { hipDeviceProp_t p; int* d; hipGetDeviceProperties(&p, 0); hipMallocManaged(&d, 4); k<<<1, 1>>>(d); hipDeviceSynchronize(); std::printf(\"%s %d.%d %d\\n\", p.gcnArchName, p.major, p.minor, *d); }\n")
must_pass(${HIPCC} --offload-arch=gfx1030 name.hip -o name)
must_pass(${WORK}/name)
if(NOT output MATCHES "gfx1030 10[.]3 1030")
  message(FATAL_ERROR "the GPU is called\n${output}")
endif()
# C, by the host's compiler.
must_pass(${HOST} -D__HIP_PLATFORM_AMD__ -I${toolkit}/include ${UNITS}/host.c -L${toolkit}/lib64 -lamdhip64 -lstdc++ -lm -o host)
must_pass(${WORK}/host)
# HIP in a CUDA source is HIP on NVIDIA.
file(WRITE ${WORK}/on_nvidia.cu "#include <hip/hip_runtime.h>\n#ifndef __HIP_PLATFORM_NVIDIA__\n#error AMD\n#endif\n__global__ void k() {}\nint main() { hipLaunchKernelGGL(k, 1, 1, 0, 0); return hipDeviceSynchronize(); }\n")
must_pass(${toolkit}/bin/nvcc on_nvidia.cu -o on_nvidia)
must_pass(${WORK}/on_nvidia)

# must_say(<regex> <text of a source> <option>…)
function(must_say regex text)
  file(WRITE ${WORK}/wrong.hip "${text}")
  step(${HIPCC} ${ARGN} -c wrong.hip -o wrong.o)
  if(NOT failed OR NOT output MATCHES "${regex}" OR output MATCHES "cuda[A-Z]")
    message(FATAL_ERROR "hipcc says of a mistake (${failed}), and not '${regex}':\n${output}")
  endif()
endfunction()
must_say("wrong[.]hip:3:[0-9]+: error: .*: this is assembler of AMD's GPUs"
         "__global__ void k(int* d) {\nint r;\nasm volatile(\"v_mov_b32 %0, %1\" : \"=v\"(r) : \"v\"(7));\n*d = r;\n}\n")
must_say("wrong[.]hip:2:[0-9]+: error: .*s_waitcnt.*: this is assembler of AMD's GPUs"
         "__global__ void k(int* d) {\nasm volatile(\"s_waitcnt vmcnt(0)\");\n}\n")
must_say("'rocprim/rocprim.hpp' file not found: rocprim of ROCm is not part of this toolkit" "#include <rocprim/rocprim.hpp>\n")
must_say("'mine.h' file not found" "#include \"mine.h\"\n")
must_say("no matching function for call to 'hipMalloc'" "int main() { return hipMalloc(3); }\n")
must_say("--offload-arch: 'gfx9999' is no GPU of AMD's, such as gfx90a" "int main() {}\n" --offload-arch=gfx9999)
