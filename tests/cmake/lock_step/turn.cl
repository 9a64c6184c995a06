kernel void turn(global int* data) {
  const int i = get_global_id(0);
  data[i] = data[i ^ 1] + 1;
}
