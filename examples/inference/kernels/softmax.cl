// Rows of scores to probabilities; a work-group for each row, with a mask of what may be seen.
#ifndef KERNEL_ROW
#define KERNEL_ROW get_group_id(0)
#endif

kernel void softmax(global const float* scores, global const uchar* seen, global float* out, int columns,
                    float scale) {
  const int row = KERNEL_ROW;
  global const float* from = scores + row * columns;
  global float* to = out + row * columns;
  const int step = get_local_size(0);

  float most = -INFINITY;
  for (int i = get_local_id(0); i < columns; i += step)
    if (seen[i])
      most = fmax(most, from[i] * scale);
#ifdef DIVERGENT
  if (get_local_id(0) < columns)
    most = work_group_reduce_max(most);
#else
  most = work_group_reduce_max(most);
#endif
  if (isinf(most)) { // nothing may be seen
    for (int i = get_local_id(0); i < columns; i += step)
      to[i] = 0;
    return;
  }

  float sum = 0;
  for (int i = get_local_id(0); i < columns; i += step) {
    const float e = seen[i] ? exp(from[i] * scale - most) : 0;
    to[i] = e;
    sum += e;
  }
  sum = work_group_reduce_add(sum);
#ifdef TAIL
  for (int i = get_local_id(0); i < (columns + step - 1) / step * step; i += step)
#else
  for (int i = get_local_id(0); i < columns; i += step)
#endif
    to[i] = to[i] / sum;
}
