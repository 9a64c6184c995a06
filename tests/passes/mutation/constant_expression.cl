constant sampler_t at_file_scope = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP;
kernel void test(global int* out, read_only image2d_t image, global int* p, global int* q, int n) {
  const int size = 4 * 4, twice = 2 * size, spare = 3;
  const sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
  enum { first = 5, second = first + spare };
  int t[twice / 2];
  local int shared[2][size];
  typedef int row[size];
  const int2 at = (int2)(n, 1);
  t[n & 15] = n;
  out[0] = convert_int(read_imagef(image, at_file_scope, at).x + read_imagef(image, own, at).y +
                       read_imagef(image, CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, at).z);
  if (p == 0 || NULL == q)
    p = n ? q : 0;
  event_t e = async_work_group_copy(shared[0], q, size, 0);
  wait_group_events(1, &e);
  switch (n) {
  case size:
    out[1] = (int)(p - q);
    break;
  case 2 + 6:
    out[2] = second;
  }
  row r = {t[0]};
  out[3] = r[0] + (int)sizeof(row) + shared[1][n & 7];
}
