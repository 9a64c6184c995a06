// Work-items beyond `n` write past the end of 'y'.
kernel void no_guard(global float* y, global const float* x, float a, int n) {
  const int i = get_global_id(0);
  if (a > 0.0f)
    y[i] = a * x[i] + n;
}
