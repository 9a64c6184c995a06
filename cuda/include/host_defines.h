// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's keywords as attributes of Clang. For other compilers they are empty.
#ifndef GPUTEST_CUDA_HOST_DEFINES_H
#define GPUTEST_CUDA_HOST_DEFINES_H
#define __HOST_DEFINES_H__ /* libraries ask whether it was included */

#define __GPUTEST_CUDA__ 1 /* this toolkit: kernels run in the simulator */

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Host and device each have a copy. Launches and synchronisations make the copies equal.
#define __managed__                                                                                \
  __attribute__((device, annotate("gputest.managed"), section("gputest_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __cluster_dims__(...) __attribute__((annotate("gputest.cluster", __VA_ARGS__)))
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __maxnreg__(...)
#define __local_maxnreg__(...)
#define __block_size__(...)
#define __nv_pure__ __attribute__((pure))
#else
#define __host__
#define __device__
#define __device_builtin__
#define __cudart_builtin__
#endif
#define __no_return__ __attribute__((noreturn))
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __thread__ __thread

#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef __inline_hint__
#define __inline_hint__ inline
#endif
#define CUDARTAPI
#define CUDART_CB
#define CUDART_DEVICE __device__
#ifndef __builtin_align__
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#endif

#endif
