// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps accesses within the object from which their pointer comes. Linked with kernels whose bounds are
// checked, and inlined.

// These report an access. The first two return memory to access instead.
gputest_u8 *gputest_outside(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u8 *begin,
                            gputest_u64 length, gputest_u32 object, gputest_u32 site, int write);
gputest_u8 *gputest_outside_member(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u8 *begin,
                                   gputest_u64 length, gputest_u32 object, gputest_u32 site, int write);
void gputest_misaligned(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u64 alignment,
                        gputest_u32 site, int write);

// Whether `size` bytes at `offset` are not within `length`. `last`: the highest offset at which they are, which is
// quicker to compare; ~0: not known.
static __attribute__((always_inline)) int gputest_leaves(gputest_u64 offset, gputest_u64 size, gputest_u64 length,
                                                         gputest_u64 last) {
  return last != ~0ull ? offset > last : (offset > length) | (length - offset < size);
}

__attribute__((always_inline)) gputest_u8 *
gputest_bounds(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u8 *begin,
               gputest_u64 length, gputest_u64 last, gputest_u32 object, gputest_u32 site, int write) {
  if (__builtin_expect(gputest_leaves((gputest_u64)(at - begin), size, length, last), 0))
    return gputest_outside(context, at, size, begin, length, object, site, write);
  return at;
}

// The same for an access that is also to stay within an array in the object, `inside` which it is at that offset.
__attribute__((always_inline)) gputest_u8 *
gputest_bounds_and_member(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u8 *begin,
                          gputest_u64 length, gputest_u64 last, gputest_u32 object, gputest_u32 site, int write,
                          gputest_u64 inside, gputest_u64 member_length, gputest_u64 member_last) {
  const int leaves = gputest_leaves((gputest_u64)(at - begin), size, length, last);
  if (__builtin_expect(leaves | gputest_leaves(inside, size, member_length, member_last), 0))
    return leaves ? gputest_outside(context, at, size, begin, length, object, site, write)
                  : gputest_outside_member(context, at, size, at - inside, member_length, object, site, write);
  return at;
}

// Checks one more array in the object; `checked` is the result of the other checks for `at`.
__attribute__((always_inline)) gputest_u8 *gputest_member(struct gputest_context *context, gputest_u8 *checked,
                                                          gputest_u8 *at, gputest_u64 size, gputest_u64 inside,
                                                          gputest_u64 length, gputest_u32 object, gputest_u32 site,
                                                          int write) {
  if (__builtin_expect((checked == at) & gputest_leaves(inside, size, length, ~0ull), 0))
    return gputest_outside_member(context, at, size, at - inside, length, object, site, write);
  return checked;
}

// For a pointer that may come from several objects: is it within any?
__attribute__((always_inline)) gputest_u8 *
gputest_bounds_of_any(struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u32 site, int write) {
  for (gputest_u64 i = 0; i < context->object_count; ++i) {
    const gputest_u64 offset = (gputest_u64)(at - context->objects[i].begin);
    const gputest_u64 length = write ? context->objects[i].writable : context->objects[i].size;
    if ((offset <= length) & (length - offset >= size))
      return at;
  }
  return gputest_outside(context, at, size, (gputest_u8 *)0, 0, ~0u, site, write);
}

int gputest_is_of_cluster(const gputest_u8 *at, gputest_u64 size);

// Not inlined: such pointers are rare, and every access would have a copy of the loop.
static __attribute__((noinline)) gputest_u8 *gputest_beside_memory(struct gputest_context *context, gputest_u8 *at,
                                                                   gputest_u64 size, gputest_u32 site, int write) {
  if (context->cluster[0] * context->cluster[1] * context->cluster[2] > 1 && gputest_is_of_cluster(at, size))
    return at;
  return gputest_bounds_of_any(context, at, size, site, write);
}

