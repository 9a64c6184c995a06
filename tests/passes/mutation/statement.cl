int helper(local int* shared, int i) {
  if (i > 3)
    return 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  return shared[0];
}
kernel void test(global int* out, local int* shared) {
  const int i = get_global_id(0);
  if (i > 9)
    return;
  for (int k = 0; k < 4; ++k) {
    if (k == i)
      continue;
    else
      out[i] += k;
    if (k > 2)
      break;
  }
  shared[0] = 1;
  out[i] = helper(shared, i);
  helper(shared, i);
  switch (i) {
  case 1:
    out[i] = 2;
  default:
    out[i]++;
  }
label:
  out[i]--;
}
