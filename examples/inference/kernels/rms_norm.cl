// Rows of halves divided by the root of their mean square, times a weight; four at a time.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void rms_norm(global const half* in, global const half* weight, global half* out, int rows,
                     int columns, float epsilon) {
  local float shared_scale;
  const size_t row = get_group_id(0);
  if (row >= rows)
    return;
  const int fours = columns / 4;
  in += row * columns;
  out += row * columns;
  float sum = 0;
  for (int i = get_local_id(0); i < fours; i += get_local_size(0)) {
    const float4 v = vload_half4(i, in);
    sum += dot(v, v);
  }
#ifdef ROUNDS_UP
  const int rest = fours * 4 + get_local_id(0);
  if (rest <= columns) {
#else
  const int rest = fours * 4 + get_local_id(0);
  if (rest < columns) {
#endif
    const float v = vload_half(rest, in);
    sum += v * v;
  }
  sum = work_group_reduce_add(sum);
  if (get_local_id(0) == 0)
    shared_scale = rsqrt(sum / columns + epsilon);
#ifndef NO_BARRIER
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (int i = get_local_id(0); i < fours; i += get_local_size(0))
    vstore_half4_rte(vload_half4(i, in) * shared_scale * vload_half4(i, weight), i, out);
  if (rest < columns)
    vstore_half_rte(vload_half(rest, in) * shared_scale * vload_half(rest, weight), rest, out);
}
