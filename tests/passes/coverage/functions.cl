// Prototypes, no parameters in two spellings, kernels that call kernels, calls in arguments.
int later(int x);
static int seven(void) { return 7; }
int eight() { return 8; }
static inline int twice(const int x) { return later(x) + later(x); }

__kernel void first(__global int* out, int i) {
  if (i > 3)
    out[i] = seven();
}

__kernel void test(__global int* out, __global const int* in) {
  const int i = get_global_id(0);
  out[i] = eight();
  first(out, i);
  out[i] += twice(max(later(seven()), later(i)));
}

int later(int x) {
  return x > 5 ? x : -x;
}

kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void unrelated(global int* out) { if (out[0]) out[0] = 1; }
kernel void nothing() { }
kernel void nothing_either(void) { return; }
