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

// Variables of the block: each thread counts its calls, and notes moves.
constexpr int kBlockThreads = 32, kMoves = 15;
extern __shared__ int moves[];
__device__ int fibonacci(int n) {
  __shared__ int calls[kBlockThreads];
  if (n == 9)
    calls[threadIdx.x] = 0;
  ++calls[threadIdx.x];
  const int number = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  return n == 9 ? 1000 * number + calls[threadIdx.x] : number;
}
__device__ void move(int disks, int from, int to, int by, int& made) {
  if (disks == 0)
    return;
  move(disks - 1, from, by, to, made);
  moves[kMoves * threadIdx.x + made++] = 10 * from + to;
  move(disks - 1, by, to, from, made);
}

// Threads wait in functions whose last action is to call themselves.
__device__ void add_up(int* parts, unsigned width) {
  if (width == 0)
    return;
  if (threadIdx.x < width)
    parts[threadIdx.x] += parts[threadIdx.x + width];
  __syncthreads();
  add_up(parts, width / 2);
}
__device__ int sum_of_warp(int value, int by) {
  return by == 0 ? value : sum_of_warp(value + __shfl_xor_sync(~0u, value, by), by / 2);
}
template <int step> __device__ int waits(int n) {
  if (n < 0)
    return 0;
  __syncwarp();
  return 1 + waits<step>(n - step);
}

// By pointer.
struct Node {
  __device__ virtual int value(int depth) const = 0;
};
struct Leaf : Node {
  __device__ int value(int depth) const override { return (int)threadIdx.x * depth; }
};
struct Both : Node {
  const Node *left, *right;
  __device__ Both(const Node* left, const Node* right) : left(left), right(right) {}
  __device__ int value(int depth) const override {
    return left->value(depth + 1) + right->value(depth + 1) + (int)blockDim.x;
  }
};

__global__ void with_variables(int* out) {
  __shared__ int parts[kBlockThreads];
  parts[threadIdx.x] = (int)threadIdx.x;
  __syncthreads();
  add_up(parts, kBlockThreads / 2);
  int made = 0, hash = 0;
  move(4, 0, 1, 2, made);
  for (int i = 0; i < made; ++i)
    hash = hash * 3 + moves[kMoves * threadIdx.x + i];
  const Leaf leaf;
  const Both below(&leaf, &leaf), above(&below, &leaf);
  const Node* const root = &above;
  int* const own = out + 6 * threadIdx.x;
  own[0] = fibonacci(9);
  own[1] = hash;
  own[2] = parts[0];
  own[3] = sum_of_warp((int)threadIdx.x, 16);
  own[4] = waits<2>((int)(blockDim.x / 4));
  own[5] = root->value(0);
}

void host_moves(int disks, int from, int to, int by, int& hash) {
  if (disks == 0)
    return;
  host_moves(disks - 1, from, by, to, hash);
  hash = hash * 3 + 10 * from + to;
  host_moves(disks - 1, by, to, from, hash);
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

  with_variables<<<1, kBlockThreads, kBlockThreads * kMoves * sizeof(int)>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int hash = 0;
  host_moves(4, 0, 1, 2, hash);
  for (int thread = 0; thread < kBlockThreads; ++thread) {
    const int* const own = out + 6 * thread;
    EXPECT(own[0] == 34'109 && own[1] == hash && own[2] == 31 * 16 && own[3] == 31 * 16);
    EXPECT(own[4] == 5 && own[5] == 5 * thread + 2 * kBlockThreads);
  }
  return wrong;
}
