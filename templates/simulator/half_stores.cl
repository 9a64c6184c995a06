// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vstore_half and vstorea_half towards an infinity, which libclc gets wrong for numbers below the least half.
// Compiled when a kernel calls one of them, and linked with it.

#define STORE(space, type, mode)                                                                                       \
  FUNCTION void vstore_half##mode(type x, size_t at, space half *to) {                                                 \
    ((space ushort *)to)[at] = as_ushort(convert_half##mode(x));                                                       \
  }                                                                                                                    \
  WIDTHS(STORE_WIDTH, space, type, mode)
#define STORE_AT(i, mode) bits.s##i = as_ushort(convert_half##mode(x.s##i));
#define STORE_WIDTH(n, space, type, mode)                                                                              \
  FUNCTION void vstore_half##n##mode(type##n x, size_t at, space half *to) {                                           \
    ushort##n bits;                                                                                                    \
    AT_##n(STORE_AT, mode) vstore##n(bits, at, (space ushort *)to);                                                    \
  }                                                                                                                    \
  FUNCTION void vstorea_half##n##mode(type##n x, size_t at, space half *to) {                                          \
    ushort##n bits;                                                                                                    \
    AT_##n(STORE_AT, mode) vstore##n(bits, 0, (space ushort *)to + at * (sizeof(ushort##n) / sizeof(ushort)));         \
  }
#define STORES(space, type) STORE(space, type, _rtp) STORE(space, type, _rtn)
SPACES(STORES, float)
SPACES(STORES, double)
