// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcu++ in kernels: the toolkit's own part of it, or CCCL's.
#include "table.h"

#include <cuda/atomic>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include <numeric>

#include "device_memory.h"

// Calls step(values, i) for each value.
template <typename Step> __global__ void each(const int* in, int* out, int count, Step step) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    out[i] = step(cuda::std::span<const int>(in, count), i);
}

template <typename Step>
static std::vector<int> each_of(const std::vector<int>& given, Step step) {
  const int count = static_cast<int>(given.size());
  const Memory in(given), out(count);
  if (count > 0)
    each<<<(count + 63) / 64, 64>>>(in.data, out.data, count, step);
  return out.read();
}

// The kernel makes of a value what the host makes of it.
template <typename Step> static bool same(Random& random, int count, Step step) {
  const std::vector<int> given = numbers(random, count, 1000);
  std::vector<int> expected;
  for (int i = 0; i < count; ++i)
    expected.push_back(step(cuda::std::span<const int>(given.data(), given.size()), i));
  return each_of(given, step) == expected;
}

using Values = cuda::std::span<const int>;

struct OfArray {
  __host__ __device__ int operator()(Values values, int i) const {
    cuda::std::array<int, 4> last{};
    for (int k = 0; k < 4; ++k)
      last[k] = i >= k ? values[i - k] : 0;
    int sum = 0;
    for (const int value : last)
      sum += value;
    return sum + static_cast<int>(last.size());
  }
};
struct OfTuple {
  __host__ __device__ int operator()(Values values, int i) const {
    const cuda::std::tuple<int, short, char> all(values[i], short(2), char(3));
    return cuda::std::get<0>(all) * cuda::std::get<1>(all) + cuda::std::get<2>(all);
  }
};
struct OfOptional {
  __host__ __device__ static cuda::std::optional<int> half(int x) {
    return x % 2 == 0 ? cuda::std::optional<int>(x / 2) : cuda::std::nullopt;
  }
  __host__ __device__ int operator()(Values values, int i) const {
    const cuda::std::optional<int> found = half(values[i]);
    return found ? *found : half(values[i] + 1).value_or(0) + found.has_value();
  }
};
struct OfComplex {
  __host__ __device__ int operator()(Values values, int i) const {
    const cuda::std::complex<float> z(static_cast<float>(values[i] % 20), 3.0f);
    const cuda::std::complex<float> product = z * z + cuda::std::complex<float>(1.0f, 2.0f);
    return static_cast<int>(product.real()) + 1000 * static_cast<int>(product.imag());
  }
};
struct OfSpan {
  __host__ __device__ int operator()(Values values, int i) const {
    const Values behind = values.subspan(i);
    return behind.front() + static_cast<int>(behind.size()) + values.back();
  }
};
struct OfPair {
  __host__ __device__ int operator()(Values values, int i) const {
    cuda::std::pair<int, int> both(values[i], i);
    cuda::std::swap(both.first, both.second);
    return both.first * 2 + both.second;
  }
};
struct OfLimits {
  __host__ __device__ int operator()(Values values, int i) const {
    static_assert(cuda::std::is_same<cuda::std::int32_t, int>::value, "");
    return cuda::std::numeric_limits<int>::max() - values[i] -
           static_cast<int>(cuda::std::numeric_limits<unsigned char>::max());
  }
};
struct OfVariant {
  __host__ __device__ int operator()(Values values, int i) const {
    using Either = cuda::std::variant<int, unsigned char>;
    const Either either =
        values[i] % 3 == 0 ? Either(static_cast<unsigned char>(values[i] & 255)) : Either(values[i]);
    return either.index() == 0 ? cuda::std::get<0>(either) : -cuda::std::get<1>(either);
  }
};

__global__ void add_up(const int* in, int* sum, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    cuda::atomic_ref<int, cuda::thread_scope_device>(*sum).fetch_add(in[i],
                                                                     cuda::std::memory_order_relaxed);
}

__global__ void find_most(const int* in, int* most, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count)
    return;
  auto* const word = reinterpret_cast<cuda::std::atomic<int>*>(most);
  int seen = word->load();
  while (seen < in[i] && !word->compare_exchange_weak(seen, in[i]))
    ;
}

#define ROW(part) {#part, [](Random& random, int count) { return same(random, count, part()); }}

static const Row kRows[]{
    ROW(OfArray),
    ROW(OfTuple),
    ROW(OfOptional),
    ROW(OfComplex),
    ROW(OfSpan),
    ROW(OfPair),
    ROW(OfLimits),
    ROW(OfVariant),
    {"atomic_ref",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Memory in(given), sum(1);
       if (count > 0)
         add_up<<<(count + 63) / 64, 64>>>(in.data, sum.data, count);
       return sum.read()[0] == std::accumulate(given.begin(), given.end(), 0);
     }},
    {"atomic",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count, 1000000);
       const Memory in(given), most(1);
       if (count > 0)
         find_most<<<(count + 63) / 64, 64>>>(in.data, most.data, count);
       return most.read()[0] == std::accumulate(given.begin(), given.end(), 0, [](int a, int b) {
                return std::max(a, b);
              });
     }},
};

int main() {
  return failures(kRows, 700);
}
