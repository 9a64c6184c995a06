// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work-items of a work-group in turns. Linked with the kernel and optimised with it.
//
// GPUTEST_BARRIERS: work-items wait at barriers, and each has a frame. The first goes on when no other
// can run. GPUTEST_ORDERED: work-items run in the order that the context gives, else in ascending
// order.

void gputest_item(struct gputest_context *context, void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z);
void gputest_begin(struct gputest_context *context, void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z,
                   void *frame);
void gputest_resume(void *frame);

// Fills __local variables with one byte, so that a kernel that reads unwritten ones does the same every
// time. The launch itself fills those that it places.
void gputest_fill_local(gputest_u8 byte);

// Tells the simulator about every barrier that was reached. Returns 0 to end the group.
int gputest_turn(struct gputest_context *context);

// A work-item is about to run.
#ifdef GPUTEST_CHECKS
#define ENTER(index) (context->item = (index))
#else
#define ENTER(index) ((void)0)
#endif

#ifdef GPUTEST_BARRIERS
#define RUN(index, x, y, z)                                                                                            \
  do {                                                                                                                 \
    ENTER(index);                                                                                                      \
    gputest_begin(context, arguments, x, y, z, frames + (index) * frame_size);                                         \
    NOTE(index);                                                                                                       \
  } while (0)
#define NOTE(index)                                                                                                    \
  do {                                                                                                                 \
    const gputest_u64 status = context->status;                                                                        \
    statuses[index] = (gputest_u32)status;                                                                             \
    any |= status;                                                                                                     \
    differs |= status ^ statuses[first];                                                                               \
  } while (0)
#else
#define RUN(index, x, y, z)                                                                                            \
  do {                                                                                                                 \
    ENTER(index);                                                                                                      \
    gputest_item(context, arguments, x, y, z);                                                                         \
  } while (0)
#endif

void gputest_group(struct gputest_context *context, void *arguments) {
  const gputest_u64 width = context->local_size[0], height = context->local_size[1], depth = context->local_size[2];
  gputest_fill_local((gputest_u8)context->local_fill);
#ifdef GPUTEST_BARRIERS
  gputest_u8 *const frames = context->frames;
  gputest_u32 *const statuses = context->statuses;
  const gputest_u64 frame_size = GPUTEST_FRAME_SIZE;
  const gputest_u64 items = width * height * depth;
  gputest_u64 any = 0, differs = 0;
#endif
#ifdef GPUTEST_ORDERED
  const gputest_u32 *const order = context->order;
#ifdef GPUTEST_BARRIERS
  const gputest_u64 first = order[0];
#endif
  for (gputest_u64 at = 0; at < width * height * depth; ++at) {
    const gputest_u64 index = order[at];
    RUN(index, index % width, index / width % height, index / (width * height));
  }
#else
#ifdef GPUTEST_BARRIERS
  const gputest_u64 first = 0;
#endif
  for (gputest_u64 z = 0; z < depth; ++z)
    for (gputest_u64 y = 0; y < height; ++y)
      for (gputest_u64 x = 0; x < width; ++x)
        RUN((z * height + y) * width + x, x, y, z);
#endif
#ifdef GPUTEST_BARRIERS
  while (any) {
#ifndef GPUTEST_CHECKS
    if (differs)
#endif
      if (!gputest_turn(context))
        return;
    any = differs = 0;
    for (gputest_u64 at = 0; at < items; ++at) {
#ifdef GPUTEST_ORDERED
      const gputest_u64 index = order[at];
#else
      const gputest_u64 index = at;
#endif
      if (!statuses[index])
        continue;
      ENTER(index);
      gputest_resume(frames + index * frame_size);
      NOTE(index);
    }
  }
#endif
}
