#define SIZE 16
enum { first = 3 };
constant int table[2] = {1, 2};
kernel void test(global float* out, local float* scratch) {
  float tile[SIZE];
  const int i = get_local_id(0) % SIZE;
  tile[i] = 1.5f + 0x1F + 017 + 'c' + first + 0u;
  switch (i) {
  case 4:
    out[i] = 1e3f;
    break;
  default:
    out[i] = sizeof(tile[3]) + table[0] + 100000000000l;
  }
}
