// Faults that depend on whether a pointer is null.
kernel void without(global int* out, global const int* mask, int n) {
  local int part[8];
  if (get_local_id(0) == 0 && mask == 0 && n >= 0)
    part[n] = 1;
  out[get_global_id(0)] = mask ? 2 : 1;
}

kernel void with(global int* out, global const int* mask, int n) {
  local int part[8];
  if (get_local_id(0) == 0 && mask != 0)
    part[8] = n;
  out[get_global_id(0)] = n;
}

kernel void beyond(global int* out, global const int* mask, int n) {
  const int i = get_global_id(0), factor = mask ? 2 : 1;
  out[i] = n > 5 ? factor * mask[i] : factor;
}
