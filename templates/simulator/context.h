// What compiled kernels and the simulator's native code share: plain C, and the same layout in both.
#ifndef GPUTEST_SIMULATOR_CONTEXT_H
#define GPUTEST_SIMULATOR_CONTEXT_H

typedef unsigned long gputest_u64;
typedef unsigned int gputest_u32;
typedef unsigned char gputest_u8;

// One launch; the kernel reads its work-item functions' values here. Dimensions that are not used
// have size 1 and offset 0.
struct gputest_context {
  gputest_u64 global_size[3];
  gputest_u64 enqueued_local_size[3];
  gputest_u64 num_groups[3];
  gputest_u64 global_offset[3];
  gputest_u64 work_dim;

  // Of the work-group that runs. The last of a dimension may be smaller than the others.
  gputest_u64 group_id[3];
  gputest_u64 local_size[3];

  // Work-items that wait at barriers. A frame holds what a work-item keeps across a barrier.
  gputest_u64 status;     // of the work-item that just ran: 0 finished, else 1 + the barrier's site
  gputest_u8* frames;     // of all work-items of the group, in order of their local linear id
  gputest_u64 frame_size; // bytes
  gputest_u32* statuses;  // by local linear id
  gputest_u32* order;     // local linear ids in the order in which they run
  gputest_u64 item;       // with checks: the local linear id of the work-item that runs
};

#endif
