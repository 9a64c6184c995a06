// Recursive functions that ask which thread runs them, against the same functions of the host.
#include "check.h"

struct Place {
  unsigned thread, block, threads, blocks, row;
};
static Place here; // of the host

#ifdef __CUDA_ARCH__
#define THREAD threadIdx.x
#define BLOCK blockIdx.x
#define THREADS blockDim.x
#define BLOCKS gridDim.x
#define ROW threadIdx.y
#else
#define THREAD here.thread
#define BLOCK here.block
#define THREADS here.threads
#define BLOCKS here.blocks
#define ROW here.row
#endif
#define BOTH __host__ __device__

BOTH int sum(int n) {
  return n == 0 ? (int)THREAD : n + sum(n - 1);
}

// By way of another one, which asks something else.
BOTH int odd(int n);
BOTH int even(int n) {
  return n == 0 ? (int)(100 * BLOCK) : odd(n - 1) + (int)THREADS;
}
BOTH int odd(int n) {
  return n == 0 ? (int)ROW : even(n - 1) + 3;
}

// Itself it does not ask, but what it calls does, also elsewhere.
BOTH unsigned number() {
  return BLOCK * THREADS + THREAD;
}
BOTH int tree(int depth, unsigned key) {
  if (depth == 0)
    return (int)(key ^ number());
  return tree(depth - 1, 2 * key) + 7 * tree(depth - 1, 2 * key + 1);
}

// With memory: each thread sorts its own numbers.
BOTH void sort(int* values, int begin, int end) {
  if (end - begin < 2)
    return;
  const int pivot = values[begin + (int)((unsigned)(end - begin) % (THREAD + 2)) % (end - begin)];
  int low = begin, high = end - 1;
  while (low <= high) {
    while (values[low] < pivot)
      ++low;
    while (values[high] > pivot)
      --high;
    if (low <= high) {
      const int other = values[low];
      values[low++] = values[high];
      values[high--] = other;
    }
  }
  sort(values, begin, high + 1);
  sort(values, low, end);
}

template <int step, typename T> BOTH T climb(T x, int n) {
  return n <= 0 ? x + (T)BLOCKS : climb<step, T>(x * 2 + (T)(THREAD % 3), n - step);
}

constexpr int kSorted = 9, kResults = 7 + kSorted;

BOTH void all(int* out) {
  out[0] = sum(5);
  out[1] = even(4) + odd((int)(number() % 4));
  out[2] = tree(3, 1);
  out[3] = climb<1>(1, 4);
  out[4] = (int)climb<2>(0.5, 5);
  out[5] = (int)number();
  out[6] = sum((int)(THREAD % 4)) * 2;
  int* const values = out + 7;
  for (int i = 0; i < kSorted; ++i)
    values[i] = (int)((number() * 7 + i * 5) % 11);
  sort(values, 0, kSorted);
}

__global__ void k(int* out) {
  all(out + kResults * ((blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x));
}

int main() {
  constexpr unsigned kThreads = 5, kRows = 2, kBlocks = 3;
  int* out = nullptr;
  EXPECT(cudaMallocManaged(&out, kBlocks * kRows * kThreads * kResults * sizeof *out) == cudaSuccess);
  k<<<kBlocks, dim3(kThreads, kRows)>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const int* result = out;
  for (unsigned block = 0; block < kBlocks; ++block)
    for (unsigned row = 0; row < kRows; ++row)
      for (unsigned thread = 0; thread < kThreads; ++thread, result += kResults) {
        here = {thread, block, kThreads, kBlocks, row};
        int expected[kResults];
        all(expected);
        for (int i = 0; i < kResults; ++i)
          EXPECT(result[i] == expected[i]);
      }
  return wrong;
}
