// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that belong to one program alone. OpenCL C 1.0 and 1.1 have no `static`: there an attribute does the same,
 * and compilers that do not know it leave the functions visible, which matters only where programs are linked. */
#if __OPENCL_C_VERSION__ >= 120
#define GPUTEST_STATIC static
#else
#ifdef __has_attribute
#if __has_attribute(internal_linkage)
#define GPUTEST_STATIC __attribute__((internal_linkage))
#endif
#endif
#ifndef GPUTEST_STATIC
#define GPUTEST_STATIC
#endif
#endif
