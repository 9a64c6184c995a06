// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reservations of pipes for work-groups and sub-groups: the first work-item makes them for all.

ulong gputest_pipe_reserve(global void *at, uint size, int write, uint packets);
void gputest_pipe_commit(global void *at, uint size, int write, ulong reservation);

#define OF_GROUP(group, first, wait, kind, write)                                                                      \
  void *__##group##_reserve_##kind##_pipe(global void *at, uint packets, uint size, uint align) {                    \
    private ulong *const place = (private ulong *)gputest_place_of(first);                                             \
    if (gputest_item() == first)                                                                                       \
      *place = gputest_pipe_reserve(at, size, write, packets);                                                       \
    wait;                                                                                                              \
    const ulong reservation = *place;                                                                                  \
    wait;                                                                                                              \
    return (void *)reservation;                                                                                        \
  }                                                                                                                    \
  void __##group##_commit_##kind##_pipe(global void *at, void *reservation, uint size, uint align) {                 \
    wait;                                                                                                              \
    if (gputest_item() == first)                                                                                       \
      gputest_pipe_commit(at, size, write, (ulong)reservation);                                                      \
    wait;                                                                                                              \
  }
OF_GROUP(work_group, 0, barrier(0), read, 0)
OF_GROUP(work_group, 0, barrier(0), write, 1)
OF_GROUP(sub_group, gputest_first(), gputest_warp(WAIT, ALL_LANES, 0, VALUES), read, 0)
OF_GROUP(sub_group, gputest_first(), gputest_warp(WAIT, ALL_LANES, 0, VALUES), write, 1)
