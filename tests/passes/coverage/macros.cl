// Sites inside macros are reported where the macro is used; OpenCL C's own macros keep their names.
#define WIDTH 4
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define SKIP_UNLESS(condition) \
  if (!(condition))            \
    return
#define LOOP_TO(n) for (int k = 0; k < (n); ++k)
#define EMPTY
#define SUM_OF(a, b) a + b EMPTY

kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  SKIP_UNLESS(in[i] != 9);
  int x = CLAMP(in[i], 1, WIDTH) + CLAMP(in[i] + 2, 3, 2 * WIDTH);
  LOOP_TO(WIDTH) x += SUM_OF(k, 1);
  LOOP_TO(x & 1)
    x++;
  if (x < INT_MAX && M_PI_F > 3.0f)
    x ^= CLK_LOCAL_MEM_FENCE == CLK_GLOBAL_MEM_FENCE;
#if defined(cl_khr_fp64) && __OPENCL_VERSION__ >= 110
  x += 1;
#else
  if (x) x -= 1;
#endif
#ifdef NEVER_DEFINED_ANYWHERE
  if (x) { not even OpenCL C
#endif
  out[i] = x;
}
