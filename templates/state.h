/* The state buffer: the one hidden, trailing argument of every variant of a kernel.
 *
 * A __global buffer of 32-bit words. Its header says where the sections are, in words from the
 * start of the buffer; an offset of 0 means that the section is absent. The sections of the
 * coverage variant (coverage, divergence, slots) follow the header in this order without gaps, so
 * that its kernels need not read the header. This file is C for the host and OpenCL C for the
 * device: it is the only description of the layout.
 */
#ifndef GPUTEST_STATE_H
#define GPUTEST_STATE_H

#define GPUTEST_STATE_MAGIC 0x54535447u /* "GTST" */
#define GPUTEST_STATE_VERSION 1u

/* Words of the header. */
#define GPUTEST_STATE_MAGIC_WORD 0
#define GPUTEST_STATE_VERSION_WORD 1
#define GPUTEST_STATE_COVERAGE_OFFSET 2   /* outcome bits: bit b is bit b % 32 of word b / 32 */
#define GPUTEST_STATE_COVERAGE_WORDS 3
#define GPUTEST_STATE_DIVERGENCE_OFFSET 4 /* one word per vote: 1 + linear id of a group that disagreed */
#define GPUTEST_STATE_DIVERGENCE_WORDS 5
#define GPUTEST_STATE_SLOTS_OFFSET 6      /* GPUTEST_FLUSH_SLOTS: coverage words of each work-item, */
#define GPUTEST_STATE_SLOTS_ITEMS 7       /* word w of item i at offset + w * items + i */
#define GPUTEST_STATE_HEADER_WORDS 16     /* the rest is zero and belongs to sections to come */

#endif
