__kernel void turn(__global int* data) {
  __local int tile[8];
  const int i = get_local_id(0);
  const int n = get_local_size(0);
  tile[i] = data[get_global_id(0)];
#ifdef SOUND
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  data[get_global_id(0)] = tile[n - 1 - i]; // é <turned>
}
