// Cases that reach every outcome may leave faults: a bound that is one off, a difference for a sum, the smaller for the
// larger.
kernel void bounds(global const int* in, global int* out, int n, int most, int shift) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  int value = in[i];
  if (value > most)
    value = -1;
  out[i] = max(value, 3) + shift;
}
