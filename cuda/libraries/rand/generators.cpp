// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/rand/generators.h"

#include "cuda/libraries/rand/include/curand_kernel.h"

#include <cstdio>
#include <random>
#include <vector>

namespace gputest::cuda::libraries::rand {
namespace {

// The Mersenne twister, as states of the other generators are.
struct Mersenne {
  std::mt19937 engine;
};
unsigned curand(Mersenne* state) {
  return static_cast<unsigned>(state->engine());
}
float curand_uniform(Mersenne* state) {
  return gputest_rand::uniform(curand(state));
}
double curand_uniform_double(Mersenne* state) {
  const unsigned low = curand(state), high = curand(state);
  return gputest_rand::uniform_double(low, high);
}
float2 curand_normal2(Mersenne* state) {
  const unsigned x = curand(state), y = curand(state);
  return gputest_rand::box_muller(x, y);
}
double2 curand_normal2_double(Mersenne* state) {
  const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);
  return gputest_rand::box_muller_double(a, b, c, d);
}
double curand_normal_double(Mersenne* state) {
  return curand_normal2_double(state).x;
}
unsigned curand_poisson(Mersenne* state, double lambda) {
  return gputest_rand::poisson(state, lambda);
}

// The state from which that of the next stream comes.
void begin(curandStateXORWOW_t& state, unsigned long long seed) {
  curand_init(seed, 0, 0, &state);
}
void begin(curandStateMRG32k3a_t& state, unsigned long long seed) {
  curand_init(seed, 0, 0, &state);
}
void begin(curandStatePhilox4_32_10_t& state, unsigned long long seed) {
  curand_init(seed, 0, 0, &state);
}
void begin(Mersenne& state, unsigned long long seed) {
  state.engine.seed(static_cast<std::mt19937::result_type>(seed ^ (seed >> 32)));
}
void move_on(curandStateXORWOW_t& state) {
  skipahead_sequence(1, &state);
}
void move_on(curandStateMRG32k3a_t& state) {
  skipahead_subsequence(1, &state);
}
void move_on(curandStatePhilox4_32_10_t& state) {
  skipahead_sequence(1, &state);
}
void move_on(Mersenne&) {}
void skip(Mersenne& state, unsigned long long count) {
  state.engine.discard(count);
}
template <typename State> void skip(State& state, unsigned long long count) {
  skipahead(count, &state);
}

// Result n comes from stream n / Together % Count.
template <typename State, std::size_t Count, std::size_t Together>
class Streams final : public Numbers {
public:
  Streams(unsigned long long seed, unsigned long long offset) : states_(Count) {
    State state{};
    begin(state, seed);
    const unsigned long long round = Count * Together, place = offset % round;
    for (std::size_t i = 0; i < Count; ++i) {
      states_[i] = state;
      const std::size_t first = i * Together;
      const unsigned long long done =
          place <= first ? 0 : std::min<std::size_t>(place - first, Together);
      skip(states_[i], offset / round * Together + done);
      move_on(state);
    }
    next_ = place;
  }
  void bits(std::span<unsigned> out) override {
    each(out, [](State* state) { return curand(state); });
  }
  void uniform(std::span<float> out) override {
    each(out, [](State* state) { return curand_uniform(state); });
  }
  void uniform(std::span<double> out) override {
    each(out, [](State* state) {
      if constexpr (std::is_same_v<State, curandStatePhilox4_32_10_t>) { // 53 bits, on the host
        const unsigned low = curand(state), high = curand(state);
        return gputest_rand::uniform_double(low, high);
      } else {
        return curand_uniform_double(state);
      }
    });
  }
  void normal(std::span<float> out) override {
    pairs(out, [](State* state) { return curand_normal2(state); });
  }
  void normal(std::span<double> out) override {
    pairs(out, [](State* state) { return curand_normal2_double(state); });
  }
  void poisson(std::span<unsigned> out, double lambda) override {
    each(out, [=](State* state) { return curand_poisson(state, lambda); });
  }

private:
  State* state() { return &states_[next_ / Together % Count]; }
  template <typename T, typename Draw> void each(std::span<T> out, Draw draw) {
    for (T& value : out) {
      value = draw(state());
      ++next_;
    }
  }
  template <typename T, typename Draw> void pairs(std::span<T> out, Draw draw) {
    for (std::size_t i = 0; i + 1 < out.size(); i += 2) {
      const auto pair = draw(state());
      out[i] = pair.x;
      out[i + 1] = pair.y;
      next_ += Together == 1 ? 1 : 2;
    }
  }
  std::vector<State> states_;
  unsigned long long next_ = 0;
};

// Primitive polynomials and first directions of dimension 2 on (Joe, Kuo: Constructing Sobol
// sequences with better two-dimensional projections, 2008): degree, coefficients, directions.
struct Polynomial {
  unsigned degree, inner;
  std::array<unsigned, 7> first;
};
constexpr Polynomial kPolynomials[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};
static_assert(std::size(kPolynomials) + 1 == kSobolDimensions);

template <typename Word, std::size_t Bits>
std::array<std::array<Word, Bits>, kSobolDimensions> make_directions() {
  std::array<std::array<Word, Bits>, kSobolDimensions> all{};
  for (std::size_t bit = 0; bit < Bits; ++bit)
    all[0][bit] = Word{1} << (Bits - 1 - bit);
  for (std::size_t dimension = 1; dimension < kSobolDimensions; ++dimension) {
    const Polynomial& polynomial = kPolynomials[dimension - 1];
    const std::size_t degree = polynomial.degree;
    auto& directions = all[dimension];
    for (std::size_t bit = 0; bit < Bits; ++bit) {
      if (bit < degree) {
        directions[bit] = Word{polynomial.first[bit]} << (Bits - 1 - bit);
        continue;
      }
      directions[bit] = directions[bit - degree] ^ (directions[bit - degree] >> degree);
      for (std::size_t k = 1; k < degree; ++k)
        if (polynomial.inner >> (degree - 1 - k) & 1)
          directions[bit] ^= directions[bit - k];
    }
  }
  return all;
}

template <typename State, typename Word, std::size_t Bits> class Sobol final : public Numbers {
public:
  Sobol(unsigned dimensions, unsigned long long offset) : states_(dimensions) {
    const auto& directions = directions_of<Word, Bits>();
    for (unsigned dimension = 0; dimension < dimensions; ++dimension)
      curand_init(directions[dimension].data(), static_cast<Word>(offset), &states_[dimension]);
  }
  void bits(std::span<unsigned> out) override {
    each(out, [](State* state) { return static_cast<unsigned>(curand(state)); });
  }
  void long_bits(std::span<unsigned long long> out) override {
    each(out, [](State* state) { return static_cast<unsigned long long>(curand(state)); });
  }
  void uniform(std::span<float> out) override {
    each(out, [](State* state) { return curand_uniform(state); });
  }
  void uniform(std::span<double> out) override {
    each(out, [](State* state) { return curand_uniform_double(state); });
  }
  void normal(std::span<float> out) override {
    each(out, [](State* state) { return curand_normal(state); });
  }
  void normal(std::span<double> out) override {
    each(out, [](State* state) { return curand_normal_double(state); });
  }
  // The least number whose probability, with those of all smaller ones, exceeds the uniform one.
  void poisson(std::span<unsigned> out, double lambda) override {
    each(out, [=](State* state) {
      const double wanted = curand_uniform_double(state);
      double term = std::exp(-lambda), sum = term;
      unsigned count = 0;
      const double most = lambda + 50 * std::sqrt(lambda) + 50;
      if (lambda > 700) // its first term is too small
        return static_cast<unsigned>(std::max(
            0.0,
            std::round(lambda - std::sqrt(2 * lambda) *
                                    gputest_rand::inverse_erfc(2 * std::min(wanted, 1 - 1e-16)))));
      while (sum < wanted && count < most)
        sum += term *= lambda / ++count;
      return count;
    });
  }

private:
  // All of the first dimension, then all of the second one.
  template <typename T, typename Draw> void each(std::span<T> out, Draw draw) {
    const std::size_t count = out.size() / states_.size();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = draw(&states_[i / count]);
  }
  std::vector<State> states_;
};

} // namespace

