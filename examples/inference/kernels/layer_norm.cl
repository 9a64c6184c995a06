// Normalises rows by mean and variance: sums of sub-groups first, then of these.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#ifdef FEW_PARTS
#define MOST_SUB_GROUPS 8 // enough for 128 work-items, unless sub-groups have 8
#else
#define MOST_SUB_GROUPS 16
#endif

float sum_of_group(float value, local float* parts) {
  value = sub_group_reduce_add(value);
#ifndef READS_AT_ONCE
  barrier(CLK_LOCAL_MEM_FENCE); // all have read the parts of before
#endif
  if (get_sub_group_local_id() == 0)
    parts[get_sub_group_id()] = value;
#ifndef NO_BARRIER
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  float sum = 0;
#ifdef ALL_PARTS
  for (uint i = 0; i < MOST_SUB_GROUPS; ++i)
#else
  for (uint i = 0; i < get_num_sub_groups(); ++i)
#endif
    sum += parts[i];
  return sum;
}

kernel void layer_norm(global const float* restrict in, global const float* restrict gamma,
                       global const float* restrict beta, global float* restrict out, int columns,
                       float epsilon) {
  local float parts[MOST_SUB_GROUPS];
  const size_t row = get_group_id(0);
  in += row * columns;
  out += row * columns;
  float sum = 0;
  for (int i = get_local_id(0); i < columns; i += get_local_size(0))
    sum += in[i];
  const float mean = sum_of_group(sum, parts) / columns;
  float squares = 0;
  for (int i = get_local_id(0); i < columns; i += get_local_size(0))
    squares += (in[i] - mean) * (in[i] - mean);
  const float inverse = rsqrt(sum_of_group(squares, parts) / columns + epsilon);
  for (int i = get_local_id(0); i < columns; i += get_local_size(0))
    out[i] = (in[i] - mean) * inverse * gamma[i] + beta[i];
}
