// Shifts by any amount, as PTX does them: bits are shifted out, and an amount of the width or more leaves zeros, or the
// sign. GPUs do the same.
#include "check.h"

#include <cstdint>
#include <cstdlib>

template <typename T> __global__ void shift(const T* values, const unsigned* by, T* out, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  out[3 * i] = values[i] << by[i];
  out[3 * i + 1] = values[i] >> by[i];
  T assigned = values[i];
  assigned <<= by[i] / 2;
  out[3 * i + 2] = assigned >> (by[i] & (8 * sizeof(T) - 1));
}

__global__ void rotate(const unsigned* values, const unsigned* by, unsigned* out) {
  const int i = threadIdx.x;
  out[i] = values[i] << by[i] | values[i] >> (32 - by[i]); // by 0: what is shifted right is 0
}

// What is left of bits that move one by one.
template <typename T> static T left(T value, unsigned by) {
  for (; by > 0 && value != 0; --by)
    value = static_cast<T>(static_cast<std::uint64_t>(value) * 2);
  return value;
}
template <typename T> static T right(T value, unsigned by) {
  for (unsigned i = 0; i < by && i < 64; ++i)
    value = static_cast<T>(value < 0 ? (value + 1) / 2 - 1 : value / 2); // rounded down
  return value;
}

template <typename T> static void compare() {
  constexpr int kCount = 256;
  constexpr unsigned kWidth = 8 * sizeof(T);
  T values[kCount];
  unsigned by[kCount];
  for (int i = 0; i < kCount; ++i) {
    values[i] = static_cast<T>((static_cast<std::uint64_t>(rand()) << 42) ^ (static_cast<std::uint64_t>(rand()) << 21) ^ rand());
    by[i] = i < 3 ? i * kWidth / 2 : i % 4 == 0 ? static_cast<unsigned>(rand()) * 3 : static_cast<unsigned>(rand()) % (2 * kWidth);
  }
  Device<T> in(kCount, values), out(3 * kCount);
  Device<unsigned> amounts(kCount, by);
  shift<<<1, kCount>>>(in.data, amounts.data, out.data, kCount);
  for (int i = 0; i < kCount; ++i) {
    EXPECT(out[3 * i] == left(values[i], by[i]));
    EXPECT(out[3 * i + 1] == right(values[i], by[i]));
    EXPECT(out[3 * i + 2] == right(left(values[i], by[i] / 2), by[i] & (kWidth - 1)));
  }
}

int main() {
  srand(3);
  compare<int>();
  compare<unsigned>();
  compare<long long>();
  compare<unsigned long long>();
  const unsigned values[] = {0x80000001u, 0x80000001u, 5}, by[] = {0, 1, 31};
  Device<unsigned> in(3, values), amounts(3, by), out(3);
  rotate<<<1, 3>>>(in.data, amounts.data, out.data);
  EXPECT(out[0] == 0x80000001u && out[1] == 3 && out[2] == 0x80000002u);
  return wrong;
}
