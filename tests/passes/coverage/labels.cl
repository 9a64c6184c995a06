// Labels where a body has no braces.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = in[i];
  if (x > 4)
  only:
    x -= 2;
  else
    switch (x)
    case 2:
    default:
      x += 10;
  if (x > 20) goto only;
  for (int k = 0; k < 2; ++k) inner: x++;
  out[i] = x;
}
