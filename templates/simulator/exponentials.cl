// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2 and erfc of float, of which libclc's have no results below the least normal number. Compiled when a kernel
// calls one of them, and linked with it. gputest_library_<name> is libclc's function (ir/builtins.cpp).

#define SMALL_TOO(name, is_small)                                                                                      \
  FUNCTION float gputest_library_##name(float x);                                                                      \
  FUNCTION double gputest_library_##name(double x);                                                                    \
  FUNCTION float name(float x) {                                                                                       \
    return is_small ? (float)gputest_library_##name((double)x) : gputest_library_##name(x);                            \
  }                                                                                                                    \
  VECTORS_OF_ONE(float, name, float)
SMALL_TOO(exp, x < -87.0f)
SMALL_TOO(exp2, x < -126.0f)
SMALL_TOO(erfc, x > 1.0f) // off by more than 16 steps from 7 on
