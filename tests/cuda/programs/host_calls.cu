// Functions for host and device that call functions of the host: nvcc warns and takes them. Device
// code that comes there is ended, with the function's name.
// CHECK: the kernel calls 'pick', which is a function of the host
#include "check.h"

#include <string>
#include <vector>

int host_only(int a) {
  return a + 1;
}
template <typename T> T pick(T a, int at = 1) {
  std::vector<T> values(3, a);
  return values[at];
}
__global__ void note(int* to) {
  *to = 77;
}
// Its kernel is one of the device code, though no device code launches it.
template <typename T> int launches(T* to) {
  note<<<1, 1>>>(to);
  return cudaDeviceSynchronize();
}

struct Log {
  std::string text;
  void add(int times, const char* what) {
    for (int i = 0; i < times; ++i)
      text += what;
  }
  static int count(int a) { return a; }
  Log& self() { return *this; }
};

template <typename T> struct Holder {
  Log logs[2];
  T total{};
  __host__ __device__ T put(T a) {
    if (a > 100) {
      this->logs[0].add(2, ") \" ("); logs[a - 101].self().add(Log::count(1), "x"); // in one line
      total += ::host_only(a /* ) */) +
               pick<T>(a,
                       2); // and in several
    }
    return total + a;
  }
  Holder() {}
};

template <typename T> __host__ __device__ T depends(T a, int* to) {
  if (a > 3)
    return pick(a);
  if (a > 2)
    launches(to);
  return a;
}
__global__ void stays_away(int* to, Holder<int>* holder) {
  to[0] = depends(to[0], to + 1) + holder->put(5);
}
__global__ void comes_there(int* to) {
  *to = depends(9, to + 1);
}

int main() {
  Holder<int> here;
  EXPECT(here.put(102) == 102 + 103 + 102);
  EXPECT(here.logs[0].text == ") \" () \" (" && here.logs[1].text == "x");
  int* numbers;
  cudaMallocManaged(&numbers, 4 * sizeof(int));
  numbers[0] = 2;
  Holder<int>* there;
  cudaMalloc(&there, sizeof *there);
  cudaMemset(there, 0, sizeof *there);
  stays_away<<<1, 1>>>(numbers, there);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && numbers[0] == 7);
  EXPECT(depends(3, numbers + 1) == 3 && numbers[1] == 77);
  comes_there<<<1, 1>>>(numbers);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return wrong;
}
