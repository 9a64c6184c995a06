// y = W x: rows of W are blocks of 32 numbers of 4 bits with one scale in half, x is blocks of 32
// bytes with a scale in float. A sub-group for each row.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable

typedef struct {
  half scale;
  uchar low_high[16]; // number i is in the low half of byte i, number 16 + i in the high half
} block_q4;

typedef struct {
  float scale;
  char number[32];
} block_q8;

#ifdef ASSUMES_32
#define LANES 32
#define LANE (get_local_id(0) % LANES)
#define ROW (get_global_id(0) / LANES)
#else
#define LANES get_sub_group_size()
#define LANE get_sub_group_local_id()
#define ROW (get_group_id(0) * get_num_sub_groups() + get_sub_group_id())
#endif

float dot_of_block(global const block_q4* w, global const block_q8* x) {
  int sum = 0;
  for (int i = 0; i < 16; i += 4) {
    const uchar4 both = vload4(0, w->low_high + i);
    const char4 low = as_char4(both & (uchar4)(15)) - (char4)(8);
    const char4 high = as_char4(both >> (uchar4)(4)) - (char4)(8);
    sum = dot_acc_sat(low, vload4(0, x->number + i), sum);
    sum = dot_acc_sat(high, vload4(0, x->number + 16 + i), sum);
  }
  return (float)w->scale * x->scale * sum;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void quantised_dot(global const block_q4* weights, global const block_q8* x, global float* y,
                          int rows, int blocks) {
  const uint row = ROW;
#ifndef PAST_THE_LAST_ROW
  if (row >= rows)
    return;
#endif
  float sum = 0;
  for (uint b = LANE; b < blocks; b += LANES)
    sum += dot_of_block(weights + row * blocks + b, x + b);
  sum = sub_group_reduce_add(sum);
  if (LANE == 0)
    y[row] = sum;
}
