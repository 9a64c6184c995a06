int twice(int x) { return 2 * x; }

__kernel void fill(__global int* out, int value) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = twice(value);
}
