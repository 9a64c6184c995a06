// What compiled kernels and the simulator's native code share: plain C, and the same layout in
// both.
#ifndef GPUTEST_SIMULATOR_CONTEXT_H
#define GPUTEST_SIMULATOR_CONTEXT_H

typedef unsigned long gputest_u64;
typedef unsigned int gputest_u32;
typedef unsigned char gputest_u8;

// Where interleavings are explored: what a work-item is about to do to memory that others share.
#define GPUTEST_READS 0
#define GPUTEST_WRITES 1       // or updates, and looks at what was there
#define GPUTEST_WRITES_VALUE 2 // the visit's value
#define GPUTEST_ADDS 3         // from here on: updates that commute with those of the same number
struct gputest_visit {
  struct gputest_range {
    gputest_u8* begin;
    gputest_u64 size;   // bytes; 0: there is no such range
    gputest_u64 effect; // GPUTEST_…
  } ranges[2];          // of a copy what is written, and what is read
  gputest_u64 value, site;
};

// CUDA: what threads ask of their warps, or of their block at a barrier, and what they are
// answered. What is asked are the numbers of cuda/include/gputest_cuda/warps.h, and those below.
enum gputest_warp_kind {
  GPUTEST_WARP_SYNC,
  GPUTEST_WARP_SHUFFLE,
  GPUTEST_WARP_SHUFFLE_UP,
  GPUTEST_WARP_SHUFFLE_DOWN,
  GPUTEST_WARP_SHUFFLE_XOR,
  GPUTEST_WARP_ALL,
  GPUTEST_WARP_ANY,
  GPUTEST_WARP_UNI,
  GPUTEST_WARP_BALLOT,
  GPUTEST_WARP_MATCH_ANY,
  GPUTEST_WARP_MATCH_ALL,
  GPUTEST_WARP_ADD,
  GPUTEST_WARP_MIN,
  GPUTEST_WARP_MAX,
  GPUTEST_WARP_UMIN,
  GPUTEST_WARP_UMAX,
  GPUTEST_WARP_AND,
  GPUTEST_WARP_OR,
  GPUTEST_WARP_XOR,
  GPUTEST_WARP_ACTIVE,
  GPUTEST_WARP_AWAIT // nothing: the word at `value` must have come to `parameter`
};
#define GPUTEST_WARP_LANES 32
#define GPUTEST_WARP_STEP 32 // nothing: the threads of a warp go on together, as far as they can
#define GPUTEST_BLOCK_VOTE                                                                         \
  33 // how many threads of the block say so: in the lower half; all in the upper
#define GPUTEST_GRID_SYNC                                                                          \
  34 // nothing: the blocks of a grid go on together; parameter 1: of a cluster
#define GPUTEST_WARP_SPIN 35 // nothing: the thread waits for memory to change, and others go on
#define GPUTEST_MOST_THREADS 1024 // of a block
struct gputest_slots {            // by the thread's number in its block
  gputest_u32 kind[GPUTEST_MOST_THREADS], mask[GPUTEST_MOST_THREADS],
      parameter[GPUTEST_MOST_THREADS], site[GPUTEST_MOST_THREADS];
  gputest_u64 value[GPUTEST_MOST_THREADS], result[GPUTEST_MOST_THREADS];
};
#define GPUTEST_WAITS_FOR_WARP (1ul << 30) // in a status

// One launch; the kernel reads its work-item functions' values here. Dimensions that are not used
// have size 1 and offset 0.
struct gputest_context {
  gputest_u64 global_size[3];
  gputest_u64 enqueued_local_size[3];
  gputest_u64 num_groups[3];
  gputest_u64 global_offset[3];
  gputest_u64 work_dim;
  gputest_u64 local_fill; // each byte of __local variables when a group begins

  // The work-group that runs. The last of a dimension may be smaller than the others.
  gputest_u64 group_id[3];
  gputest_u64 local_size[3];

