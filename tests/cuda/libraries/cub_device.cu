// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB: algorithms of the whole device that scan, reduce, select and count.
//
// Needs: cub/version.cuh libcub-dev
#include "table.h"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>

#include <limits>
#include <numeric>

#include "device_memory.h"

struct Maximum {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct IsLarge {
  __host__ __device__ bool operator()(int x) const { return x >= 50; }
};

static const Row kRows[]{
    {"DeviceScan::InclusiveSum",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count);
       const Memory values(expected), sums(count);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceScan::InclusiveSum(storage, bytes, values.data, sums.data, count);
       });
       std::partial_sum(expected.begin(), expected.end(), expected.begin());
       return sums.read() == expected;
     }},
    {"DeviceScan::ExclusiveScan",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count, 10000);
       const Memory values(given), results(count);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceScan::ExclusiveScan(storage, bytes, values.data, results.data, Maximum(),
                                               5, count);
       });
       std::vector<int> expected;
       int most = 5;
       for (const int value : given) {
         expected.push_back(most);
         most = std::max(most, value);
       }
       return results.read() == expected;
     },
     Run::Long},
    {"DeviceReduce::Sum and Min",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count, 1000000);
       const Memory values(given), results(2);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceReduce::Sum(storage, bytes, values.data, results.data, count);
       });
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceReduce::Min(storage, bytes, values.data, results.data + 1, count);
       });
       const int least = count ? *std::min_element(given.begin(), given.end())
                               : std::numeric_limits<int>::max();
       return results.read() ==
              std::vector<int>{std::accumulate(given.begin(), given.end(), 0), least};
     }},
    {"DeviceReduce::Reduce",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count, 1000000);
       const Memory values(given), result(1);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceReduce::Reduce(storage, bytes, values.data, result.data, count,
                                          Maximum(), -1);
       });
       const int expected = count ? *std::max_element(given.begin(), given.end()) : -1;
       return result.read() == std::vector<int>{expected};
     },
     Run::Long},
    {"DeviceReduce::ReduceByKey",
     [](Random& random, int count) {
       const std::vector<int> keys = numbers(random, count, 2), given = numbers(random, count);
       const Memory of(keys), values(given), found(count), sums(count), runs(1);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceReduce::ReduceByKey(storage, bytes, of.data, found.data, values.data,
                                               sums.data, runs.data, Plus(), count);
       });
       std::vector<int> expected_keys, expected;
       for (int i = 0; i < count; ++i)
         if (i > 0 && keys[i] == keys[i - 1])
           expected.back() += given[i];
         else {
           expected_keys.push_back(keys[i]);
           expected.push_back(given[i]);
         }
       const int number = count ? runs.read()[0] : 0;
       return found.read(number) == expected_keys && sums.read(number) == expected;
     }},
    {"DeviceSegmentedReduce::Sum",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       std::vector<int> bounds{0};
       while (bounds.back() < count)
         bounds.push_back(std::min(count, bounds.back() + below(random, 90)));
       const int segments = static_cast<int>(bounds.size()) - 1;
       const Memory values(given), begins(bounds), sums(segments);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceSegmentedReduce::Sum(storage, bytes, values.data, sums.data, segments,
                                                begins.data, begins.data + 1);
       });
       std::vector<int> expected;
       for (int i = 0; i < segments; ++i)
         expected.push_back(
             std::accumulate(given.begin() + bounds[i], given.begin() + bounds[i + 1], 0));
       return sums.read() == expected;
     }},
    {"DeviceSelect::If",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Memory values(given), chosen(count), number(1);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceSelect::If(storage, bytes, values.data, chosen.data, number.data, count,
                                      IsLarge());
       });
       std::vector<int> expected;
       std::copy_if(given.begin(), given.end(), std::back_inserter(expected), IsLarge());
       return chosen.read(number.read()[0]) == expected;
     }},
    {"DeviceSelect::Flagged",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count), flags = numbers(random, count, 2);
       const Memory values(given), of(flags), chosen(count), number(1);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceSelect::Flagged(storage, bytes, values.data, of.data, chosen.data,
                                           number.data, count);
       });
       std::vector<int> expected;
       for (int i = 0; i < count; ++i)
         if (flags[i])
           expected.push_back(given[i]);
       return chosen.read(number.read()[0]) == expected;
     },
     Run::Long},
    {"DeviceSelect::Unique",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count, 3);
       const Memory values(expected), chosen(count), number(1);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceSelect::Unique(storage, bytes, values.data, chosen.data, number.data,
                                          count);
       });
       expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
       return chosen.read(number.read()[0]) == expected;
     }},
    {"DevicePartition::If",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Memory values(given), parts(count), number(1);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DevicePartition::If(storage, bytes, values.data, parts.data, number.data,
                                         count, IsLarge());
       });
       std::vector<int> expected = given; // those that are not chosen come last, in reverse
       const auto middle = std::stable_partition(expected.begin(), expected.end(), IsLarge());
       std::reverse(middle, expected.end());
       return parts.read() == expected && number.read()[0] == middle - expected.begin();
     }},
    {"DeviceHistogram::HistogramEven",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count);
       const Memory values(given), counts(10);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceHistogram::HistogramEven(storage, bytes, values.data, counts.data, 11,
                                                    0, 100, count);
       });
       std::vector<int> expected(10);
       for (const int value : given)
         ++expected[value / 10];
       return counts.read() == expected;
     }},
    {"DeviceHistogram::HistogramRange",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count), bounds{10, 20, 70, 75};
       const Memory values(given), of(bounds), counts(3);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceHistogram::HistogramRange(storage, bytes, values.data, counts.data, 4,
                                                     of.data, count);
       });
       std::vector<int> expected(3);
       for (const int value : given)
         for (int i = 0; i < 3; ++i)
           expected[i] += bounds[i] <= value && value < bounds[i + 1];
       return counts.read() == expected;
     },
     Run::Long},
    {"DeviceRunLengthEncode::Encode",
     [](Random& random, int count) {
       const std::vector<int> given = numbers(random, count, 3);
       const Memory values(given), found(count), lengths(count), runs(1);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceRunLengthEncode::Encode(storage, bytes, values.data, found.data,
                                                   lengths.data, runs.data, count);
       });
       std::vector<int> expected_values, expected;
       for (int i = 0; i < count; ++i)
         if (i > 0 && given[i] == given[i - 1])
           ++expected.back();
         else {
           expected_values.push_back(given[i]);
           expected.push_back(1);
         }
       const int number = count ? runs.read()[0] : 0;
       return found.read(number) == expected_values && lengths.read(number) == expected;
     }},
};

int main() {
  return failures(kRows);
}
