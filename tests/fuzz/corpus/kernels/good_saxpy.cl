kernel void saxpy(float a, global const float* x, global float* y, uint n) {
  const uint i = get_global_id(0);
  if (i < n) // gputest: ignore[branch] guarded by the host
    y[i] += a * x[i];
}
