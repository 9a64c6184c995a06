// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust: prefix sums, also by key, and reductions.
//
// Needs: thrust/version.h libthrust-dev
#include "thrust_ints.h"

#include <thrust/adjacent_difference.h>
#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <numeric>

// Runs of equal keys.
static std::vector<int> runs(Random& random, int count) {
  std::vector<int> keys(count);
  int key = 0;
  for (int& one : keys)
    one = key += below(random, 5) == 0;
  return keys;
}

// nvcc takes such lambdas in functions with names only.
static bool count_by_lambdas(Random& random, int count) {
  const std::vector<int> given = numbers(random, count);
  const Ints values(given.begin(), given.end());
  const auto large = [] __host__ __device__(int x) { return x >= 90; };
  const auto fits = [] __host__ __device__(int x) { return x < 99; };
  return thrust::count_if(values.begin(), values.end(), large) ==
             std::count_if(given.begin(), given.end(), large) &&
         thrust::any_of(values.begin(), values.end(), large) ==
             std::any_of(given.begin(), given.end(), large) &&
         thrust::all_of(values.begin(), values.end(), fits) ==
             std::all_of(given.begin(), given.end(), fits);
}

static const Row kRows[]{
    {"inclusive_scan",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::inclusive_scan(values.begin(), values.end(), values.begin());
       std::partial_sum(expected.begin(), expected.end(), expected.begin());
       return on_host(values) == expected;
     }},
    {"exclusive_scan from 7",
     [](Random& random, int count) {
       const std::vector<int> numbers_of = numbers(random, count);
       Ints values(numbers_of.begin(), numbers_of.end()), sums(count);
       thrust::exclusive_scan(values.begin(), values.end(), sums.begin(), 7);
       std::vector<int> expected;
       int sum = 7;
       for (const int value : numbers_of) {
         expected.push_back(sum);
         sum += value;
       }
       return on_host(sums) == expected;
     },
     Run::Long},
    {"inclusive_scan of the maximum",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count, 100000);
       Ints values(expected.begin(), expected.end());
       thrust::inclusive_scan(values.begin(), values.end(), values.begin(), thrust::maximum<int>());
       for (int i = 1; i < count; ++i)
         expected[i] = std::max(expected[i], expected[i - 1]);
       return on_host(values) == expected;
     },
     Run::Long},
    {"inclusive_scan_by_key",
     [](Random& random, int count) {
       const std::vector<int> keys = runs(random, count);
       std::vector<int> expected = numbers(random, count);
       Ints of(keys.begin(), keys.end()), values(expected.begin(), expected.end());
       thrust::inclusive_scan_by_key(of.begin(), of.end(), values.begin(), values.begin());
       for (int i = 1; i < count; ++i)
         if (keys[i] == keys[i - 1])
           expected[i] += expected[i - 1];
       return on_host(values) == expected;
     }},
    {"exclusive_scan_by_key",
     [](Random& random, int count) {
       const std::vector<int> keys = runs(random, count), given = numbers(random, count);
       Ints of(keys.begin(), keys.end()), values(given.begin(), given.end()), sums(count);
       thrust::exclusive_scan_by_key(of.begin(), of.end(), values.begin(), sums.begin());
       std::vector<int> expected(count);
       for (int i = 1; i < count; ++i)
         expected[i] = keys[i] == keys[i - 1] ? expected[i - 1] + given[i - 1] : 0;
       return on_host(sums) == expected;
     },
     Run::Long},
    {"transform_inclusive_scan",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::transform_inclusive_scan(values.begin(), values.end(), values.begin(), Square(),
                                        thrust::plus<int>());
       int sum = 0;
       for (int& value : expected)
         value = sum += value * value;
       return on_host(values) == expected;
     },
     Run::Long},
    {"adjacent_difference",
     [](Random& random, int count) {
       std::vector<int> given = numbers(random, count), expected(count);
       Ints values(given.begin(), given.end()), differences(count);
       thrust::adjacent_difference(values.begin(), values.end(), differences.begin());
       std::adjacent_difference(given.begin(), given.end(), expected.begin());
       return on_host(differences) == expected;
     }},
    {"reduce",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Ints values(given.begin(), given.end());
       return thrust::reduce(values.begin(), values.end(), 3) ==
              std::accumulate(given.begin(), given.end(), 3);
     }},
    {"reduce_by_key",
     [](Random& random, int count) {
       const std::vector<int> keys = runs(random, count), given = numbers(random, count);
       const Ints of(keys.begin(), keys.end()), values(given.begin(), given.end());
       Ints found(count), sums(count);
       const auto ends =
           thrust::reduce_by_key(of.begin(), of.end(), values.begin(), found.begin(), sums.begin());
       found.resize(ends.first - found.begin());
       sums.resize(ends.second - sums.begin());
       std::vector<int> expected_keys, expected;
       for (int i = 0; i < count; ++i)
         if (i > 0 && keys[i] == keys[i - 1])
           expected.back() += given[i];
         else {
           expected_keys.push_back(keys[i]);
           expected.push_back(given[i]);
         }
       return on_host(found) == expected_keys && on_host(sums) == expected;
     }},
    {"transform_reduce",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Ints values(given.begin(), given.end());
       int expected = 0;
       for (const int value : given)
         expected += value * value;
       return thrust::transform_reduce(values.begin(), values.end(), Square(), 0,
                                       thrust::plus<int>()) == expected;
     },
     Run::Long},
    {"inner_product",
     [](Random& random, int count) {
       const std::vector<int> left = numbers(random, count), right = numbers(random, count);
       const Ints a(left.begin(), left.end()), b(right.begin(), right.end());
       return thrust::inner_product(a.begin(), a.end(), b.begin(), 0) ==
              std::inner_product(left.begin(), left.end(), right.begin(), 0);
     },
     Run::Long},
    {"minmax_element",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count, 1000000);
       const Ints values(given.begin(), given.end());
       if (count == 0)
         return thrust::max_element(values.begin(), values.end()) == values.end();
       const auto found = thrust::minmax_element(values.begin(), values.end());
       const auto expected = std::minmax_element(given.begin(), given.end());
       return *found.first == *expected.first && *found.second == *expected.second;
     }},
    {"count_if, any_of and all_of", count_by_lambdas},
};

int main() {
  return failures(kRows);
}
