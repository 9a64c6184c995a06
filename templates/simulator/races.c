// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records who accessed memory, by byte or by word, and finds accesses that are not ordered. Linked with
// kernels that are checked for races, and inlined.
//
// Global memory: accesses of another group are never ordered; those of the same group are if there was
// a barrier with CLK_GLOBAL_MEM_FENCE in between. Local memory: accesses of other groups do not matter;
// those of the same group are ordered by a barrier with CLK_LOCAL_MEM_FENCE.
//
// A cell has a mark (context.h) for each kind of access, because the kinds of two accesses decide whether
// they conflict. For each kind, one access of an earlier group is enough, because no later group is ordered
// after it. Without one, the accesses of two work-items since the last barrier are enough: a third work-item
// conflicts with both, and either of the two with the other. So no access that conflicts with an unordered
// earlier one is missed, whatever else was accessed in between. The access of the second work-item is the
// mark's other one, in memory of its own, which few cells need.
//
// Plain writes are different, because two of them conflict. Their mark is that of the last write, so that
// reports name the value that others would read. The other mark is of an earlier group or of another
// work-item, with which the last write was in conflict.

#define MARK_BYTES 8
#ifdef GPUTEST_ATOMICS
#define CELL (4 * MARK_BYTES)
#else
#define CELL (2 * MARK_BYTES)
#endif
// With atomic accesses that are only for their group, the simulator looks at pairs of atomic ones, too.
#ifdef GPUTEST_SCOPES
#define BLOCK_SCOPES 1
#else
#define BLOCK_SCOPES 0
#endif
#define INLINE static inline __attribute__((always_inline))

INLINE gputest_u64 get_mark(const gputest_u8 *at) { return *(const gputest_u64 *)at; }

INLINE void set_mark(gputest_u8 *at, gputest_u64 mark) { *(gputest_u64 *)at = mark; }

#define ITEM_MASK (((1ull << GPUTEST_ITEM_BITS) - 1) << GPUTEST_ITEM_SHIFT)

// Is this the mark of another group? 0 is not. In __local memory other groups' marks are merely old.
INLINE int foreign(const struct gputest_context *context, gputest_u64 mark, int local) {
  return !local & (mark - 1 < context->group_start - 1);
}

INLINE gputest_u64 start(const struct gputest_context *context, int local) {
  return local ? context->local_start : context->global_start;
}

// Is the access that left `mark` not ordered before one by `mine`, of another work-item?
INLINE int unordered(const struct gputest_context *context, gputest_u64 mark, gputest_u64 mine, int local) {
  return ((mark >= start(context, local)) & (((mark ^ mine) & ITEM_MASK) != 0)) | foreign(context, mark, local);
}

// The same for a mark of any kind but plain writes, and its other one.
INLINE int any_unordered(const struct gputest_context *context, gputest_u64 mark, gputest_u64 mine, int local) {
  return unordered(context, mark, mine, local) |
         ((mark >= start(context, local)) & ((mark & GPUTEST_HAS_OTHER) != 0));
}

// The same for plain writes, but also 1 if there is another mark, at which the simulator looks then.
INLINE int maybe_unordered(const struct gputest_context *context, gputest_u64 mark, gputest_u64 mine, int local) {
  return unordered(context, mark, mine, local) | ((mark & GPUTEST_HAS_OTHER) != 0);
}

// Whether nothing was left there, or in local memory nothing since the barrier: mostly.
INLINE int is_free(const struct gputest_context *context, gputest_u64 mark, int local) {
  return __builtin_expect(local ? (mark < context->local_start) & ((mark & GPUTEST_HAS_OTHER) == 0) : mark == 0, 1);
}

INLINE gputest_u64 my_mark(const struct gputest_context *context, gputest_u32 site) {
  return context->now | context->item << GPUTEST_ITEM_SHIFT | (gputest_u64)site << GPUTEST_SITE_SHIFT;
}

INLINE gputest_u8 *cell_of(const struct gputest_context *context, const gputest_u8 *at) {
  return context->shadow + (gputest_u64)(at - context->arena) / GPUTEST_GRAIN * CELL;
}

