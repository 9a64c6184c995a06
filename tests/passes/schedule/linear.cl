// OpenCL C 2.0
kernel void test(global ulong* out) {
  out[get_global_linear_id()] = get_local_linear_id() + get_enqueued_local_size(0);
}
