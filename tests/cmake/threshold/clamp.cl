__kernel void clamp_above(__global int* data, int limit) {
  if (data[get_global_id(0)] > limit)
    data[get_global_id(0)] = limit;
}