template <typename Word, std::size_t Bits>
const std::array<std::array<Word, Bits>, kSobolDimensions>& directions_of() {
  static const auto kAll = make_directions<Word, Bits>();
  return kAll;
}
template const std::array<std::array<unsigned, 32>, kSobolDimensions>& directions_of();
template const std::array<std::array<unsigned long long, 64>, kSobolDimensions>& directions_of();

std::unique_ptr<Numbers> numbers_of(curandRngType_t type, unsigned long long seed,
                                    unsigned long long offset, unsigned dimensions) {
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
    return std::make_unique<Streams<curandStateXORWOW_t, 4096, 1>>(seed, offset);
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return std::make_unique<Streams<curandStateMRG32k3a_t, 81920, 1>>(seed, offset);
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return std::make_unique<Streams<curandStatePhilox4_32_10_t, 65536, 4>>(seed, offset);
  case CURAND_RNG_PSEUDO_MTGP32:
  case CURAND_RNG_PSEUDO_MT19937:
    return std::make_unique<Streams<Mersenne, 1, 1>>(seed, offset);
  case CURAND_RNG_QUASI_DEFAULT:
  case CURAND_RNG_QUASI_SOBOL32:
    return std::make_unique<Sobol<curandStateSobol32_t, unsigned, 32>>(dimensions, offset);
  case CURAND_RNG_QUASI_SOBOL64:
    return std::make_unique<Sobol<curandStateSobol64_t, unsigned long long, 64>>(dimensions,
                                                                                 offset);
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    std::fprintf(stderr, "gputest-cuda: error: cuRAND's scrambled sequences of Sobol are missing "
                         "here; those that are not scrambled are there\n");
    return nullptr;
  default:
    return nullptr;
  }
}

} // namespace gputest::cuda::libraries::rand
