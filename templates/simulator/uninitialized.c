// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of unwritten bytes to global memory. Linked with kernels whose values are tracked, and inlined.

void gputest_report(struct gputest_context *context, gputest_u32 site, gputest_u32 message);

// The shadow of a byte is at its address with these bits flipped (simulator/checks/uninitialized.cpp). A byte of
// which a part is written counts as written: bit-fields leave bits of their own unwritten.
__attribute__((always_inline)) void gputest_copied_out(struct gputest_context *context, const gputest_u8 *from,
                                                       gputest_u64 size, gputest_u32 site, gputest_u32 message) {
  const gputest_u8 *const shadow = (const gputest_u8 *)((gputest_u64)from ^ 0x500000000000ul);
  for (gputest_u64 i = 0; i < size; ++i)
    if (__builtin_expect(shadow[i] == 0xff, 0)) {
      gputest_report(context, site, message);
      return;
    }
}
