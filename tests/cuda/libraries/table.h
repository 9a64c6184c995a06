// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that compare algorithms of a library with plain C++: a row for each algorithm. Each row
// runs with several sizes; GPUTEST_RANDOM sets how many of them are random. Without it, rows run
// that need kernels of their own; Long ones have an algorithm that another row has, with another
// function, order or source of its values.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using Random = std::mt19937;

inline int below(Random& random, int bound) {
  return static_cast<int>(random() % static_cast<unsigned>(bound));
}

inline std::vector<int> numbers(Random& random, int count, int bound = 100) {
  std::vector<int> values(count);
  for (int& value : values)
    value = below(random, bound);
  return values;
}

enum class Run { Always, Long };

struct Row {
  const char* name;
  bool (*holds)(Random& random, int count);
  Run run = Run::Always;
};

// Returns how many rows do not hold.
template <std::size_t n> int failures(const Row (&rows)[n], int largest = 2500) {
  const char* const asked = std::getenv("GPUTEST_RANDOM");
  const int more = asked ? std::atoi(asked) : 1;
  int wrong = 0;
  for (const Row& row : rows) {
    if (row.run == Run::Long && !asked)
      continue;
    Random random(17);
    std::vector<int> sizes{0, 1, 33};
    for (int i = 0; i < more; ++i)
      sizes.push_back(1 + below(random, largest));
    for (const int size : sizes) {
      const bool holds = row.holds(random, size);
      const cudaError_t error = cudaGetLastError();
      if (holds && error == cudaSuccess)
        continue;
      std::printf("%s with %d values: %s\n", row.name, size,
                  error ? cudaGetErrorString(error) : "another result");
      ++wrong;
    }
  }
  std::printf("%zu rows\n", n);
  return wrong;
}
