// What no input can do, and a launch that does not end.
kernel void impossible(global uint* out, uint n) {
  const uint i = get_global_id(0);
  uint square = n * n;
  if (square % 4 == 2)
    square = 0;
  out[i] = square + i;
}
kernel void endless(global int* out, int n) {
  const int i = get_global_id(0);
  while (n != 0)
    n = n == 12345 ? 0 : n | 1;
  out[i] = i;
}
kernel void faulty(global int* out) {
  out[0] = get_global_id(0);
}

// The launch has groups of 8 work-items, whatever anybody says.
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void grouped(global int* out) {
  const int i = get_global_id(0);
  out[i] = get_local_id(0) > 7 ? 1 : i;
}

// Writes far outside if local memory begins with zeros.
kernel void begins(global int* out, int n) {
  local int fixed[4];
  const int l = get_local_id(0);
  out[get_global_id(0)] = fixed[l] + n;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (fixed[l] == 0)
    out[1000000] = 1;
}
