// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx and the like, as Clang's __clang_cuda_builtin_vars.h has them, whose place this header
// takes. These can be copied: auto block = blockIdx;
#ifndef __CUDA_BUILTIN_VARS_H
#define __CUDA_BUILTIN_VARS_H

struct uint3;
struct dim3;

#define GPUTEST_FIELD(name, builtin)                                                               \
  __declspec(property(get = __fetch_builtin_##name)) unsigned int name;                            \
  static inline __attribute__((always_inline))                                                     \
  __attribute__((device)) unsigned int __fetch_builtin_##name(void) {                              \
    return builtin;                                                                                \
  }
#define GPUTEST_VARIABLE(name, builtin)                                                            \
  struct __cuda_builtin_##name##_t {                                                               \
    GPUTEST_FIELD(x, builtin##_x())                                                                \
    GPUTEST_FIELD(y, builtin##_y())                                                                \
    GPUTEST_FIELD(z, builtin##_z())                                                                \
    __attribute__((device)) operator dim3() const;                                                 \
    __attribute__((device)) operator uint3() const;                                                \
    __attribute__((device)) __cuda_builtin_##name##_t() {}                                         \
    __attribute__((device)) __cuda_builtin_##name##_t(const __cuda_builtin_##name##_t&) {}         \
                                                                                                   \
  private:                                                                                         \
    __attribute__((device)) void operator=(const __cuda_builtin_##name##_t&) const = delete;       \
    __attribute__((device)) __cuda_builtin_##name##_t* operator&() const = delete;                 \
  };                                                                                               \
  extern const __attribute__((device)) __attribute__((weak)) __cuda_builtin_##name##_t name;

GPUTEST_VARIABLE(threadIdx, __nvvm_read_ptx_sreg_tid)
GPUTEST_VARIABLE(blockIdx, __nvvm_read_ptx_sreg_ctaid)
GPUTEST_VARIABLE(blockDim, __nvvm_read_ptx_sreg_ntid)
GPUTEST_VARIABLE(gridDim, __nvvm_read_ptx_sreg_nctaid)

#undef GPUTEST_FIELD
#undef GPUTEST_VARIABLE

#endif
