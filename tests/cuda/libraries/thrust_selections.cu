// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust: selecting, partitioning, and operations on sets.
//
// Needs: thrust/version.h libthrust-dev
#include "thrust_ints.h"

#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/set_operations.h>
#include <thrust/unique.h>

#include <iterator>

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 1; }
};

// Applies an operation on two sorted rows of numbers, here and there.
template <typename Ours, typename Theirs>
static bool same_sets(Random& random, int count, Ours ours, Theirs theirs) {
  std::vector<int> left = numbers(random, count), right = numbers(random, count / 2 + 3), expected;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  const Ints a(left.begin(), left.end()), b(right.begin(), right.end());
  Ints result(left.size() + right.size());
  result.resize(ours(a, b, result) - result.begin());
  theirs(left, right, std::back_inserter(expected));
  return on_host(result) == expected;
}

#define ROW_OF_SETS(operation)                                                                     \
  {#operation, [](Random& random, int count) {                                                     \
     return same_sets(                                                                             \
         random, count,                                                                            \
         [](const Ints& a, const Ints& b, Ints& result) {                                          \
           return thrust::operation(a.begin(), a.end(), b.begin(), b.end(), result.begin());       \
         },                                                                                        \
         [](const std::vector<int>& a, const std::vector<int>& b, auto result) {                   \
           std::operation(a.begin(), a.end(), b.begin(), b.end(), result);                         \
         });                                                                                       \
   }}

static const Row kRows[]{
    {"copy_if",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Ints values(given.begin(), given.end());
       Ints chosen(count);
       chosen.resize(thrust::copy_if(values.begin(), values.end(), chosen.begin(), IsOdd()) -
                     chosen.begin());
       std::vector<int> expected;
       std::copy_if(given.begin(), given.end(), std::back_inserter(expected), IsOdd());
       return on_host(chosen) == expected;
     }},
    {"copy_if with a stencil",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count), mask = numbers(random, count);
       const Ints values(given.begin(), given.end()), stencil(mask.begin(), mask.end());
       Ints chosen(count);
       chosen.resize(thrust::copy_if(values.begin(), values.end(), stencil.begin(),
                                     chosen.begin(), IsOdd()) -
                     chosen.begin());
       std::vector<int> expected;
       for (int i = 0; i < count; ++i)
         if (mask[i] % 2 == 1)
           expected.push_back(given[i]);
       return on_host(chosen) == expected;
     },
     Run::Long},
    {"remove_if",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       values.erase(thrust::remove_if(values.begin(), values.end(), IsOdd()), values.end());
       expected.erase(std::remove_if(expected.begin(), expected.end(), IsOdd()), expected.end());
       return on_host(values) == expected;
     },
     Run::Long},
    {"replace_if",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::replace_if(values.begin(), values.end(), IsOdd(), -1);
       std::replace_if(expected.begin(), expected.end(), IsOdd(), -1);
       return on_host(values) == expected;
     }},
    {"unique",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count, 3);
       Ints values(expected.begin(), expected.end());
       values.erase(thrust::unique(values.begin(), values.end()), values.end());
       expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
       return on_host(values) == expected;
     }},
    {"unique_by_key",
     [](Random& random, int count) {
       const std::vector<int> keys = numbers(random, count, 3), given = numbers(random, count);
       Ints of(keys.begin(), keys.end()), values(given.begin(), given.end());
       const auto ends = thrust::unique_by_key(of.begin(), of.end(), values.begin());
       of.erase(ends.first, of.end());
       values.erase(ends.second, values.end());
       std::vector<int> expected_keys, expected;
       for (int i = 0; i < count; ++i)
         if (i == 0 || keys[i] != keys[i - 1]) {
           expected_keys.push_back(keys[i]);
           expected.push_back(given[i]);
         }
       return on_host(of) == expected_keys && on_host(values) == expected;
     }},
    {"partition",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       Ints values(given.begin(), given.end());
       const auto middle = thrust::partition(values.begin(), values.end(), IsOdd());
       std::vector<int> result = on_host(values), expected = given;
       const int odd = static_cast<int>(std::count_if(given.begin(), given.end(), IsOdd()));
       const bool divided = std::is_partitioned(result.begin(), result.end(), IsOdd());
       std::sort(result.begin(), result.end());
       std::sort(expected.begin(), expected.end());
       return middle - values.begin() == odd && divided && result == expected;
     }},
    {"stable_partition",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::stable_partition(values.begin(), values.end(), IsOdd());
       std::stable_partition(expected.begin(), expected.end(), IsOdd());
       return on_host(values) == expected;
     },
     Run::Long},
    {"partition_copy",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Ints values(given.begin(), given.end());
       Ints odd(count), even(count);
       const auto ends = thrust::stable_partition_copy(values.begin(), values.end(), odd.begin(),
                                                       even.begin(), IsOdd());
       odd.resize(ends.first - odd.begin());
       even.resize(ends.second - even.begin());
       std::vector<int> expected_odd, expected_even;
       std::partition_copy(given.begin(), given.end(), std::back_inserter(expected_odd),
                           std::back_inserter(expected_even), IsOdd());
       return on_host(odd) == expected_odd && on_host(even) == expected_even;
     },
     Run::Long},
    ROW_OF_SETS(set_union),
    ROW_OF_SETS(set_intersection),
    ROW_OF_SETS(set_difference),
    ROW_OF_SETS(set_symmetric_difference),
};

int main() {
  return failures(kRows);
}
