int sum(local int* values) { return values[0] + values[1]; }
kernel void test(global volatile int* out, global int* plain) {
  __local int tile[4][4], passed[2];
  local int own[8];
  local float one;
  volatile int seen = 0;
  const int i = get_local_id(0);
  tile[i][0] = passed[0] = own[i] = i;
  one = i;
  own[i + 1]++;
  out[i] = sum(passed) + tile[0][i] + own[0] + one + seen;
}
