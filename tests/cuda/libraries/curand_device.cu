// curand_kernel.h: published first numbers, skipping ahead, and moments of the distributions.
#include <curand_kernel.h>

#include "check.h"

#include <cmath>
#include <vector>

constexpr int kThreads = 64, kEach = 64, kCount = kThreads * kEach;

template <typename State> __global__ void begin(State* states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}
template <typename State, typename T, typename Draw>
__global__ void draw(State* states, T* out, Draw how) {
  const int i = threadIdx.x;
  State state = states[i];
  for (int k = 0; k < kEach; ++k)
    out[k * kThreads + i] = how(&state);
  states[i] = state;
}
struct Bits {
  template <typename S> __device__ unsigned operator()(S* s) const { return curand(s); }
};
struct Uniform {
  template <typename S> __device__ float operator()(S* s) const { return curand_uniform(s); }
};
struct UniformDouble {
  template <typename S> __device__ double operator()(S* s) const { return curand_uniform_double(s); }
};
struct Normal {
  template <typename S> __device__ float operator()(S* s) const { return curand_normal(s); }
};
struct NormalDouble {
  template <typename S> __device__ double operator()(S* s) const { return curand_normal_double(s); }
};
struct Normal2 {
  template <typename S> __device__ float operator()(S* s) const {
    const float2 pair = curand_normal2(s);
    return (pair.x + pair.y) * 0.70710678f;
  }
};
struct LogNormal { // its logarithm is normal
  template <typename S> __device__ float operator()(S* s) const {
    return (logf(curand_log_normal(s, 1.0f, 0.5f)) - 1.0f) / 0.5f;
  }
};
struct LogNormalDouble {
  template <typename S> __device__ double operator()(S* s) const {
    return (log(curand_log_normal_double(s, 1.0, 0.5)) - 1.0) / 0.5;
  }
};
struct Poisson {
  double lambda;
  template <typename S> __device__ unsigned operator()(S* s) const { return curand_poisson(s, lambda); }
};

