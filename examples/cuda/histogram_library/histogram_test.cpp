// The test of a library whose device code it does not see.
#include "histogram.h"

#include <cstdio>

static bool test(const std::vector<int>& values) {
  std::vector<int> expected(kBins);
  for (const int value : values)
    if (value >= 0 && value < kBins)
      ++expected[value];
  return histogram(values) == expected;
}

int main() {
  std::vector<int> many;
  for (int i = 0; i < 500; ++i)
    many.push_back(i * i % 21 - 2); // some on both sides are outside
  const bool right = test(many) && test({0, 15, 15});
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}
