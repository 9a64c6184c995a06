__kernel void absolute(__global int* data) {
  if (data[get_global_id(0)] < 0)
    data[get_global_id(0)] = -data[get_global_id(0)];
}
