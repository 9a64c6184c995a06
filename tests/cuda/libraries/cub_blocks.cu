// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB: algorithms of a block and of a warp, in kernels of one's own.
//
// Needs: cub/version.cuh libcub-dev
#include "table.h"

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <numeric>

#include "device_memory.h"

constexpr int kThreads = 128, kEach = 4, kItems = kThreads * kEach, kWarp = 32;

struct Maximum {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Differs {
  __host__ __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Difference {
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
};
struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

// Loads at most kItems values, and stores what is made of them.
template <typename Step> __global__ void of_block(const int* in, int* out, int valid, Step step) {
  using Load = cub::BlockLoad<int, kThreads, kEach, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, kThreads, kEach, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  int items[kEach];
  Load(storage.load).Load(in, items, valid, 0);
  __syncthreads();
  step(items);
  __syncthreads();
  Store(storage.store).Store(out, items);
}

// A thread has one value.
template <typename Step> __global__ void of_warps(const int* in, int* out, Step step) {
  out[threadIdx.x] = step(in[threadIdx.x]);
}

// What the kernel makes of random values, which are 0 behind the first `count`.
template <typename Step>
static std::vector<int> from_block(std::vector<int>& given, Random& random, int count, Step step,
                                   int bound = 100) {
  given = numbers(random, kItems, bound);
  std::fill(given.begin() + std::min(count, kItems), given.end(), 0);
  const Memory in(given), out(kItems);
  of_block<<<1, kThreads>>>(in.data, out.data, std::min(count, kItems), step);
  return out.read();
}
template <typename Step>
static std::vector<int> from_warps(std::vector<int>& given, Random& random, Step step) {
  given = numbers(random, kThreads);
  const Memory in(given), out(kThreads);
  of_warps<<<1, kThreads>>>(in.data, out.data, step);
  return out.read();
}

struct Nothing {
  __device__ void operator()(int (&)[kEach]) const {}
};
struct InclusiveSum {
  __device__ void operator()(int (&items)[kEach]) const {
    using Scan = cub::BlockScan<int, kThreads>;
    __shared__ typename Scan::TempStorage storage;
    Scan(storage).InclusiveSum(items, items);
  }
};
struct RakingScan {
  __device__ void operator()(int (&items)[kEach]) const {
    using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_RAKING>;
    __shared__ typename Scan::TempStorage storage;
    Scan(storage).ExclusiveScan(items, items, 5, Maximum());
  }
};
template <cub::BlockReduceAlgorithm algorithm> struct ReduceTo {
  __device__ void operator()(int (&items)[kEach]) const {
    using Reduce = cub::BlockReduce<int, kThreads, algorithm>;
    __shared__ typename Reduce::TempStorage storage;
    const int sum = Reduce(storage).Sum(items); // in the first thread
    if (threadIdx.x == 0)
      items[0] = sum;
  }
};
struct RadixSort {
  __device__ void operator()(int (&items)[kEach]) const {
    using Sort = cub::BlockRadixSort<int, kThreads, kEach>;
    __shared__ typename Sort::TempStorage storage;
    Sort(storage).SortDescending(items);
  }
};
struct MergeSort {
  __device__ void operator()(int (&items)[kEach]) const {
    using Sort = cub::BlockMergeSort<int, kThreads, kEach>;
    __shared__ typename Sort::TempStorage storage;
    Sort(storage).Sort(items, Less());
  }
};
struct ToStriped {
  __device__ void operator()(int (&items)[kEach]) const {
    using Exchange = cub::BlockExchange<int, kThreads, kEach>;
    __shared__ typename Exchange::TempStorage storage;
    Exchange(storage).BlockedToStriped(items, items);
  }
};
struct FlagHeads {
  __device__ void operator()(int (&items)[kEach]) const {
    using Heads = cub::BlockDiscontinuity<int, kThreads>;
    __shared__ typename Heads::TempStorage storage;
    int flags[kEach];
    Heads(storage).FlagHeads(flags, items, Differs());
    for (int i = 0; i < kEach; ++i)
      items[i] = flags[i];
  }
};
struct SubtractLeft {
  __device__ void operator()(int (&items)[kEach]) const {
    using Differences = cub::BlockAdjacentDifference<int, kThreads>;
    __shared__ typename Differences::TempStorage storage;
    int differences[kEach];
    Differences(storage).SubtractLeft(items, differences, Difference());
    for (int i = 0; i < kEach; ++i)
      items[i] = differences[i];
  }
};
template <cub::BlockHistogramAlgorithm algorithm> struct Count {
  __device__ void operator()(int (&items)[kEach]) const {
    using Histogram = cub::BlockHistogram<unsigned char, kThreads, kEach, 128, algorithm>;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ unsigned counts[128];
    unsigned char values[kEach];
    for (int i = 0; i < kEach; ++i)
      values[i] = static_cast<unsigned char>(items[i]);
    Histogram(storage).Histogram(values, counts);
    __syncthreads();
    for (int i = 0; i < kEach; ++i)
      items[i] = i == 0 ? static_cast<int>(counts[threadIdx.x]) : 0;
  }
};

struct WarpSum {
  __device__ int operator()(int value) const {
    using Reduce = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage storage[kThreads / kWarp];
    const int sum = Reduce(storage[threadIdx.x / kWarp]).Sum(value); // in the first lane
    return threadIdx.x % kWarp == 0 ? sum : 0;
  }
};
struct WarpScan {
  __device__ int operator()(int value) const {
    using Scan = cub::WarpScan<int>;
    __shared__ typename Scan::TempStorage storage[kThreads / kWarp];
    int sum = 0;
    Scan(storage[threadIdx.x / kWarp]).ExclusiveSum(value, sum);
    return sum;
  }
};
struct SmallWarpScan { // warps of 8 threads
  __device__ int operator()(int value) const {
    using Scan = cub::WarpScan<int, 8>;
    __shared__ typename Scan::TempStorage storage[kThreads / 8];
    int most = 0;
    Scan(storage[threadIdx.x / 8]).InclusiveScan(value, most, Maximum());
    return most;
  }
};
struct WarpSort {
  __device__ int operator()(int value) const {
    using Sort = cub::WarpMergeSort<int, 1, kWarp>;
    __shared__ typename Sort::TempStorage storage[kThreads / kWarp];
    int values[1] = {value};
    Sort(storage[threadIdx.x / kWarp]).Sort(values, Less());
    return values[0];
  }
};

template <typename Step> static bool sums_all(Random& random, int count, Step step) {
  std::vector<int> given, expected;
  const std::vector<int> result = from_block(given, random, count, step);
  expected = given;
  expected[0] = std::accumulate(given.begin(), given.end(), 0);
  return result == expected;
}
template <typename Step> static bool counts_all(Random& random, int count, Step step) {
  std::vector<int> given, expected(kItems);
  const std::vector<int> result = from_block(given, random, count, step);
  for (const int value : given)
    ++expected[value * kEach];
  return result == expected;
}

static const Row kRows[]{
    {"BlockLoad and BlockStore",
     [](Random& random, int count) {
       std::vector<int> given;
       return from_block(given, random, count, Nothing()) == given;
     }},
    {"BlockScan",
     [](Random& random, int count) {
       std::vector<int> given;
       const std::vector<int> result = from_block(given, random, count, InclusiveSum());
       std::partial_sum(given.begin(), given.end(), given.begin());
       return result == given;
     }},
    {"BlockScan, raking",
     [](Random& random, int count) {
       std::vector<int> given, expected;
       const std::vector<int> result = from_block(given, random, count, RakingScan());
       int most = 5;
       for (const int value : given) {
         expected.push_back(most);
         most = std::max(most, value);
       }
       return result == expected;
     }},
    {"BlockReduce of warps",
     [](Random& random, int count) {
       return sums_all(random, count, ReduceTo<cub::BLOCK_REDUCE_WARP_REDUCTIONS>());
     }},
    {"BlockReduce, raking",
     [](Random& random, int count) {
       return sums_all(random, count, ReduceTo<cub::BLOCK_REDUCE_RAKING>());
     }},
    {"BlockRadixSort",
     [](Random& random, int count) {
       std::vector<int> given;
       const std::vector<int> result = from_block(given, random, count, RadixSort(), 1000000);
       std::sort(given.rbegin(), given.rend());
       return result == given;
     }},
    {"BlockMergeSort",
     [](Random& random, int count) {
       std::vector<int> given;
       const std::vector<int> result = from_block(given, random, count, MergeSort(), 1000000);
       std::sort(given.begin(), given.end());
       return result == given;
     }},
    {"BlockExchange",
     [](Random& random, int count) {
       std::vector<int> given, expected(kItems);
       const std::vector<int> result = from_block(given, random, count, ToStriped());
       for (int i = 0; i < kItems; ++i)
         expected[i] = given[i % kEach * kThreads + i / kEach];
       return result == expected;
     }},
    {"BlockDiscontinuity",
     [](Random& random, int count) {
       std::vector<int> given, expected(kItems, 1);
       const std::vector<int> result = from_block(given, random, count, FlagHeads(), 3);
       for (int i = 1; i < kItems; ++i)
         expected[i] = given[i] != given[i - 1];
       return result == expected;
     }},
    {"BlockAdjacentDifference",
     [](Random& random, int count) {
       std::vector<int> given, expected(kItems);
       const std::vector<int> result = from_block(given, random, count, SubtractLeft());
       std::adjacent_difference(given.begin(), given.end(), expected.begin());
       return result == expected;
     }},
    {"BlockHistogram by sorting",
     [](Random& random, int count) {
       return counts_all(random, count, Count<cub::BLOCK_HISTO_SORT>());
     }},
    {"BlockHistogram by atomic functions",
     [](Random& random, int count) {
       return counts_all(random, count, Count<cub::BLOCK_HISTO_ATOMIC>());
     }},
    {"WarpReduce",
     [](Random& random, int) {
       std::vector<int> given, expected(kThreads);
       const std::vector<int> result = from_warps(given, random, WarpSum());
       for (int i = 0; i < kThreads; ++i)
         expected[i / kWarp * kWarp] += given[i];
       return result == expected;
     }},
    {"WarpScan",
     [](Random& random, int) {
       std::vector<int> given, expected(kThreads);
       const std::vector<int> result = from_warps(given, random, WarpScan());
       for (int i = 0; i < kThreads; ++i)
         expected[i] = i % kWarp == 0 ? 0 : expected[i - 1] + given[i - 1];
       return result == expected;
     }},
    {"WarpScan of 8 threads",
     [](Random& random, int) {
       std::vector<int> given, expected(kThreads);
       const std::vector<int> result = from_warps(given, random, SmallWarpScan());
       for (int i = 0; i < kThreads; ++i)
         expected[i] = i % 8 == 0 ? given[i] : std::max(expected[i - 1], given[i]);
       return result == expected;
     }},
    {"WarpMergeSort",
     [](Random& random, int) {
       std::vector<int> given;
       const std::vector<int> result = from_warps(given, random, WarpSort());
       for (int i = 0; i < kThreads; i += kWarp)
         std::sort(given.begin() + i, given.begin() + i + kWarp);
       return result == given;
     }},
};

int main() {
  return failures(kRows, kItems);
}
