// For programs that end where something is wrong: CHECK with 2, at a call of CUDA's that fails, and
// EXPECT with 1.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(...)                                                                                 \
  do {                                                                                             \
    if ((__VA_ARGS__) != cudaSuccess) {                                                            \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                                \
      std::exit(2);                                                                                \
    }                                                                                              \
  } while (0)
#define EXPECT(...)                                                                                \
  do {                                                                                             \
    if (!(__VA_ARGS__)) {                                                                          \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                                \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)
