// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands before other files: address spaces, and functions of vectors that work component by component.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))
#define OWN static FUNCTION

#ifdef __opencl_c_generic_address_space
#define SPACES(DO, ...) DO(__generic, __VA_ARGS__)
#else
#define SPACES(DO, ...) DO(global, __VA_ARGS__) DO(local, __VA_ARGS__) DO(private, __VA_ARGS__)
#endif

#define AT_2(DO, ...) DO(0, __VA_ARGS__) DO(1, __VA_ARGS__)
#define AT_3(DO, ...) AT_2(DO, __VA_ARGS__) DO(2, __VA_ARGS__)
#define AT_4(DO, ...) AT_3(DO, __VA_ARGS__) DO(3, __VA_ARGS__)
#define AT_8(DO, ...) AT_4(DO, __VA_ARGS__) DO(4, __VA_ARGS__) DO(5, __VA_ARGS__) DO(6, __VA_ARGS__) DO(7, __VA_ARGS__)
#define AT_16(DO, ...)                                                                                                 \
  AT_8(DO, __VA_ARGS__) DO(8, __VA_ARGS__) DO(9, __VA_ARGS__) DO(a, __VA_ARGS__) DO(b, __VA_ARGS__)                    \
  DO(c, __VA_ARGS__) DO(d, __VA_ARGS__) DO(e, __VA_ARGS__) DO(f, __VA_ARGS__)
#define WIDTHS(DO, ...) DO(2, __VA_ARGS__) DO(3, __VA_ARGS__) DO(4, __VA_ARGS__) DO(8, __VA_ARGS__) DO(16, __VA_ARGS__)

#define OF_ONE(i, name) r.s##i = name(x.s##i);
#define OF_TWO(i, name) r.s##i = name(x.s##i, y.s##i);
#define OF_THREE(i, name) r.s##i = name(x.s##i, y.s##i, z.s##i);
#define ONE_WIDTH(n, result, name, type)                                                                               \
  FUNCTION result##n name(type##n x) {                                                                                 \
    result##n r;                                                                                                       \
    AT_##n(OF_ONE, name) return r;                                                                                     \
  }
#define TWO_WIDTH(n, result, name, type, other)                                                                        \
  FUNCTION result##n name(type##n x, other##n y) {                                                                     \
    result##n r;                                                                                                       \
    AT_##n(OF_TWO, name) return r;                                                                                     \
  }
#define THREE_WIDTH(n, result, name, type)                                                                             \
  FUNCTION result##n name(type##n x, type##n y, type##n z) {                                                           \
    result##n r;                                                                                                       \
    AT_##n(OF_THREE, name) return r;                                                                                   \
  }
#define VECTORS_OF_ONE(result, name, type) WIDTHS(ONE_WIDTH, result, name, type)
#define VECTORS_OF_TWO(result, name, type, other) WIDTHS(TWO_WIDTH, result, name, type, other)
#define VECTORS_OF_THREE(result, name, type) WIDTHS(THREE_WIDTH, result, name, type)
