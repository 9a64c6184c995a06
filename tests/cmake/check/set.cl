kernel void set(global int* out, global const int* in) {
  out[0] = in[get_global_id(0)];
}
