// Conditions that need a solver: a sum over a buffer, a product, numbers that are close.
kernel void arithmetic(global uint* out, global const uint* data, uint a, uint b, float x) {
  const uint i = get_global_id(0);
  uint sum = 0;
  for (uint k = 0; k < 6; ++k)
    sum = sum * 31 + data[k];
  uint value = i;
  if (sum == 0x12ab34cdu)
    value += 1;
  if (a * b == 999983u * 3u && a > 3 && a < b)
    value += 2;
  if (fabs(x * x - 2.0f) < 1e-5f)
    value += 4;
  out[i] = value;
}
