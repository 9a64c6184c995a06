// Turns the elements of each work-group around.
kernel void turn(global int* data) {
  local int tile[8];
  const int l = get_local_id(0);
  tile[l] = data[get_global_id(0)];
#ifdef SOUND
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  data[get_global_id(0)] = tile[7 - l];
}
