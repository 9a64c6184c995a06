// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust: sorting, merging and searching.
//
// Needs: thrust/version.h libthrust-dev
#include "thrust_ints.h"

#include <thrust/binary_search.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/sort.h>

struct LastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

static const Row kRows[]{
    {"sort",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::sort(values.begin(), values.end());
       std::sort(expected.begin(), expected.end());
       return on_host(values) == expected;
     }},
    {"sort, descending",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::sort(values.begin(), values.end(), thrust::greater<int>());
       std::sort(expected.rbegin(), expected.rend());
       return on_host(values) == expected;
     },
     Run::Long},
    {"stable_sort with a comparison of one's own",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       Ints values(expected.begin(), expected.end());
       thrust::stable_sort(values.begin(), values.end(), LastDigit());
       std::stable_sort(expected.begin(), expected.end(), LastDigit());
       return on_host(values) == expected;
     }},
    {"sort_by_key",
     [](Random& random, int count) {
       const std::vector<int> keys = numbers(random, count, 1000);
       Ints sorted(keys.begin(), keys.end()), places(count);
       thrust::sequence(places.begin(), places.end());
       thrust::stable_sort_by_key(sorted.begin(), sorted.end(), places.begin());
       std::vector<int> expected(count);
       for (int i = 0; i < count; ++i)
         expected[i] = i;
       std::stable_sort(expected.begin(), expected.end(),
                        [&](int a, int b) { return keys[a] < keys[b]; });
       return on_host(places) == expected && thrust::is_sorted(sorted.begin(), sorted.end());
     }},
    {"merge",
     [](Random& random, int count) {
       std::vector<int> left = numbers(random, count), right = numbers(random, count / 2 + 1),
                        expected(left.size() + right.size());
       std::sort(left.begin(), left.end());
       std::sort(right.begin(), right.end());
       Ints a(left.begin(), left.end()), b(right.begin(), right.end()), merged(expected.size());
       thrust::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin());
       std::merge(left.begin(), left.end(), right.begin(), right.end(), expected.begin());
       return on_host(merged) == expected;
     }},
    {"lower_bound of many values",
     [](Random& random, int count) {
       std::vector<int> sorted = numbers(random, count), asked = numbers(random, 50);
       std::sort(sorted.begin(), sorted.end());
       Ints values(sorted.begin(), sorted.end()), wanted(asked.begin(), asked.end()), found(50);
       thrust::lower_bound(values.begin(), values.end(), wanted.begin(), wanted.end(),
                           found.begin());
       std::vector<int> expected;
       for (const int value : asked)
         expected.push_back(static_cast<int>(
             std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
       return on_host(found) == expected;
     }},
    {"binary_search of one value",
     [](Random& random, int count) {
       std::vector<int> sorted = numbers(random, count);
       std::sort(sorted.begin(), sorted.end());
       Ints values(sorted.begin(), sorted.end());
       const int value = below(random, 100);
       return thrust::binary_search(values.begin(), values.end(), value) ==
              std::binary_search(sorted.begin(), sorted.end(), value);
     }},
};

int main() {
  return failures(kRows);
}
