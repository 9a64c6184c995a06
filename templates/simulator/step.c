// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one work-item from where it stopped to its next stop: at a barrier, before it accesses memory
// that others share, or at its end. Linked with the kernel and optimised with it.

void gputest_item(struct gputest_context *context, void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z);
void gputest_begin(struct gputest_context *context, void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z,
                   void *frame);
void gputest_resume(void *frame);

void gputest_step(struct gputest_context *context, void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z,
                  void *frame, int begins) {
#ifdef GPUTEST_BARRIERS
  if (begins)
    gputest_begin(context, arguments, x, y, z, frame);
  else
    gputest_resume(frame);
#else
  gputest_item(context, arguments, x, y, z);
  context->status = 0;
#endif
}
