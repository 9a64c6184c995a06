// What C++17 and C++20 add: folds over parameter packs, comparisons by <=>, concepts, templates of lambdas.
#include <compare>
#include <utility>

struct Version {
  int major, minor;
  auto operator<=>(const Version&) const = default;
};

struct Wrapped {
  int value;
  __device__ bool operator==(const Wrapped& other) const {
    return value == other.value || value > 9;
  }
  __device__ std::strong_ordering operator<=>(const Wrapped& other) const {
    return value <=> other.value;
  }
};

template <class T>
concept Small = sizeof(T) < 8;

template <Small T> __device__ T half(T t) {
  return t > T(2) ? t / 2 : t;
}

template <class... A> __device__ int sum(A... a) {
  return (0 + ... + a) + int((... + (a * 2))) + (a - ...);
}

template <class... A> __device__ int folds(A... a) {
  int steps = 0;
  ((steps += a > 2 ? a : 1), ...);
  ((a > 3 && (steps += 1)), ...);
  if (!(... && (a > 0)) || (false || ... || (a == 4)))
    steps += int(sizeof...(a));
  return steps;
}

__device__ int compared(int v) {
  Version one{v, 2}, other{3, v};
  Wrapped first{v}, second{4};
  int all = 0;
  if (one < other)
    all += 1;
  if (one != other && one >= other)
    all += 2;
  all += first != second ? 4 : 8;
  all += (first <=> second) > 0 ? 16 : 0;
  return all + ((v <=> 4) < 0 ? 64 : 128);
}

__global__ void everything(int* out) {
  int& v = out[threadIdx.x];
  auto largest = [v]<int... I>(std::integer_sequence<int, I...>) {
    return ((I > v ? I : v) + ... + 0);
  };
  if (int k = v - 4; k > 0 && k < 6) [[likely]]
    v = k;
  v = compared(v) + half(v) + sum(v) + sum(v, 2) + folds(v) + folds(v, 4 - v, 1) +
      largest(std::make_integer_sequence<int, 3>{});
}
