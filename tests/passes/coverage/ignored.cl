// Comments leave outcomes out, with a reason.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = in[i];
  if (x > 100) // gputest: ignore[branch] the driver refuses such values
    x = 0;
  // gputest: ignore debugging aid
  if (x < 0 || x > 90) out[i] = -1;
  // gputest: ignore-begin[loop,condition] padded by the caller
  for (int k = 0; k < x && k < 4; ++k)
    x--;
  // gputest: ignore-end
  x++; // gputest: ignore[arithmetic_replacement] of mutants alone
  barrier(CLK_LOCAL_MEM_FENCE); // gputest: ignore[coverage] barriers stay
  out[i] = x;
}
