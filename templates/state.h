// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The state buffer: the one hidden, trailing argument of every variant of a kernel.
 *
 * A __global buffer of 32-bit words. Its header says where the sections are, in words from the
 * start of the buffer; an offset of 0 means that the section is absent. The sections of the
 * coverage variant (coverage, divergence, slots) follow the header in this order without gaps, so
 * that its kernels need not read the header. This file is C for the host and OpenCL C for the
 * device: it is the only description of the layout.
 *
 * The mutants variant has no coverage sections. Behind its header follow, without gaps: sizes (two
 * words for each argument of the kernel, the low one first: bytes of a buffer or of __local memory,
 * 0 for others), reached (a bit for each site of mutants, set while tracing), and harm (a bit for
 * each guard and vote, by number). While tracing, guards and votes that report something set their
 * bits in `harm`; in other launches, those with a bit report nothing.
 *
 * In the schedule variant the section `schedule` follows the header without a gap.
 */
#ifndef GPUTEST_STATE_H
#define GPUTEST_STATE_H

#define GPUTEST_STATE_MAGIC 0x54535447u /* "GTST" */
#define GPUTEST_STATE_VERSION 1u

/* Words of the header. */
#define GPUTEST_STATE_MAGIC_WORD 0
#define GPUTEST_STATE_VERSION_WORD 1
#define GPUTEST_STATE_COVERAGE_OFFSET 2 /* outcome bits: bit b is bit b % 32 of word b / 32 */
#define GPUTEST_STATE_COVERAGE_WORDS 3
#define GPUTEST_STATE_DIVERGENCE_OFFSET                                                            \
  4 /* one word per vote: 1 + linear id of a group that disagreed */
#define GPUTEST_STATE_DIVERGENCE_WORDS 5
#define GPUTEST_STATE_SLOTS_OFFSET 6 /* GPUTEST_FLUSH_SLOTS: coverage words of each work-item, */
#define GPUTEST_STATE_SLOTS_ITEMS 7  /* word w of item i at offset + w * items + i */

/* Words of the mutants variant and, except for the first, of the schedule variant. In: */
#define GPUTEST_STATE_ACTIVE 8 /* number of the active mutant; 0: the original */
#define GPUTEST_STATE_TRACE                                                                        \
  9 /* 1: run the original, record the sites reached and the loop iterations */
#define GPUTEST_STATE_BUDGET 10   /* loop iterations a work-item may use; 0xffffffff: no limit */
#define GPUTEST_STATE_SCHEDULE 11 /* offset of the section `schedule`; 0: the device's own ids */
/* Out, 0 before the launch: */
#define GPUTEST_STATE_EVENTS 12     /* GPUTEST_EVENT_... that occurred, or-ed */
#define GPUTEST_STATE_GUARD 13      /* number of a guard that reported one of them */
#define GPUTEST_STATE_ITERATIONS 14 /* while tracing: the most loop iterations of any work-item */
/* In again: */
#define GPUTEST_STATE_HARM 15 /* offset of the section `harm`; 0: there is none */

#define GPUTEST_STATE_HEADER_WORDS 16 /* the rest is zero and reserved */

/* The section `schedule`: the sizes of the launch that ids describe (64-bit ones are two words, the
 * low one first), then ids by place. The group at place p of the device has its ids x, y, z in the
 * words 3 * p to 3 * p + 2 of the groups. The same holds for work-items, in full groups.
 */
#define GPUTEST_SCHEDULE_GLOBAL_SIZE 0   /* x, y, z: six words */
#define GPUTEST_SCHEDULE_GLOBAL_OFFSET 6 /* x, y, z: six words */
#define GPUTEST_SCHEDULE_GROUP_COUNTS 12 /* x, y, z */
#define GPUTEST_SCHEDULE_LOCAL_SIZE 15   /* x, y, z: of a full group */
#define GPUTEST_SCHEDULE_ITEMS                                                                     \
  18 /* offset of the items' ids from the section's beginning; 0: none */
#define GPUTEST_SCHEDULE_GROUPS 20 /* the groups' ids */

#define GPUTEST_EVENT_OUT_OF_BOUNDS 1u
#define GPUTEST_EVENT_BUDGET 2u
#define GPUTEST_EVENT_DIVERGENCE 4u
#define GPUTEST_EVENT_DIVISION 8u

#endif