template <typename T, typename State, typename How>
static void has_moments(State* states, How how, double mean, double variance) {
  Device<T> out(kCount);
  draw<<<1, kThreads>>>(states, out.data, how);
  std::vector<T> values(kCount);
  cudaMemcpy(values.data(), out.data, kCount * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (T value : values)
    sum += double(value) - mean;
  sum /= kCount;
  for (T value : values)
    squares += (double(value) - mean) * (double(value) - mean);
  squares /= kCount;
  const double error = std::sqrt(variance / kCount);
  if (std::abs(sum) > 4.5 * error || squares < 0.85 * variance || squares > 1.15 * variance) {
    std::printf("%s: mean %g, variance %g\n", __PRETTY_FUNCTION__, mean + sum, squares);
    ++wrong;
  }
}

template <typename State> static void distributions() {
  State* states = nullptr;
  cudaMalloc(&states, kThreads * sizeof(State));
  begin<<<1, kThreads>>>(states, 20260601ULL);
  has_moments<unsigned>(states, Bits(), 2147483647.5, 1537228672451215360.0);
  has_moments<float>(states, Uniform(), 0.5, 1 / 12.0);
  has_moments<double>(states, UniformDouble(), 0.5, 1 / 12.0);
  has_moments<float>(states, Normal(), 0, 1);
  has_moments<double>(states, NormalDouble(), 0, 1);
  has_moments<float>(states, Normal2(), 0, 1);
  has_moments<float>(states, LogNormal(), 0, 1);
  has_moments<double>(states, LogNormalDouble(), 0, 1);
  for (double lambda : {2.5, 100.0, 5000.0})
    has_moments<unsigned>(states, Poisson{lambda}, lambda, lambda);
  cudaFree(states);
}

// Skipping ahead by n gives what n draws give; subsequences begin where skipping them begins.
template <typename State> __global__ void skips(int* wrong) {
  for (unsigned long long n : {0ULL, 1ULL, 3ULL, 4ULL, 77ULL, 1000ULL}) {
    State drawn, skipped, begun;
    curand_init(1234567890123ULL, 3, 0, &drawn);
    curand_init(1234567890123ULL, 3, 0, &skipped);
    curand_init(1234567890123ULL, 3, n, &begun);
    for (unsigned long long i = 0; i < n; ++i)
      curand(&drawn);
    skipahead(n, &skipped);
    for (int i = 0; i < 5; ++i) {
      const unsigned want = curand(&drawn);
      *wrong += curand(&skipped) != want;
      *wrong += curand(&begun) != want;
    }
  }
}
__global__ void skips_sequences(int* wrong) {
  curandState one, other;
  curand_init(5, 1000, 0, &one);
  curand_init(5, 1, 0, &other);
  skipahead_sequence(999, &other);
  for (int i = 0; i < 5; ++i)
    *wrong += curand(&one) != curand(&other);
}

// Of the generators' authors, and of cuRAND's documented example (seed 1234).
__global__ void published(unsigned* bits, float* numbers) {
  curandStatePhilox4_32_10_t philox;
  curand_init(0, 0, 0, &philox);
  const uint4 four = curand4(&philox);
  bits[0] = four.x;
  bits[1] = four.y;
  bits[2] = four.z;
  bits[3] = four.w;
  curandStateMRG32k3a_t mrg;
  curand_init(0, 0, 0, &mrg);
  numbers[0] = curand_uniform(&mrg);
  for (int i = 0; i < 4; ++i) {
    curandState xorwow;
    curand_init(1234, i, 0, &xorwow);
    numbers[1 + i] = curand_uniform(&xorwow);
  }
}

__global__ void sobol(unsigned* directions, unsigned* out, float* normal) {
  curandStateSobol32_t state;
  curand_init(directions, 0, &state);
  for (int i = 0; i < 8; ++i)
    out[i] = curand(&state);
  curand_init(directions, 5, &state);
  out[8] = curand(&state);
  curand_init(directions, 1, &state);
  for (int i = 0; i < 3; ++i)
    normal[i] = curand_normal(&state);
}

int main() {
  distributions<curandStateXORWOW_t>();
  distributions<curandStateMRG32k3a_t>();
  distributions<curandStatePhilox4_32_10_t>();
  Device<int> wrong_skips(1);
  skips<curandState><<<1, 1>>>(wrong_skips.data);
  skips<curandStateMRG32k3a><<<1, 1>>>(wrong_skips.data);
  skips<curandStatePhilox4_32_10><<<1, 1>>>(wrong_skips.data);
  skips_sequences<<<1, 1>>>(wrong_skips.data);
  EXPECT(wrong_skips[0] == 0);
  Device<unsigned> bits(4);
  Device<float> numbers(5);
  published<<<1, 1>>>(bits.data, numbers.data);
  EXPECT(bits[0] == 0x6627e8d5 && bits[1] == 0xe169c58d && bits[2] == 0xbc57ac4c && bits[3] == 0x9b00dbd8);
  EXPECT(std::abs(numbers[0] - 0.127011f) < 1e-6f);
  const float documented[] = {0.1455f, 0.8202f, 0.5504f, 0.2948f};
  for (int i = 0; i < 4; ++i)
    EXPECT(std::abs(numbers[1 + i] - documented[i]) < 6e-5f);
  unsigned plain[32];
  for (int i = 0; i < 32; ++i)
    plain[i] = 1u << (31 - i);
  Device<unsigned> directions(32, plain), points(9);
  Device<float> normals(3);
  sobol<<<1, 1>>>(directions.data, points.data, normals.data);
  const unsigned of_sobol[] = {0, 4, 6, 2, 3, 7, 5, 1};
  for (int i = 0; i < 8; ++i)
    EXPECT(points[i] == of_sobol[i] << 29);
  EXPECT(points[8] == 7u << 29);
  EXPECT(std::abs(normals[0]) < 1e-6f && std::abs(normals[1] - 0.6744898f) < 1e-5f &&
         std::abs(normals[2] + 0.6744898f) < 1e-5f);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
