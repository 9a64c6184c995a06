// Doubles what the mask allows; without a mask, all.
kernel void masked(global int* data, global const int* mask, int n) {
  int i = get_global_id(0);
#ifdef CARELESS
  if (i < n && mask[i])
#else
  if (i < n && (mask == NULL || mask[i]))
#endif
    data[i] *= 2;
}