// Leaves the mark of an access of any kind but plain writes. `from`: start(); `first`: of the group, 1 for local
// memory, which makes no mark foreign().
INLINE void note_from(gputest_u8 *at, gputest_u64 mine, gputest_u64 from, gputest_u64 first, gputest_u64 others) {
  const gputest_u64 mark = get_mark(at);
  if (mark - 1 < first - 1)
    return;
  if (mark < from) {
    set_mark(at, mine);
  } else if (((mark ^ mine) & ITEM_MASK) && !(mark & GPUTEST_HAS_OTHER)) {
    set_mark(at, mark | GPUTEST_HAS_OTHER);
    set_mark(at + others, mine);
  }
}

INLINE void note(const struct gputest_context *context, gputest_u8 *at, gputest_u64 mine, int local) {
  note_from(at, mine, start(context, local), local ? 1 : context->group_start, context->others);
}

// Leaves the mark of a plain write.
INLINE void note_write(const struct gputest_context *context, gputest_u8 *at, gputest_u64 mine, int local) {
  const gputest_u64 mark = get_mark(at);
  if (__builtin_expect(maybe_unordered(context, mark, mine, local), 0)) {
    const gputest_u64 other = mark & GPUTEST_HAS_OTHER ? get_mark(at + context->others) : 0;
    if (!foreign(context, other, local) && unordered(context, mark, mine, local)) {
      set_mark(at + context->others, mark & ~GPUTEST_HAS_OTHER);
      mine |= GPUTEST_HAS_OTHER;
    } else if (foreign(context, other, local) || other >= start(context, local)) {
      mine |= GPUTEST_HAS_OTHER;
    }
  }
  set_mark(at, mine);
}

// Checks an access before it is made. Returns 1 if an access of another work-item is not ordered before it,
// or if the simulator has to look. Leaves the mark of reads and of atomic accesses.
INLINE int gputest_access(const struct gputest_context *context, const gputest_u8 *at, gputest_u64 size,
                          gputest_u32 site, int local, int atomic, int write) {
  const gputest_u64 mine = my_mark(context, site);
  gputest_u8 *cell = cell_of(context, at);
#ifdef GPUTEST_COPIES
  int found = (at < context->copies_end) & (at + size > context->copies_begin);
#else
  int found = 0;
#endif
  for (gputest_u64 done = 0; done < size; done += GPUTEST_GRAIN, cell += CELL) {
    if (!is_free(context, get_mark(cell), local))
      found |= maybe_unordered(context, get_mark(cell), mine, local);
    if (write && !is_free(context, get_mark(cell + GPUTEST_PLAIN_READ * MARK_BYTES), local))
      found |= any_unordered(context, get_mark(cell + GPUTEST_PLAIN_READ * MARK_BYTES), mine, local);
#ifdef GPUTEST_ATOMICS
    if (!atomic | BLOCK_SCOPES)
      found |= any_unordered(context, get_mark(cell + GPUTEST_ATOMIC_WRITE * MARK_BYTES), mine, local);
    if (write && (!atomic | BLOCK_SCOPES))
      found |= any_unordered(context, get_mark(cell + GPUTEST_ATOMIC_READ * MARK_BYTES), mine, local);
    if (atomic)
      note(context, cell + (write ? GPUTEST_ATOMIC_WRITE : GPUTEST_ATOMIC_READ) * MARK_BYTES, mine, local);
#endif
    if (!write && !atomic)
      note(context, cell + GPUTEST_PLAIN_READ * MARK_BYTES, mine, local);
#ifdef GPUTEST_SYNCS // the simulator looks whether the earlier access is ordered, and forgets it then
    if (context->orders && (atomic || !write)) {
      const gputest_u64 now = get_mark(cell + (!atomic ? GPUTEST_PLAIN_READ : write ? GPUTEST_ATOMIC_WRITE :
                                               GPUTEST_ATOMIC_READ) * MARK_BYTES);
      found |= now != mine && (unordered(context, now, mine, local) || now < context->group_start);
    }
#endif
  }
  return found;
}

__attribute__((always_inline)) int gputest_read(const struct gputest_context *context, const gputest_u8 *at,
                                                gputest_u64 size, gputest_u32 site, int local, int atomic) {
  return gputest_access(context, at, size, site, local, atomic, 0);
}

// A write or an atomic operation.
__attribute__((always_inline)) int gputest_write(const struct gputest_context *context, const gputest_u8 *at,
                                                 gputest_u64 size, gputest_u32 site, int local, int atomic) {
  return gputest_access(context, at, size, site, local, atomic, 1);
}

