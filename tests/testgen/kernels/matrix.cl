// Sizes that follow from others; row_start says where the rows of `value` are.
kernel void rows(const uint rows, global const uint* row_start, global const float* value,
                 global float* sums, global float* transposed, const uint width) {
  const uint r = get_global_id(0);
  if (r >= rows)
    return;
  float sum = 0;
  for (uint i = row_start[r]; i < row_start[r + 1]; ++i)
    sum += value[i];
  sums[r] = sum;
  for (uint c = 0; c < width; ++c)
    transposed[r * width + c] = sum + c;
}
