// Deduction guides, which nvcc takes for host and device: what they deduce in device code is what
// they deduce in host code.
#include "check.h"

#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

template <typename T> struct Wide {
  T value;
  __host__ __device__ Wide(T x) : value(x) {}
};
Wide(float) -> Wide<double>; // without it, the constructor gives Wide<float>

template <typename T, typename U = char> struct Pair {
  T a;
  U b;
};
template <typename T, typename U> Pair(T, U) -> Pair<T, U>;
template <typename T> /* Pair(T) -> no; */ Pair(T) -> Pair<T, decltype(T() > 1)>;

struct Outer {
  template <typename T> struct Inner {
    T value;
    __host__ __device__ explicit Inner(T x, int = 0) : value(x) {}
  };
  template <typename T> explicit Inner(T*) -> Inner<T>;
  template <typename T> Inner(T, int) -> Inner<long>;
};

#define LINE(T) Line(T)->Line<T, sizeof(T)>
#define BOTH __host__ __device__
template <typename T, int n> struct Line {
  T value;
  __host__ __device__ Line(T x) : value(x) {}
};
LINE(double);
BOTH Line(int) -> Line<int, 1>;
const char* const text = "Fake(int) -> Fake<int>;";       // a text
__host__ __device__ inline auto make(int x) -> Wide<int>; // and a function
__host__ __device__ inline auto make(int x) -> Wide<int> {
  return Wide<int>(x);
}

template <typename T> __host__ __device__ int size_of_wide(T x) {
  const Wide wide(x);
  return (int)sizeof(wide.value);
}

struct Sizes {
  int of[12];
};
__host__ __device__ Sizes sizes() {
  int number = 3;
  const Wide wide(1.0f);
  const Pair both{1, 2.0};
  const Pair one{2.0f};
  const std::pair names{"ab", 'c'};
  const std::array four{1L, 2L, 3L, 4L};
  const std::tuple three{'a', 2.0, 3};
  const std::optional maybe{3.0};
  const Outer::Inner inner(number, 1);
  const Line line(2.0);
  const Line short_line(1);
  return {{(int)sizeof wide, (int)sizeof both, (int)sizeof one, (int)sizeof names, (int)sizeof four,
           (int)sizeof three, (int)sizeof maybe, (int)sizeof inner, (int)sizeof line,
           size_of_wide(2.0f), size_of_wide((short)2), (int)sizeof short_line}};
}

__global__ void fill(Sizes* out, int* values) {
  *out = sizes();
  const std::array four{1, 2, 3, 4};
  const auto [low, high] = std::pair{four[1], four[2]};
  const Pair last{high, low};
  values[0] = last.a * 10 + last.b;
  values[1] = make(4).value;
}

int main() {
  const Device<Sizes> out(1);
  const Device<int> values(2);
  fill<<<1, 1>>>(out.data, values.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const Sizes there = out[0], here = sizes();
  EXPECT(std::memcmp(&there, &here, sizeof here) == 0);
  EXPECT(there.of[0] == 8 && there.of[2] == 8 && there.of[9] == 8 && there.of[10] == 2);
  EXPECT(values[0] == 32);
  EXPECT(values[1] == 4);
  return wrong;
}
