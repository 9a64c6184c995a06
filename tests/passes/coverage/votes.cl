// Decisions that may differ within a group are voted on when a barrier depends on them.
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
void step(local int* values, int active) {
  if (active)
    SYNC();
  values[get_local_id(0)]++;
}

kernel void test(global int* out, global const int* in) {
  local int values[8];
  const int lid = get_local_id(0), i = get_global_id(0);
  if (in[i] > 1000)
    return;
  values[lid] = in[i];
  SYNC();
  for (int k = 0; k < in[0] % 3 + 1; ++k) {
    values[lid] += k;
    SYNC();
  }
  step(values, in[0] >= 0);
  SYNC();
  switch (values[7] & 1) {
  case 0:
    SYNC();
    break;
  default:
    values[lid] *= 3;
  }
  int rounds = 0;
  do {
    if (lid == 3) values[lid]--;
    SYNC();
  } while (++rounds < 3 && values[3] > 100000);
  in[0] > 5 ? SYNC() : SYNC();
  out[i] = values[lid];
}
