// How often each of 16 values occurs.
#pragma once

#include <vector>

constexpr int kBins = 16;

// Values outside of [0, kBins) do not count. Empty: CUDA reported an error.
std::vector<int> histogram(const std::vector<int>& values);
