// Random numbers, matrices of the host and of the device, and plain loops to compare with. Plain
// CUDA: nvcc compiles it as well.
#pragma once

#include "check.h"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

inline std::mt19937& generator() {
  static std::mt19937 engine(20260601);
  return engine;
}
inline int random_int(int least, int most) {
  return least + static_cast<int>(generator()() % static_cast<unsigned>(most - least + 1));
}
inline int repeats() { // GPUTEST_RANDOM: more of them
  const char* const wanted = std::getenv("GPUTEST_RANDOM");
  return wanted ? std::atoi(wanted) : 4;
}

template <typename N> struct RealOf {
  using Type = N;
};
template <typename R> struct RealOf<std::complex<R>> {
  using Type = R;
};
template <typename N> using Real = typename RealOf<N>::Type;
template <typename N> constexpr bool kIsComplex = !std::is_same<N, Real<N>>::value;

template <typename N> N random_number() {
  const auto part = [] { return static_cast<Real<N>>(random_int(-1000, 1000)) / 1000; };
  if constexpr (kIsComplex<N>) {
    const auto real = part();
    return N(real, part());
  } else {
    return part();
  }
}
template <typename N> N conjugate(N x) {
  if constexpr (kIsComplex<N>)
    return std::conj(x);
  else
    return x;
}
template <typename N> std::vector<N> random_numbers(long count) {
  std::vector<N> values(static_cast<size_t>(count));
  for (N& value : values)
    value = random_number<N>();
  return values;
}

// Values of the host and their place on the device. T: CUDA's type of N.
template <typename N, typename T = N> struct Both {
  std::vector<N> host;
  T* device = nullptr;
  explicit Both(std::vector<N> values) : host(std::move(values)) {
    cudaMalloc(reinterpret_cast<void**>(&device), (host.size() + 1) * sizeof(N));
    give();
  }
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;
  ~Both() { cudaFree(device); }
  void give() { cudaMemcpy(device, host.data(), host.size() * sizeof(N), cudaMemcpyHostToDevice); }
  std::vector<N> get() const {
    std::vector<N> values(host.size());
    cudaMemcpy(values.data(), device, host.size() * sizeof(N), cudaMemcpyDeviceToHost);
    return values;
  }
};

// Whether all are equal but for rounding. `terms`: of the sums.
template <typename N>
bool is_close(const std::vector<N>& got, const std::vector<N>& want, int terms) {
  const Real<N> allowed =
      (std::is_same<Real<N>, float>::value ? Real<N>(2e-6) : Real<N>(4e-15)) * Real<N>(terms + 4);
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(got[i] - want[i]) <= allowed * (1 + std::abs(want[i])))) {
      std::printf("element %zu: |difference| %g\n", i, double(std::abs(got[i] - want[i])));
      return false;
    }
  return true;
}
