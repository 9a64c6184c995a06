// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs ask about the platform. hipcc defines GPUTEST_HIP, and the platform is AMD's. Other
// compilers read HIP as CUDA, which is NVIDIA's platform, unless the program names AMD's.
#ifndef GPUTEST_HIP_PLATFORM_H
#define GPUTEST_HIP_PLATFORM_H

#ifdef GPUTEST_HIP
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1 // the name before HIP 5
#elif !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)
#define __HIP_PLATFORM_NVIDIA__ 1
#endif
#if defined(__CUDA__) && !defined(__HIPCC__)
#define __HIPCC__ 1
#endif
#ifdef __CUDA_ARCH__
#define __HIP_DEVICE_COMPILE__ 1
#endif

#ifdef __CUDA__
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_DOUBLES__ 1
#define __HIP_ARCH_HAS_WARP_VOTE__ 1
#define __HIP_ARCH_HAS_WARP_BALLOT__ 1
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ 1
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ 0
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ 1
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ 0
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ 0
#define __HIP_ARCH_HAS_3DGRID__ 1
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ 0
#endif

// The GPU that programs see: --offload-arch.
#ifndef GPUTEST_HIP_ARCHITECTURE
#define GPUTEST_HIP_ARCHITECTURE "gfx90a"
#define GPUTEST_HIP_MAJOR 9
#define GPUTEST_HIP_MINOR 0
#endif
#if !defined(GPUTEST_DEFAULT_WARP_SIZE) && defined(__HIP_PLATFORM_AMD__)
#define GPUTEST_DEFAULT_WARP_SIZE 64 // lanes of that GPU's wavefronts
#endif

#endif
