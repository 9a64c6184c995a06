// Barriers that a constant decides about stay where they are in mutants.cl: mutants of the constant have programs of
// their own. Other constant conditions are switched.
#define STEPS 6
kernel void test(global int* out, local int* shared, int n) {
  shared[get_local_id(0)] = n;
  if (STEPS & 2)
    barrier(CLK_LOCAL_MEM_FENCE);
  if (STEPS & 4)
    out[0] = shared[1];
  if (n & 4)
    barrier(CLK_LOCAL_MEM_FENCE);
}
