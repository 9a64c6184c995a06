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
  template <typename T> T same(T a) { return a; }
};
inline Log& log_of(Log* logs, int at) {
  return logs[at];
}
template <int n> Log* pointer_to(Log* logs) {
  return logs + n;
}
template <typename F> int apply(F f) {
  return f(1);
}

template <typename T> struct Holder {
  Log logs[2];
  T total{};
  __host__ __device__ T put(T a) {
    if (a > 100) {
      this->logs[0].add(2, ") \" ("); logs[a - 101].self().add(Log::count(1), "x"); // in one line
      Log* last = logs + 1;
      logs[last->text.size() > 5 ? 0 : a >> 9].add(1, "y");
      log_of(last, (a > 0) - 1).self().add(1, "(z");
      pointer_to<(2 > 1)>(logs)->add(1, "[");
      (a > 1 ? logs[0] : *last).add(1, "]");
      total += this->logs[0].template same<T>(a) - a + apply([](int b) { return b - 1; });
      total += a > 0 ? apply([](int b) { return b; }) : ::apply([](int) { return 9; });
      if (a > 0) total += (Log::count(0)); else ::host_only(1);
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
  EXPECT(here.put(102) == 1 + 103 + 102 + 102);
  EXPECT(here.logs[0].text == ") \" () \" (y]" && here.logs[1].text == "x(z[");
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
