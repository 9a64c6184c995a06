// goto forwards, backwards and out of loops; labels before declarations-free statements and at the end.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = in[i], tries = 0;
again:
  if (x > 3) {
    x -= 3;
    if (++tries < 5)
      goto again;
  }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      if (a * b == x)
        goto found;
  x = -1;
  goto done;
found: x += 100;
done:
  out[i] = x;
  goto end;
end:;
}

// A goto into a loop is named: its first iteration cannot be counted.
kernel void into(global int* out, int n) {
  int x = n ?: 3;
  if (n > 2)
    goto inside;
  for (;;) {
    x++;
  inside:
    if (--n < 0)
      break;
  }
  out[0] = x;
}
