// Jumps: out of loops, into loops, past declarations; and what is warp-level and left out.
__device__ int search(const int* data, int n, int wanted) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k) {
      if (data[i] + k == wanted)
        return i;
      if (data[i] < 0)
        goto out;
    }
out:
  return -1;
}

__device__ void duff(int* to, int count) {
  int rounds = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      *to++ = 1;
    case 3:
      *to++ = 1;
    case 2:
      *to++ = 1;
    case 1:
      *to++ = 1;
    } while (--rounds > 0);
  }
}

namespace {
__device__ int depth(int n) {
  return n <= 0 ? 0 : 1 + depth(n - 1); // recursion
}
} // namespace

__global__ void jump(int* out, int n) {
  out[threadIdx.x] = search(out, n, 3) + (__syncthreads_count(n > 2) ? depth(2) : 0);
  if (threadIdx.x == 0) // gputest: ignore[branch] only one thread
    duff(out, n);
  while (true) {
    if (--n <= 0)
      break;
  }
}
