// Doubles the elements, with a step between; however many work-items there are.
kernel void twice(global const int* in, global int* out, global int* steps, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    steps[i] = in[i];
    out[i] = steps[i] * 2;
  }
}
// A work-item for each element.
kernel void simple(global const int* in, global int* out) {
  out[get_global_id(0)] = in[get_global_id(0)] * 2;
}
