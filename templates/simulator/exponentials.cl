// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2 and erfc of float, of which libclc's have no results below the least normal number. Compiled when a kernel
// calls one of them, and linked with it. gputest_library_<name> is libclc's function (ir/builtins.cpp).

// Far below 0, the result is that of a number that is nearer, which `away` leads to without an error, times a constant.
#define SCALED(name, least, away, scale)                                                                               \
  FUNCTION float gputest_library_##name(float x);                                                                      \
  FUNCTION float name(float x) {                                                                                       \
    const bool small = x < least;                                                                                      \
    return gputest_library_##name(x + (small ? away : 0.0f)) * (small ? scale : 1.0f);                                 \
  }                                                                                                                    \
  VECTORS_OF_ONE(float, name, float)
SCALED(exp, -87.0f, 32.0f, 0x1.c8465p-47f) // exp(-32)
SCALED(exp2, -126.0f, 64.0f, 0x1p-64f)

FUNCTION float gputest_library_erfc(float x);
FUNCTION double gputest_library_erfc(double x);
FUNCTION float erfc(float x) { // off by more than 16 steps from 7 on
  return x > 1.0f ? (float)gputest_library_erfc((double)x) : gputest_library_erfc(x);
}
VECTORS_OF_ONE(float, erfc, float)
