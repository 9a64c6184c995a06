kernel void scale(global int* data, const int factor) {
  data[get_global_id(0)] *= factor;
}
