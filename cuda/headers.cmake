# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The folder include/ of the toolkit: links to the headers of include/, and to those that do nothing
# but include others, which are made here.
set(parts ${CMAKE_CURRENT_BINARY_DIR}/parts)

# What other toolkits declare in headers of their own, <whole>, and after it the names of such
# headers.
set(forwarders cuda_runtime.h builtin_types.h channel_descriptor.h common_functions.h
    cuda_device_runtime_api.h cuda_surface_types.h cuda_texture_types.h cudart_platform.h
    device_atomic_functions.h device_atomic_functions.hpp device_double_functions.h
    device_double_functions.hpp device_functions.h device_functions.hpp device_launch_parameters.h
    device_types.h driver_functions.h func_macro.h math_functions.h math_functions.hpp
    math_functions_dbl_ptx3.h sm_20_atomic_functions.h sm_20_atomic_functions.hpp sm_20_intrinsics.h
    sm_20_intrinsics.hpp sm_30_intrinsics.h sm_30_intrinsics.hpp sm_32_atomic_functions.h
    sm_32_atomic_functions.hpp sm_32_intrinsics.h sm_32_intrinsics.hpp sm_35_atomic_functions.h
    sm_35_intrinsics.h sm_60_atomic_functions.h sm_60_atomic_functions.hpp sm_61_intrinsics.h
    sm_61_intrinsics.hpp surface_functions.h surface_functions.hpp surface_indirect_functions.h
    surface_indirect_functions.hpp surface_types.h texture_fetch_functions.h
    texture_fetch_functions.hpp texture_indirect_functions.h texture_indirect_functions.hpp
    texture_types.h vector_functions.hpp crt/common_functions.h crt/device_double_functions.h
    crt/device_functions.h crt/func_macro.h crt/math_functions.h host_defines.h host_config.h
    crt/host_config.h crt/host_defines.h cuda.h cudaProfiler.h mma.h crt/mma.h cuda_pipeline.h
    cuda_pipeline_helpers.h cuda_pipeline_primitives.h cuda_awbarrier_primitives.h cuda_awbarrier.h
    cuda_awbarrier_helpers.h cuda_bf16.h cuda_bf16.hpp cuda_fp16.h cuda_fp16.hpp cuda_fp4.h
    cuda_fp4.hpp cuda_fp6.h cuda_fp6.hpp cuda_fp8.h cuda_fp8.hpp curand_kernel.h curand_globals.h
    curand_lognormal.h curand_mrg32k3a.h curand_normal.h curand_normal_static.h
    curand_philox4x32_x.h curand_poisson.h curand_precalc.h curand_uniform.h nvtx3/nvToolsExt.h
    nvToolsExt.h nvtx3/nvToolsExtCuda.h nvToolsExtCuda.h nvToolsExtCudaRt.h
    nvtx3/nvToolsExtCudaRt.h cuda/annotated_ptr cuda/access_property
    cuda/discard_memory hip/hip_runtime.h hip/channel_descriptor.h hip/device_functions.h
    hip/driver_types.h hip/hip_common.h hip/hip_ext.h hip/hip_hcc.h hip/hip_math_constants.h
    hip/hip_profile.h hip/hip_texture_types.h hip/hip_vector_types.h hip/math_functions.h
    hip/surface_types.h hip/texture_types.h)
set(wholes cuda_runtime.h host_defines.h cuda.h mma.h cuda_pipeline.h cuda_awbarrier_primitives.h
    cuda_bf16.h cuda_fp16.h cuda_fp4.h cuda_fp6.h cuda_fp8.h curand_kernel.h nvtx3/nvToolsExt.h
    nvtx3/nvToolsExtCuda.h cuda/annotated_ptr hip/hip_runtime.h)
foreach(header IN LISTS forwarders)
  if(header IN_LIST wholes)
    set(whole ${header})
    continue()
  endif()
  file(CONFIGURE OUTPUT ${parts}/${header}
       CONTENT "// ${whole} declares what this header does in other toolkits.
#pragma once
#include \"${whole}\"
")
endforeach()

# cuda::std is the host's library (include/gputest_cuda/standard.h), but for what is in
# include/cuda/std.
foreach(header IN ITEMS
    algorithm array bitset cassert cfloat chrono climits cmath complex concepts cstddef cstdint
    cstdlib cstring ctime exception functional initializer_list iterator limits memory new numbers
    numeric optional ranges ratio source_location string_view tuple type_traits utility variant
    version)
  file(CONFIGURE OUTPUT ${parts}/cuda/std/${header}
       CONTENT "// cuda::std is the host's C++ library.
#pragma once
#include \"gputest_cuda/standard.h\"
#include <${header}>
")
endforeach()

# HIP's names for CUDA's.
include(hip/names.cmake)
gputest_hip_names(${CMAKE_CURRENT_SOURCE_DIR}/hip/names.txt ${parts})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS hip/names.txt)

# Projects name this folder of CUDA 13, which has Thrust, CUB and libcu++.
file(CONFIGURE OUTPUT ${parts}/cccl/README.md
     CONTENT "The toolkit's part of libcu++ is in the folder above. Thrust and CUB are the user's \
(docs/reference/cuda-libraries.md).\n")

# The folders' times tell of a new header. CONFIGURE_DEPENDS would make `ninja -n` run nothing but
# CMake.
set(include ${CMAKE_CURRENT_SOURCE_DIR}/include)
get_property(library_includes TARGET gputest-cuda PROPERTY GPUTEST_LIBRARY_INCLUDES)
foreach(folder IN ITEMS ${include} ${library_includes} ${parts})
  file(GLOB_RECURSE headers RELATIVE ${folder} LIST_DIRECTORIES true ${folder}/*)
  list(PREPEND headers .)
  foreach(header IN LISTS headers)
    if(NOT IS_DIRECTORY ${folder}/${header})
      if(folder STREQUAL parts AND EXISTS ${include}/${header}) # an earlier build made it
        continue()
      endif()
      file(CREATE_LINK ${folder}/${header} ${toolkit}/include/${header} SYMBOLIC)
      continue()
    endif()
    if(IS_SYMLINK ${toolkit}/include/${header}) # an earlier build had folders as links
      file(REMOVE ${toolkit}/include/${header})
    endif()
    file(MAKE_DIRECTORY ${toolkit}/include/${header})
    if(NOT folder STREQUAL parts)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${header})
    endif()
  endforeach()
endforeach()
