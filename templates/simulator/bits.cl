// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_extended_bit_ops and cl_khr_integer_dot_product. Compiled when a kernel calls one of their functions, and
// linked with it.

// The bits of a component, shifted as `word`, which is unsigned and at least as wide as an int.
#define FIELDS(type, signed_type, unsigned_type, word, signed_word, bits)                                              \
  FUNCTION type bit_reverse(type x) {                                                                                  \
    word from = (unsigned_type)x, r = 0;                                                                               \
    for (int i = 0; i < bits; ++i, from >>= 1)                                                                         \
      r = r << 1 | (from & 1);                                                                                         \
    return (type)r;                                                                                                    \
  }                                                                                                                    \
  VECTORS_OF_ONE(type, bit_reverse, type)                                                                              \
  FUNCTION unsigned_type bitfield_extract_unsigned(type x, uint offset, uint count) {                                  \
    return count == 0 ? 0                                                                                              \
                      : (unsigned_type)((word)((unsigned_type)x) >> (offset % bits) &                                  \
                                        ~(word)0 >> (8 * sizeof(word) - min(count, (uint)bits)));                      \
  }                                                                                                                    \
  FUNCTION signed_type bitfield_extract_signed(type x, uint offset, uint count) {                                      \
    const uint unused = 8 * sizeof(word) - min(count, (uint)bits);                                                     \
    return count == 0 ? 0                                                                                              \
                      : (signed_type)((signed_word)((word)bitfield_extract_unsigned(x, offset, count) << unused) >>    \
                                      unused);                                                                         \
  }                                                                                                                    \
  FUNCTION type bitfield_insert(type x, type y, uint offset, uint count) {                                             \
    const word mask = count == 0 ? 0 : ~(word)0 >> (8 * sizeof(word) - min(count, (uint)bits)) << (offset % bits);     \
    return (type)(((word)x & ~mask) | ((word)y << (offset % bits) & mask));                                            \
  }                                                                                                                    \
  WIDTHS(FIELD_WIDTH, type, signed_type, unsigned_type)
#define EXTRACT_AT(i, name) r.s##i = name(x.s##i, offset, count);
#define INSERT_AT(i, unused) r.s##i = bitfield_insert(x.s##i, y.s##i, offset, count);
#define FIELD_WIDTH(n, type, signed_type, unsigned_type)                                                               \
  FUNCTION unsigned_type##n bitfield_extract_unsigned(type##n x, uint offset, uint count) {                            \
    unsigned_type##n r;                                                                                                \
    AT_##n(EXTRACT_AT, bitfield_extract_unsigned) return r;                                                            \
  }                                                                                                                    \
  FUNCTION signed_type##n bitfield_extract_signed(type##n x, uint offset, uint count) {                                \
    signed_type##n r;                                                                                                  \
    AT_##n(EXTRACT_AT, bitfield_extract_signed) return r;                                                              \
  }                                                                                                                    \
  FUNCTION type##n bitfield_insert(type##n x, type##n y, uint offset, uint count) {                                    \
    type##n r;                                                                                                         \
    AT_##n(INSERT_AT, ) return r;                                                                                      \
  }
FIELDS(char, char, uchar, uint, int, 8)
FIELDS(uchar, char, uchar, uint, int, 8)
FIELDS(short, short, ushort, uint, int, 16)
FIELDS(ushort, short, ushort, uint, int, 16)
FIELDS(int, int, uint, uint, int, 32)
FIELDS(uint, int, uint, uint, int, 32)
FIELDS(long, long, ulong, ulong, long, 64)
FIELDS(ulong, long, ulong, ulong, long, 64)

#define DOT(result, left, right, packed)                                                                               \
  FUNCTION result dot(left##4 x, right##4 y) {                                                                         \
    return (result)x.s0 * (result)y.s0 + (result)x.s1 * (result)y.s1 + (result)x.s2 * (result)y.s2 +                   \
           (result)x.s3 * (result)y.s3;                                                                                \
  }                                                                                                                    \
  FUNCTION result dot_acc_sat(left##4 x, right##4 y, result z) { return add_sat(dot(x, y), z); }                       \
  FUNCTION result dot_4x8packed_##packed(uint x, uint y) { return dot(as_##left##4(x), as_##right##4(y)); }            \
  FUNCTION result dot_acc_sat_4x8packed_##packed(uint x, uint y, result z) {                                           \
    return dot_acc_sat(as_##left##4(x), as_##right##4(y), z);                                                          \
  }
DOT(int, char, char, ss_int)
DOT(int, char, uchar, su_int)
DOT(int, uchar, char, us_int)
DOT(uint, uchar, uchar, uu_uint)
