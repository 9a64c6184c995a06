kernel void fill(global const int* in, write_only pipe int out, int first) {
  int value = in[first + get_global_id(0)] * FACTOR;
  write_pipe(out, &value);
}

kernel void drain(read_only pipe int in, global int* sums) {
  int value;
  while (read_pipe(in, &value) == 0)
    sums[get_global_id(0)] += value;
}

kernel void count(read_only pipe int in, global int* counts) {
  counts[0] = get_pipe_num_packets(in);
  counts[1] = get_pipe_max_packets(in);
}
