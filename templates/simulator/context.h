// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data that compiled kernels and the simulator's native code share: plain C, with the same
// layout in both.
#ifndef GPUTEST_SIMULATOR_CONTEXT_H
#define GPUTEST_SIMULATOR_CONTEXT_H

typedef unsigned long gputest_u64;
typedef unsigned int gputest_u32;
typedef unsigned char gputest_u8;

// An access of shared memory that a work-item is about to make, where interleavings are explored.
#define GPUTEST_READS 0
#define GPUTEST_WRITES 1       // or updates, and uses the old value
#define GPUTEST_WRITES_VALUE 2 // the visit's value
#define GPUTEST_ADDS 3         // from here on: updates commute with those of the same number
struct gputest_visit {
  struct gputest_range {
    gputest_u8* begin;
    gputest_u64 size;   // bytes; 0: no range
    gputest_u64 effect; // GPUTEST_…
  } ranges[2];          // of a copy: what it writes, what it reads
  gputest_u64 value, site;
};

// CUDA: the requests of threads to their warp, or to their block at a barrier, and the answers.
// Requests have the numbers of cuda/include/gputest_cuda/warps.h and those below.
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
  GPUTEST_WARP_AWAIT // no answer: waits until the word at `value` has reached `parameter`
};
// Threads of a warp: 32 or 64. Code for a kernel has a definition in front
// (simulator/execute/variant.cpp).
#ifndef GPUTEST_WARP_LANES
#define GPUTEST_WARP_LANES 32
#endif
#define GPUTEST_MOST_LANES 64
#define GPUTEST_WARP_STEP                                                                          \
  32 // no answer: the threads of a warp with the same parameter go on together
#define GPUTEST_BLOCK_VOTE                                                                         \
  33 // the number of threads of the block that vote yes (lower half) and of all (upper half)
#define GPUTEST_GRID_SYNC                                                                          \
  34 // no answer: the blocks of a grid go on together; parameter 1: those of a cluster
#define GPUTEST_WARP_SPIN 35      // no answer: waits for memory to change, while others go on
#define GPUTEST_MOST_THREADS 1024 // in a block
struct gputest_slots {            // by the thread's number in its block
  gputest_u32 kind[GPUTEST_MOST_THREADS], mask[GPUTEST_MOST_THREADS],
      parameter[GPUTEST_MOST_THREADS], site[GPUTEST_MOST_THREADS];
  gputest_u64 value[GPUTEST_MOST_THREADS], result[GPUTEST_MOST_THREADS];
  gputest_u64
      place[GPUTEST_MOST_THREADS]; // OpenCL: what work-group and sub-group functions pass on
  gputest_u32 upper_mask[GPUTEST_MOST_THREADS]; // in warps of 64: for the lanes from 32 on
};
#define GPUTEST_WAITS_FOR_WARP (1ul << 30) // a bit of a status

// One launch. The kernel reads the values of its work-item functions here. Unused dimensions have
// size 1 and offset 0.
struct gputest_context {
  gputest_u64 global_size[3];
  gputest_u64 enqueued_local_size[3];
  gputest_u64 num_groups[3];
  gputest_u64 global_offset[3];
  gputest_u64 work_dim;
  gputest_u64 local_fill; // each byte of __local variables when a group begins

  // The current work-group. The last one of a dimension may be smaller than the others.
  gputest_u64 group_id[3];
  gputest_u64 local_size[3];

  // Work-items that wait at barriers. A frame holds the values that a work-item keeps across a
  // barrier.
  gputest_u64 status;     // of the work-item that just ran: 0: finished; else 1 + the barrier's
                          // site and its flags, or GPUTEST_VISITS
  gputest_u8* frames;     // of all work-items of the group, in order of their local linear id; with
                          // segments (simulator/execute/segments.h), one value after the other
  gputest_u64 frame_size; // bytes
  gputest_u32* statuses;  // by local linear id
  gputest_u32* order;     // local linear ids in the order in which they run

  // With checks.
  gputest_u64 item; // the local linear id of the current work-item
  struct gputest_object {
    gputest_u8* begin;
    gputest_u64 size, writable; // bytes that may be read, bytes that may be written
  }* objects; // those that the launch places, by their number in the kernel's shape
  gputest_u64 object_count;

  // With checks of races: templates/simulator/races.c.
  gputest_u8 *arena, *shadow; // the first byte that has a cell, and its cell
  gputest_u64 others;         // the distance in bytes from each mark to its other one
  gputest_u64 now;            // the current epoch, shifted as in a mark
  gputest_u64 group_start, local_start,
      global_start; // accesses with these marks or higher ones are not ordered before now
  const gputest_u8 *copies_begin,
      *copies_end;         // all that unfinished async copies access lies in between
  gputest_u64 own_objects; // bits by number of the object: no work-item accesses what another one
                           // writes there, so accesses need no marks

  struct gputest_visit visit; // with GPUTEST_VISITS

  struct gputest_slots* slots; // with warps
  gputest_u64 cooperative;     // all blocks of the launch run at once and may wait for each other
  gputest_u64 block_stop;      // why the block stopped (GPUTEST_BLOCK_…), and how it goes on
  gputest_u64 in_turns;        // the caller runs other blocks while this one waits for memory
  gputest_u64 moved;           // not 0: threads of the block have changed memory or ended
  gputest_u64 changes;         // not 0: loops that wait have changed memory since this was set to 0
  gputest_u64 watching;        // not 0: such loops report what they read
  // CUDA with checks of bounds: the number of the allocation in each page of device memory, or 0,
  // and the first page's address.
  const gputest_u32* memory;
  gputest_u8* memory_begin;
  gputest_u64 memory_pages;
  const struct gputest_object* allocations; // by that number
  gputest_u64 beside_memory; // bytes after device memory in which the launch places objects;
                             // without such pages, all bytes that it places
  gputest_u64 cluster[3];    // CUDA: the size of a cluster in blocks; 0: no clusters
  gputest_u64 orders;        // not 0: something has ordered threads but barriers of their groups
};
#define GPUTEST_VISITS (1ul << 32)

#define GPUTEST_BLOCK_BEGINS 0  // or has ended
#define GPUTEST_BLOCK_GRID 1    // waits for the other blocks; goes on when all have come
#define GPUTEST_BLOCK_WAITS 2   // its threads wait for memory to change; goes on to look again
#define GPUTEST_BLOCK_STUCK 3   // no thread will change memory: some go on with a finding
#define GPUTEST_BLOCK_CLUSTER 4 // waits for the other blocks of its cluster

// A mark says who accessed a byte: 0 for nobody, or, from the highest bits on,
//
//     epoch | work-item | site | has another
//
// An epoch is a group's run between two barriers. Marks are compared as numbers. The kernel's shape
// gives the number of bits of a site.
#define GPUTEST_ITEM_BITS 17
#ifndef GPUTEST_SITE_BITS
#define GPUTEST_SITE_BITS 15
#endif
#define GPUTEST_SITE_SHIFT 1
#define GPUTEST_ITEM_SHIFT (GPUTEST_SITE_SHIFT + GPUTEST_SITE_BITS)
#define GPUTEST_EPOCH_SHIFT (GPUTEST_ITEM_SHIFT + GPUTEST_ITEM_BITS)
#define GPUTEST_HAS_OTHER 1ull // the mark's other one, of another work-item, is also valid

// The marks of a cell, in this order. Only kernels with atomic accesses have the last two.
#define GPUTEST_PLAIN_WRITE 0
#define GPUTEST_PLAIN_READ 1
#define GPUTEST_ATOMIC_WRITE 2
#define GPUTEST_ATOMIC_READ 3

#endif
