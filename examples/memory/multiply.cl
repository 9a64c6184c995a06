// c = a * b for square matrices, an element for each work-item.
kernel void multiply(global const float* a, global const float* b, global float* c, const uint n) {
  const uint x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
