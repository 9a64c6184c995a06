// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust: transformations, iterators, vectors and streams.
//
// Needs: thrust/version.h libthrust-dev
#include "thrust_ints.h"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <numeric>

static std::vector<int> permutation(Random& random, int count) {
  std::vector<int> places(count);
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), random);
  return places;
}

// y = a x + y
struct Saxpy {
  int a;
  __host__ __device__ int operator()(int x, int y) const { return a * x + y; }
};

struct Weigh {
  template <typename Tuple> __host__ __device__ void operator()(Tuple all) const {
    thrust::get<2>(all) = thrust::get<0>(all) - 2 * thrust::get<1>(all);
  }
};

struct Draw {
  __host__ __device__ int operator()(int at) const {
    thrust::minstd_rand engine(5);
    engine.discard(at);
    return thrust::uniform_int_distribution<int>(0, 999)(engine);
  }
};

// nvcc takes such lambdas in functions with names only.
static bool transform_by_lambda(Random& random, int count) {
  std::vector<int> expected = numbers(random, count);
  Ints values(expected.begin(), expected.end());
  const int offset = below(random, 10);
  thrust::transform(values.begin(), values.end(), values.begin(),
                    [=] __device__(int x) -> int { return 2 * x + offset; });
  for (int& value : expected)
    value = 2 * value + offset;
  return on_host(values) == expected;
}

static const Row kRows[]{
    {"transform with a lambda", transform_by_lambda},
    {"transform of two",
     [](Random& random, int count) {
       const std::vector<int> x = numbers(random, count);
       std::vector<int> expected = numbers(random, count);
       const Ints values(x.begin(), x.end());
       Ints sums(expected.begin(), expected.end());
       thrust::transform(values.begin(), values.end(), sums.begin(), sums.begin(), Saxpy{3});
       for (int i = 0; i < count; ++i)
         expected[i] += 3 * x[i];
       return on_host(sums) == expected;
     }},
    {"for_each over a zip_iterator",
     [](Random& random, int count) {
       const std::vector<int> left = numbers(random, count), right = numbers(random, count);
       const Ints a(left.begin(), left.end()), b(right.begin(), right.end());
       Ints result(count);
       const auto begin =
           thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), result.begin()));
       thrust::for_each(begin, begin + count, Weigh());
       std::vector<int> expected(count);
       for (int i = 0; i < count; ++i)
         expected[i] = left[i] - 2 * right[i];
       return on_host(result) == expected;
     }},
    {"sort of a zip_iterator",
     [](Random& random, int count) {
       const std::vector<int> keys = permutation(random, count);
       Ints of(keys.begin(), keys.end()), values(keys.begin(), keys.end());
       const auto begin = thrust::make_zip_iterator(thrust::make_tuple(of.begin(), values.begin()));
       thrust::sort(begin, begin + count);
       std::vector<int> expected(count);
       std::iota(expected.begin(), expected.end(), 0);
       return on_host(of) == expected && on_host(values) == expected;
     }},
    {"permutation_iterator",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count), places = permutation(random, count);
       const Ints values(given.begin(), given.end()), map(places.begin(), places.end());
       const auto begin = thrust::make_permutation_iterator(values.begin(), map.begin());
       const int half = count / 2;
       int expected = 0;
       for (int i = 0; i < half; ++i)
         expected += given[places[i]];
       return thrust::reduce(begin, begin + half) == expected;
     }},
    {"counting_iterator",
     [](Random&, int count) {
       const auto begin = thrust::make_counting_iterator(1);
       return thrust::reduce(begin, begin + count) == count * (count + 1) / 2;
     }},
    {"transform_iterator",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Ints values(given.begin(), given.end());
       const auto begin = thrust::make_transform_iterator(values.begin(), Square());
       int expected = 0;
       for (const int value : given)
         expected += value * value;
       return thrust::reduce(begin, begin + count) == expected;
     }},
    {"constant_iterator",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::transform(values.begin(), values.end(), thrust::make_constant_iterator(10),
                         values.begin(), thrust::multiplies<int>());
       for (int& value : expected)
         value *= 10;
       return on_host(values) == expected;
     }},
    {"gather",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count), places = permutation(random, count);
       const Ints values(given.begin(), given.end()), map(places.begin(), places.end());
       Ints result(count);
       thrust::gather(map.begin(), map.end(), values.begin(), result.begin());
       std::vector<int> expected;
       for (const int place : places)
         expected.push_back(given[place]);
       return on_host(result) == expected;
     }},
    {"scatter_if",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count), places = permutation(random, count),
                              mask = numbers(random, count, 2);
       const Ints values(given.begin(), given.end()), map(places.begin(), places.end()),
           stencil(mask.begin(), mask.end());
       Ints result(count, -1);
       thrust::scatter_if(values.begin(), values.end(), map.begin(), stencil.begin(),
                          result.begin());
       std::vector<int> expected(count, -1);
       for (int i = 0; i < count; ++i)
         if (mask[i])
           expected[places[i]] = given[i];
       return on_host(result) == expected;
     }},
    {"random numbers",
     [](Random&, int count) {
       Ints values(count);
       thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(count),
                         values.begin(), Draw());
       std::vector<int> expected;
       for (int i = 0; i < count; ++i)
         expected.push_back(Draw()(i));
       return on_host(values) == expected;
     }},
    {"vectors",
     [](Random& random, int count) {
       thrust::host_vector<int> given(count);
       for (int i = 0; i < count; ++i)
         given[i] = below(random, 100);
       Ints values = given;
       values.push_back(4);
       values.insert(values.begin(), 2, 9);
       values.resize(values.size() + 1, 6);
       thrust::host_vector<int> result = values;
       return static_cast<int>(result.size()) == count + 4 && result[0] == 9 && result[1] == 9 &&
              std::equal(given.begin(), given.end(), result.begin() + 2) &&
              result[count + 2] == 4 && result[count + 3] == 6;
     }},
    {"a stream, and pointers of the runtime",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       cudaStream_t stream;
       cudaStreamCreate(&stream);
       int* memory = nullptr;
       cudaMalloc(&memory, (count + 1) * sizeof(int));
       cudaMemcpyAsync(memory, expected.data(), count * sizeof(int), cudaMemcpyHostToDevice,
                       stream);
       const thrust::device_ptr<int> begin(memory);
       thrust::sort(thrust::cuda::par.on(stream), begin, begin + count);
       thrust::transform(thrust::cuda::par.on(stream), begin, begin + count, begin, Square());
       std::vector<int> result(count);
       cudaMemcpyAsync(result.data(), memory, count * sizeof(int), cudaMemcpyDeviceToHost, stream);
       cudaStreamSynchronize(stream);
       std::sort(expected.begin(), expected.end());
       for (int& value : expected)
         value *= value;
       cudaFree(memory);
       cudaStreamDestroy(stream);
       return result == expected;
     }},
    {"the host's policy",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count), result = expected;
       thrust::sort(thrust::host, result.begin(), result.end());
       std::sort(expected.begin(), expected.end());
       return result == expected;
     }},
};

int main() {
  return failures(kRows);
}
