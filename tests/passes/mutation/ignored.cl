kernel void test(global int* out, int n) {
  out[0] = n + 1; // gputest: ignore[arithmetic_replacement, math_replacement] the sum is only logged
  // gputest: ignore measured, not computed
  out[1] = n - 1;
  // gputest: ignore-begin[gpu]
  out[2] = get_local_id(0) * 2;
  // gputest: ignore-end
}
