// Barriers in operands that run or not: work-items vote on the operand before them.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = 0;
  if (in[i] >= 0 && (barrier(CLK_LOCAL_MEM_FENCE), i > 3))
    x = 1;
  x += (i < 100 && in[i] < 100) || (barrier(CLK_LOCAL_MEM_FENCE), 0) ? 2 : 4;
  out[i] = x;
}
