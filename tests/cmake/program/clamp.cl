int halve(int value) { return value % 2 == 0 ? value / 2 : value; }

__kernel void clamp_values(__global const int* in, __global int* out, int low, int high) {
  const size_t i = get_global_id(0);
  int value = halve(in[i]);
  if (value < low)
    value = low;
  else if (value > high)
    value = high;
  out[i] = value;
}

__kernel void group_sum(__global const int* in, __global int* sums, __local int* scratch) {
  const size_t local_id = get_local_id(0);
  scratch[local_id] = in[get_global_id(0)];
  for (size_t stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_id < stride)
      scratch[local_id] += scratch[local_id + stride];
  }
  if (local_id == 0)
    sums[get_group_id(0)] = scratch[0];
}

__kernel void never_launched(__global int* data) {
  if (data[0] > 0)
    data[0] = 0;
}
