// Macros: those of the author are written out where device code uses them, and others stay.
#include <cassert>
#include "macros.cuh"

#define BINARY(name, op)                                            \
  __global__ void name(int* a, const int* b, int n) {               \
    const int i = threadIdx.x;                                      \
    if (i < n)                                                      \
      a[i] = a[i] op b[i];                                          \
  }
BINARY(plus, +)
BINARY(times, *)

#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define TEXT(x) #x
#define CHECKED(x) if (!(x)) return

__global__ void mixed(int* out, int n) {
  __shared__ int all[32];
  CHECKED(n <= 32 && n > 0);
  assert(out != nullptr || n == 0);
  all[threadIdx.x] = MAX2(n,
                          MAX2(3, out[0]));
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  if (all[0] > LIMIT)
    return;
#else
  if (all[0] > 1)
    return;
#endif
  out[threadIdx.x] = sizeof(TEXT(a + b)) + all[threadIdx.x];
}

#define FROM_TABLE 1
#define STEP 4
__global__ void chosen(float* out,
#if (FROM_TABLE)
                       const float* table
#endif
) {
#if FROM_TABLE && STEP > 2
  if (table)
    out[0] = table[STEP];
#elif STEP
  out[0] = STEP;
#endif
}

#define HOST_ONLY(x) (x ? 1 : 0)
int host(int x) {
  return HOST_ONLY(x);
}
