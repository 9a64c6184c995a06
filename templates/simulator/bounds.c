// Accesses stay within the object that their pointer comes from. Linked with kernels that are checked
// for it, and inlined.

// Reports, and gives memory to access instead.
gputest_u8 *gputest_outside(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u8 *begin,
                            gputest_u64 length, gputest_u32 object, gputest_u32 site, int write);
void gputest_misaligned(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u64 alignment,
                        gputest_u32 site, int write);

__attribute__((always_inline)) gputest_u8 *
gputest_bounds(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u8 *begin,
               gputest_u64 length, gputest_u32 object, gputest_u32 site, int write) {
  const gputest_u64 offset = (gputest_u64)(at - begin);
  if (__builtin_expect((offset > length) | (length - offset < size), 0))
    return gputest_outside(context, at, size, begin, length, object, site, write);
  return at;
}

// For a pointer that may come from several objects: is it within any?
__attribute__((always_inline)) gputest_u8 *
gputest_bounds_of_any(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u32 site, int write) {
  for (gputest_u64 i = 0; i < context->object_count; ++i) {
    const gputest_u64 offset = (gputest_u64)(at - context->objects[i].begin), length = context->objects[i].size;
    if ((offset <= length) & (length - offset >= size))
      return at;
  }
  return gputest_outside(context, at, size, (gputest_u8 *)0, 0, ~0u, site, write);
}

__attribute__((always_inline)) void gputest_alignment(struct gputest_context *context, gputest_u8 *at,
                                                                    gputest_u64 size, gputest_u64 alignment,
                                                                    gputest_u32 site, int write) {
  if (__builtin_expect(((gputest_u64)at & (alignment - 1)) != 0, 0))
    gputest_misaligned(context, at, size, alignment, site, write);
}