// An atomic operation that writes only if `writes`.
__attribute__((always_inline)) int gputest_exchange(const struct gputest_context *context, const gputest_u8 *at,
                                                    gputest_u64 size, gputest_u32 site, int local, int writes) {
  return writes ? gputest_access(context, at, size, site, local, 1, 1)
                : gputest_access(context, at, size, site, local, 1, 0);
}

// Leaves the mark of a plain write, after gputest_write returned 0: as gputest_mark does, which finds nothing then.
__attribute__((always_inline)) void gputest_mark_free(const struct gputest_context *context, const gputest_u8 *at,
                                                      gputest_u64 size, gputest_u32 site) {
  const gputest_u64 mine = my_mark(context, site);
  gputest_u8 *cell = cell_of(context, at);
  for (gputest_u64 done = 0; done < size; done += GPUTEST_GRAIN, cell += CELL)
    set_mark(cell, mine);
}

// Leaves the mark of a plain write, after gputest_write.
__attribute__((noinline)) void gputest_mark(const struct gputest_context *context, const gputest_u8 *at,
                                            gputest_u64 size, gputest_u32 site, int local) {
  const gputest_u64 mine = my_mark(context, site);
  gputest_u8 *cell = cell_of(context, at);
  for (gputest_u64 done = 0; done < size; done += GPUTEST_GRAIN, cell += CELL)
    note_write(context, cell, mine, local);
}

#ifdef GPUTEST_RANGES
// Fewer accesses than this are checked one by one.
#define FEWEST_OF_RANGE 4
// What gputest_range returns.
#define RANGE_FOUND 1
#define RANGE_LEAVES_MARKS 2

// What all accesses of a range have in common.
struct range {
  gputest_u64 mine, from, first, others; // `from`, `first`: as for note_from()
};

INLINE gputest_u64 least(gputest_u64 a, gputest_u64 b) { return a < b ? a : b; }

INLINE gputest_u64 most(gputest_u64 a, gputest_u64 b) { return a < b ? b : a; }

INLINE int conflicts(struct range all, gputest_u64 mark, int with_other) {
  return ((mark >= all.from) & ((((mark ^ all.mine) & ITEM_MASK) != 0) | with_other)) | (mark - 1 < all.first - 1);
}

INLINE int conflicts_any(struct range all, gputest_u64 mark) {
  return conflicts(all, mark, (mark & GPUTEST_HAS_OTHER) != 0);
}

INLINE int conflict_in(struct range all, const gputest_u8 *cell, gputest_u64 step, gputest_u64 cells, int write) {
  int found = 0;
  for (gputest_u64 k = 0; k < cells; ++k, cell += step) {
    const gputest_u64 written = get_mark(cell);
    found |= conflicts(all, written, 0) | ((written & GPUTEST_HAS_OTHER) != 0);
#ifdef GPUTEST_ATOMICS
    found |= conflicts_any(all, get_mark(cell + GPUTEST_ATOMIC_WRITE * MARK_BYTES));
    if (write)
      found |= conflicts_any(all, get_mark(cell + GPUTEST_ATOMIC_READ * MARK_BYTES));
#endif
    if (write)
      found |= conflicts_any(all, get_mark(cell + GPUTEST_PLAIN_READ * MARK_BYTES));
  }
  return found;
}

// Whether an access conflicts with a mark of cells that are `step` bytes apart. Adjacent cells become vectors.
__attribute__((noinline)) int found_in(const struct range *all, const gputest_u8 *cell, gputest_u64 step,
                                       gputest_u64 cells, int write) {
  if (step == CELL)
    return write ? conflict_in(*all, cell, CELL, cells, 1) : conflict_in(*all, cell, CELL, cells, 0);
  return conflict_in(*all, cell, step, cells, write);
}

// Returns RANGE_… for reads of cells that are `step` bytes apart. Mostly, the least and the most of the marks are
// enough.
INLINE int look_to_read(const struct range *of, const gputest_u8 *cell, gputest_u64 step, gputest_u64 cells) {
  const struct range all = *of;
  const gputest_u8 *at = cell;
  gputest_u64 newest = 0, any = 0, oldest_read = ~0ull, newest_read = 0, each_read = ~0ull;
  for (gputest_u64 k = 0; k < cells; ++k, at += step) {
    const gputest_u64 written = get_mark(at), read = get_mark(at + GPUTEST_PLAIN_READ * MARK_BYTES);
    any |= written;
    newest = most(newest, written);
#ifdef GPUTEST_ATOMICS
    newest = most(newest, get_mark(at + GPUTEST_ATOMIC_WRITE * MARK_BYTES));
#endif
    oldest_read = least(oldest_read, read);
    newest_read = most(newest_read, read);
    each_read &= read;
  }
  // Nothing is there, or in local memory nothing since the barrier.
  const int none = (newest == 0) | ((newest < all.from) & (all.first == 1) & ((any & GPUTEST_HAS_OTHER) == 0));
  // note_from() does nothing where there are marks of two work-items, or of groups before.
  const int stays = ((oldest_read >= all.from) & ((each_read & GPUTEST_HAS_OTHER) != 0)) |
                    ((oldest_read - 1 < all.first - 1) & (newest_read < all.first));
  return (!none && found_in(of, cell, step, cells, 0) ? RANGE_FOUND : 0) | (stays ? 0 : RANGE_LEAVES_MARKS);
}

