// Packets from one pipe to another; FAULT leaves out the commit.
kernel void filtered(read_only pipe int4 in, write_only pipe int out, int least) {
  int4 packet;
  while (read_pipe(in, &packet) == 0) {
    if (packet.x < least)
      continue;
    reserve_id_t place = reserve_write_pipe(out, 1);
    if (!is_valid_reserve_id(place))
      return;
    int sum = packet.x + packet.y + packet.z + packet.w;
    write_pipe(out, place, 0, &sum);
    if (!FAULT)
      commit_write_pipe(out, place);
  }
}
