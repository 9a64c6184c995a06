// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang calls for read_pipe() and its kin (OpenCL C 2.0, 6.13.16). Compiled when a kernel calls one of them, and
// linked with it. Packets go through memory of the simulator, and one work-item at a time has it
// (simulator/natives/pipes.h).

#define OWN static __attribute__((always_inline))

private void *gputest_pipe_packet(uint size);
int gputest_pipe_move(global void *at, uint size, int write);
int gputest_pipe_move_at(global void *at, uint size, int write, ulong reservation, uint index);
ulong gputest_pipe_reserve(global void *at, uint size, int write, uint packets);
void gputest_pipe_commit(global void *at, uint size, int write, ulong reservation);
uint gputest_pipe_packets(global void *at, uint size);
uint gputest_pipe_most(global void *at, uint size);

#define COPY(type)                                                                                                     \
  for (uint i = 0; i < size / sizeof(type); ++i)                                                                       \
  ((type *)to)[i] = ((const type *)from)[i]
OWN void gputest_copy_packet(void *to, const void *from, uint size, uint align) {
  if (align % 8 == 0)
    COPY(ulong);
  else if (align % 4 == 0)
    COPY(uint);
  else
    COPY(uchar);
}

int __read_pipe_2(global void *at, void *packet, uint size, uint align) {
  if (gputest_pipe_move(at, size, 0))
    return -1;
  gputest_copy_packet(packet, gputest_pipe_packet(size), size, align);
  return 0;
}
int __read_pipe_4(global void *at, void *reservation, uint index, void *packet, uint size, uint align) {
  if (gputest_pipe_move_at(at, size, 0, (ulong)reservation, index))
    return -1;
  gputest_copy_packet(packet, gputest_pipe_packet(size), size, align);
  return 0;
}
int __write_pipe_2(global void *at, void *packet, uint size, uint align) {
  gputest_copy_packet(gputest_pipe_packet(size), packet, size, align);
  return gputest_pipe_move(at, size, 1);
}
int __write_pipe_4(global void *at, void *reservation, uint index, void *packet, uint size, uint align) {
  gputest_copy_packet(gputest_pipe_packet(size), packet, size, align);
  return gputest_pipe_move_at(at, size, 1, (ulong)reservation, index);
}
void *__reserve_read_pipe(global void *at, uint packets, uint size, uint align) {
  return (void *)gputest_pipe_reserve(at, size, 0, packets);
}
void *__reserve_write_pipe(global void *at, uint packets, uint size, uint align) {
  return (void *)gputest_pipe_reserve(at, size, 1, packets);
}
void __commit_read_pipe(global void *at, void *reservation, uint size, uint align) {
  gputest_pipe_commit(at, size, 0, (ulong)reservation);
}
void __commit_write_pipe(global void *at, void *reservation, uint size, uint align) {
  gputest_pipe_commit(at, size, 1, (ulong)reservation);
}
uint __get_pipe_num_packets_ro(global void *at, uint size, uint align) { return gputest_pipe_packets(at, size); }
uint __get_pipe_num_packets_wo(global void *at, uint size, uint align) { return gputest_pipe_packets(at, size); }
uint __get_pipe_max_packets_ro(global void *at, uint size, uint align) { return gputest_pipe_most(at, size); }
uint __get_pipe_max_packets_wo(global void *at, uint size, uint align) { return gputest_pipe_most(at, size); }
