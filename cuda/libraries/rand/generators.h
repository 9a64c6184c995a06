// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers of the host, by the generators of curand_kernel.h.
#pragma once

#include "cuda/libraries/rand/include/curand.h"

#include <array>
#include <memory>
#include <span>

namespace gputest::cuda::libraries::rand {

class Numbers {
public:
  Numbers() = default;
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  virtual ~Numbers() = default;
  virtual void bits(std::span<unsigned> out) = 0;
  virtual void long_bits(std::span<unsigned long long>) {} // of Sobol's sequences
  virtual void uniform(std::span<float> out) = 0;
  virtual void uniform(std::span<double> out) = 0;
  virtual void normal(std::span<float> out) = 0; // mean 0, deviation 1
  virtual void normal(std::span<double> out) = 0;
  virtual void poisson(std::span<unsigned> out, double lambda) = 0;
};

// Null: a type that is not there; a known one that is missing is named. The order of the results of
// several streams is what cuRAND documents (CURAND_ORDERING_PSEUDO_LEGACY).
std::unique_ptr<Numbers> numbers_of(curandRngType_t type, unsigned long long seed,
                                    unsigned long long offset, unsigned dimensions);

constexpr std::size_t kSobolDimensions = 21;
// Directions of Sobol's sequences: <unsigned, 32> and <unsigned long long, 64>.
template <typename Word, std::size_t Bits>
const std::array<std::array<Word, Bits>, kSobolDimensions>& directions_of();

} // namespace gputest::cuda::libraries::rand
