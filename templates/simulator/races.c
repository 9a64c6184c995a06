// Who accessed what, byte by byte or word by word, and whether two accesses are ordered. Linked with
// kernels that are checked for races, and inlined.
//
// A cell has two marks (context.h): of the last write, and of the read that rules out most: one of
// another group if there is any, else the first since the last barrier. Work-items take turns only at
// barriers, so these two are enough: a read that is forgotten is ordered before whatever comes, or
// would be reported together with the one that is kept.
//
// Global memory: accesses of another group are never ordered; those of the same group are if there was
// a barrier with CLK_GLOBAL_MEM_FENCE in between. Local memory: accesses of other groups do not matter;
// those of the same group are ordered by a barrier with CLK_LOCAL_MEM_FENCE.

typedef unsigned short gputest_u16;

#ifdef GPUTEST_NARROW
#define CELL 12
#define READ_AT 6
#define GRAIN 1
#else
#define CELL 16
#define READ_AT 8
#define GRAIN 4
#endif

static inline __attribute__((always_inline)) gputest_u64 get_mark(const gputest_u8 *at) {
  gputest_u64 mark;
  __builtin_memcpy(&mark, at, 8);
#ifdef GPUTEST_NARROW
  mark &= (1ull << 48) - 1;
#endif
  return mark;
}

static inline __attribute__((always_inline)) void set_mark(gputest_u8 *at, gputest_u64 mark) {
#ifdef GPUTEST_NARROW
  const gputest_u32 low = (gputest_u32)mark;
  const gputest_u16 high = (gputest_u16)(mark >> 32);
  __builtin_memcpy(at, &low, 4);
  __builtin_memcpy(at + 4, &high, 2);
#else
  __builtin_memcpy(at, &mark, 8);
#endif
}

#define ITEM_MASK (((1ull << GPUTEST_ITEM_BITS) - 1) << GPUTEST_ITEM_SHIFT)

// Is this the mark of another group? 0 is not.
static inline __attribute__((always_inline)) int foreign(const struct gputest_context *context, gputest_u64 mark) {
  return mark - 1 < context->group_start - 1;
}

static inline __attribute__((always_inline)) gputest_u64 start(const struct gputest_context *context, int local) {
  return local ? context->local_start : context->global_start;
}

// Is the access that left `mark` not ordered before one by `mine`, of another work-item?
static inline __attribute__((always_inline)) int unordered(const struct gputest_context *context, gputest_u64 mark,
                                                           gputest_u64 mine, int local) {
  const int same_group = (mark >= start(context, local)) & (((mark ^ mine) & ITEM_MASK) != 0);
  return local ? same_group : same_group | foreign(context, mark);
}

static inline __attribute__((always_inline)) gputest_u64 my_mark(const struct gputest_context *context,
                                                                 gputest_u32 site, int atomic) {
  return context->now | context->item << GPUTEST_ITEM_SHIFT | (gputest_u64)site << GPUTEST_SITE_SHIFT |
         (atomic ? GPUTEST_ATOMIC : 0);
}

static inline __attribute__((always_inline)) gputest_u8 *cell_of(const struct gputest_context *context,
                                                                 const gputest_u8 *at) {
  return context->shadow + (gputest_u64)(at - context->arena) / GRAIN * CELL;
}

// Have other work-items of the group accessed it as well, since the last barrier?
static inline __attribute__((always_inline)) int has_others(const struct gputest_context *context, gputest_u64 mark,
                                                            int local) {
  return (mark & GPUTEST_SEVERAL) && mark >= start(context, local);
}

// A read: 1 if another work-item's write may come before or after it. Leaves its mark.
__attribute__((always_inline)) int gputest_read(const struct gputest_context *context,
                                                              const gputest_u8 *at, gputest_u64 size,
                                                              gputest_u32 site, int local, int atomic) {
  const gputest_u64 mine = my_mark(context, site, atomic);
  gputest_u8 *cell = cell_of(context, at);
  int found = 0;
  for (gputest_u64 done = 0; done < size; done += GRAIN, cell += CELL) {
    const gputest_u64 write = get_mark(cell), read = get_mark(cell + READ_AT);
    found |= (unordered(context, write, mine, local) | has_others(context, write, local)) &
             !(atomic && (write & GPUTEST_ATOMIC));
    const int kept = (read >= start(context, local) || (!local && foreign(context, read))) &&
                     !((read & GPUTEST_ATOMIC) && !atomic);
    if (!kept)
      set_mark(cell + READ_AT, mine);
    else if (((read ^ mine) & ITEM_MASK) && !(read & GPUTEST_SEVERAL))
      set_mark(cell + READ_AT, read | GPUTEST_SEVERAL);
  }
  return found;
}

// A write or an atomic operation: 1 if another work-item's access may come before or after it.
__attribute__((always_inline)) int gputest_write(const struct gputest_context *context,
                                                               const gputest_u8 *at, gputest_u64 size,
                                                               gputest_u32 site, int local, int atomic) {
  const gputest_u64 mine = my_mark(context, site, atomic);
  const gputest_u8 *cell = cell_of(context, at);
  int found = 0;
  for (gputest_u64 done = 0; done < size; done += GRAIN, cell += CELL) {
    const gputest_u64 write = get_mark(cell), read = get_mark(cell + READ_AT);
    found |= (unordered(context, write, mine, local) | has_others(context, write, local)) &
             !(atomic && (write & GPUTEST_ATOMIC));
    found |= (unordered(context, read, mine, local) | has_others(context, read, local)) &
             !(atomic && (read & GPUTEST_ATOMIC));
  }
  return found;
}

// Leaves the mark of a write, after gputest_write. Atomic operations of several work-items are no race,
// and each of them is one with whatever else comes.
__attribute__((always_inline)) void gputest_mark(const struct gputest_context *context, const gputest_u8 *at,
                                                 gputest_u64 size, gputest_u32 site, int local, int atomic) {
  const gputest_u64 mine = my_mark(context, site, atomic);
  gputest_u8 *cell = cell_of(context, at);
  for (gputest_u64 done = 0; done < size; done += GRAIN, cell += CELL) {
    const gputest_u64 before = atomic ? get_mark(cell) : 0;
    const int several = atomic && (before & GPUTEST_ATOMIC) &&
                        (unordered(context, before, mine, local) | has_others(context, before, local));
    set_mark(cell, mine | (several ? GPUTEST_SEVERAL : 0));
  }
}