  // Work-items that wait at barriers. A frame holds what a work-item keeps across a barrier.
  gputest_u64 status;     // of the work-item that just ran: 0 finished, else 1 + the barrier's site
                          // and its flags, or GPUTEST_VISITS
  gputest_u8* frames;     // of all work-items of the group, in order of their local linear id;
                          // of segments (simulator/execute/segments.h) one value after the other
  gputest_u64 frame_size; // bytes
  gputest_u32* statuses;  // by local linear id
  gputest_u32* order;     // local linear ids in the order in which they run

  // With checks.
  gputest_u64 item; // the local linear id of the work-item that runs
  struct gputest_object {
    gputest_u8* begin;
    gputest_u64 size, writable; // bytes that may be read, and those that may be written
  }* objects; // by the number that the kernel's shape gives them; those the launch places
  gputest_u64 object_count;

  // With checks of races: templates/simulator/races.c.
  gputest_u8 *arena, *shadow; // the first byte that has a cell, and its cell
  gputest_u64 others;         // from each mark so many bytes to its other one
  gputest_u64 now;            // the epoch, where a mark has it
  gputest_u64 group_start, local_start,
      global_start; // the marks from which on accesses are not ordered before now
  const gputest_u8 *copies_begin,
      *copies_end; // what async copies that are under way access is in between

  struct gputest_visit visit; // with GPUTEST_VISITS

  struct gputest_slots* slots; // with warps
  gputest_u64
      cooperative;        // all blocks of the launch are there at once, and may wait for each other
  gputest_u64 block_stop; // why the block that ran has stopped: GPUTEST_BLOCK_…; and how it goes on
  gputest_u64 in_turns;   // whoever runs the block lets others run when it waits for memory
  gputest_u64 moved;      // threads of the block have changed memory, or ended
  gputest_u64 changes;    // 0: since it was set so, loops that wait have changed no memory
  gputest_u64 watching;   // such loops say what they read
  const gputest_u32* memory; // CUDA with checks of bounds: of each page of device memory the number
  gputest_u8* memory_begin; // of the allocation there, or 0; where they begin and how many they are
  gputest_u64 memory_pages;
  const struct gputest_object* allocations; // by that number
  gputest_u64 beside_memory; // bytes after device memory in which the launch places objects;
                             // without such pages all that it places
  gputest_u64 cluster[3];    // CUDA: blocks of one; 0: there are none
};
#define GPUTEST_VISITS (1ul << 32)

#define GPUTEST_BLOCK_BEGINS 0  // or has ended
#define GPUTEST_BLOCK_GRID 1    // it waits for the other blocks; all have come
#define GPUTEST_BLOCK_WAITS 2   // its threads wait for memory to change; they look again
#define GPUTEST_BLOCK_STUCK 3   // nobody will change it: some go on by way of a finding
#define GPUTEST_BLOCK_CLUSTER 4 // it waits for the other blocks of its cluster

// A mark says who accessed a byte: 0, nobody, or from the highest bits
//
//     epoch | work-item | site | has another
//
// An epoch is what a group does between two barriers. Marks are compared as numbers.
// A place in the kernel has as many bits as the kernel's shape says.
#define GPUTEST_ITEM_BITS 17
#ifndef GPUTEST_SITE_BITS
#define GPUTEST_SITE_BITS 15
#endif
#define GPUTEST_SITE_SHIFT 1
#define GPUTEST_ITEM_SHIFT (GPUTEST_SITE_SHIFT + GPUTEST_SITE_BITS)
#define GPUTEST_EPOCH_SHIFT (GPUTEST_ITEM_SHIFT + GPUTEST_ITEM_BITS)
#define GPUTEST_HAS_OTHER 1ull // the mark's other one, of another work-item, counts as well

// The marks of a cell, in this order. The last two are there where the kernel has atomic accesses.
#define GPUTEST_PLAIN_WRITE 0
#define GPUTEST_PLAIN_READ 1
#define GPUTEST_ATOMIC_WRITE 2
#define GPUTEST_ATOMIC_READ 3

#endif