// Looks at cells that are `step` bytes apart, or leaves marks there.
INLINE int visit_cells(const struct range *of, gputest_u8 *cell, gputest_u64 step, gputest_u64 cells, int write,
                       int leave) {
  if (!leave && write)
    return (found_in(of, cell, step, cells, 1) ? RANGE_FOUND : 0) | RANGE_LEAVES_MARKS;
  if (!leave)
    return look_to_read(of, cell, step, cells);
  const struct range all = *of;
  for (gputest_u64 k = 0; k < cells; ++k, cell += step)
    if (write)
      set_mark(cell, all.mine);
    else
      note_from(cell + GPUTEST_PLAIN_READ * MARK_BYTES, all.mine, all.from, all.first, all.others);
  return 0;
}

INLINE int visit_range(const struct gputest_context *context, const gputest_u8 *begin, gputest_u64 stride,
                       gputest_u64 count, gputest_u64 size, gputest_u32 site, int local, int write, int leave) {
  const struct range all = {my_mark(context, site), start(context, local), local ? 1 : context->group_start,
                            context->others};
  gputest_u8 *cell = cell_of(context, begin);
  const int adjacent = stride == size; // like one large access
  const gputest_u64 step = stride / GPUTEST_GRAIN * CELL, accesses = adjacent ? 1 : count,
                    cells = ((adjacent ? count * size : size) + GPUTEST_GRAIN - 1) / GPUTEST_GRAIN;
  if (cells == 1)
    return visit_cells(&all, cell, step, accesses, write, leave);
  int looked = 0;
  for (gputest_u64 i = 0; i < accesses; ++i, cell += step)
    looked |= visit_cells(&all, cell, CELL, cells, write, leave);
  return looked;
}

// Checks `count` accesses of `size` bytes from `begin`, `stride` bytes apart (0: one access), before they are
// made. Returns RANGE_FOUND if any may be part of a race, or is where there are no marks; and RANGE_LEAVES_MARKS if
// gputest_mark_range has something to do. Marks nothing.
__attribute__((noinline)) int gputest_range(const struct gputest_context *context, const gputest_u8 *begin,
                                            gputest_u64 stride, gputest_u64 count, gputest_u64 size,
                                            gputest_u32 site, int local, int write) {
  const gputest_u64 offset = (gputest_u64)(begin - context->arena), space = context->others / CELL * GPUTEST_GRAIN;
  if (count == 0)
    return 0;
  if ((count < FEWEST_OF_RANGE && stride) || stride % GPUTEST_GRAIN != 0)
    return RANGE_FOUND;
  if (offset > space || (stride && count > (space - offset) / stride) || space - offset < (count - 1) * stride + size)
    return RANGE_FOUND;
#ifdef GPUTEST_COPIES
  if ((begin < context->copies_end) & (begin + (count - 1) * stride + size > context->copies_begin))
    return RANGE_FOUND;
#endif
  return write ? visit_range(context, begin, stride, count, size, site, local, 1, 0)
               : visit_range(context, begin, stride, count, size, site, local, 0, 0);
}

// Leaves the marks of accesses for which gputest_range returned `looked`, without RANGE_FOUND.
__attribute__((noinline)) void gputest_mark_range(const struct gputest_context *context, const gputest_u8 *begin,
                                                  gputest_u64 stride, gputest_u64 count, gputest_u64 size,
                                                  gputest_u32 site, int local, int write, int looked) {
  if (!(looked & RANGE_LEAVES_MARKS))
    return;
  if (write)
    visit_range(context, begin, stride, count, size, site, local, 1, 1);
  else
    visit_range(context, begin, stride, count, size, site, local, 0, 1);
}
#endif
