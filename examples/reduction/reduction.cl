#define GROUP_SIZE 64

// partial[g] = sum of the elements which group g strides over. A second launch with one group
// over `partial` completes the sum.
kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void reduce(global const float* restrict input, const uint n, global float* restrict partial) {
  local float scratch[GROUP_SIZE];
  const uint lid = get_local_id(0);

  float sum = 0.0f;
  uint i = get_global_id(0);
  while (i < n) {
    sum += input[i];
    i += get_global_size(0);
  }
  scratch[lid] = sum;

  uint width = GROUP_SIZE / 2;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < width)
      scratch[lid] += scratch[lid + width];
    width /= 2;
  } while (width > 0);

  if (lid == 0)
    partial[get_group_id(0)] = scratch[0];
}