// CUDA: for a pointer that may come from anywhere. Device memory has a table of its pages; any other address
// that is not null is the thread's own.
__attribute__((always_inline)) gputest_u8 *gputest_bounds_of_memory(struct gputest_context *context, gputest_u8 *at,
                                                                    gputest_u64 size, gputest_u32 site, int write) {
  const gputest_u64 offset = (gputest_u64)(at - context->memory_begin), page = offset >> 12;
  if (__builtin_expect(page < context->memory_pages, 1)) {
    const struct gputest_object *allocation = &context->allocations[context->memory[page]];
    const gputest_u64 inside = (gputest_u64)(at - allocation->begin);
    const gputest_u64 length = write ? allocation->writable : allocation->size;
    if (__builtin_expect((inside <= length) & (length - inside >= size), 1))
      return at;
    return gputest_outside(context, at, size, (gputest_u8 *)0, 0, ~0u, site, write);
  }
  if (offset < (context->memory_pages << 12) + context->beside_memory)
    return gputest_beside_memory(context, at, size, site, write);
  if (__builtin_expect((gputest_u64)at < 65536, 0))
    return gputest_outside(context, at, size, (gputest_u8 *)0, 0, ~0u, site, write);
  return at;
}

// For a pointer that may come from several constants or private variables: is it no null pointer?
__attribute__((always_inline)) gputest_u8 *gputest_not_null(struct gputest_context *context, gputest_u8 *at,
                                                            gputest_u64 size, gputest_u32 site, int write) {
  if (__builtin_expect((gputest_u64)at < 65536, 0))
    return gputest_outside(context, at, size, (gputest_u8 *)0, 0, ~0u, site, write);
  return at;
}

// For a pointer that points into the object with these bounds, and that may point to something else in other runs. A
// length of ~0: the bounds are not known, and the function of the name's first part decides.
#define GPUTEST_OR(otherwise)                                                                                          \
  static __attribute__((noinline)) gputest_u8 *otherwise##_alone(struct gputest_context *context, gputest_u8 *at,      \
                                                                 gputest_u64 size, gputest_u32 site, int write) {      \
    return otherwise(context, at, size, site, write);                                                                  \
  }                                                                                                                    \
  __attribute__((always_inline)) gputest_u8 *otherwise##_or(                                                           \
      struct gputest_context *context, gputest_u8 *at, gputest_u64 size, gputest_u8 *begin, gputest_u64 length,        \
      gputest_u32 object, gputest_u32 site, int write) {                                                               \
    const gputest_u64 offset = (gputest_u64)(at - begin);                                                              \
    if (__builtin_expect(length == ~0ull, 0))                                                                          \
      return otherwise##_alone(context, at, size, site, write);                                                        \
    if (__builtin_expect((offset > length) | (length - offset < size), 0))                                             \
      return gputest_outside(context, at, size, begin, length, object, site, write);                                   \
    return at;                                                                                                         \
  }
GPUTEST_OR(gputest_bounds_of_any)
GPUTEST_OR(gputest_bounds_of_memory)
GPUTEST_OR(gputest_not_null)

// After a copy of memory that may hold pointers: copies what `from_slots` has of their bounds to `to_slots`
// (simulator/checks/chosen.cpp). Each has six words for eight bytes of its variable, which begins at `…_begin`.
void gputest_copy_bounds(gputest_u64 *to_slots, gputest_u8 *to, gputest_u8 *to_begin, gputest_u64 to_size,
                         gputest_u64 *from_slots, gputest_u8 *from, gputest_u8 *from_begin, gputest_u64 from_size,
                         gputest_u64 size) {
  const gputest_u64 to_first = (gputest_u64)(to - to_begin), from_first = (gputest_u64)(from - from_begin);
  const int backwards = to_slots == from_slots && to_first > from_first;
  for (gputest_u64 n = 0; n < size / 8; ++n) {
    const gputest_u64 at = 8 * (backwards ? size / 8 - 1 - n : n);
    if (!to_slots || to_first + at >= to_size)
      continue;
    const int known = from_slots && from_first + at < from_size;
    for (int word = 0; word < 6; ++word)
      to_slots[(to_first + at) / 8 * 6 + word] = known ? from_slots[(from_first + at) / 8 * 6 + word] : 0;
  }
}

__attribute__((always_inline)) void gputest_alignment(struct gputest_context *context, gputest_u8 *at,
                                                                    gputest_u64 size, gputest_u64 alignment,
                                                                    gputest_u32 site, int write) {
  if (__builtin_expect(((gputest_u64)at & (alignment - 1)) != 0, 0))
    gputest_misaligned(context, at, size, alignment, site, write);
}
