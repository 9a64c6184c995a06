// Kernels that launch kernels.
// CHECK-DAG: from the host, then by a kernel<<<1, 1>>>
#include "check.h"
#include "programs/launching.h"

struct Range {
  char tag;
  double weight;
  int* begin;
  short count;
};

__device__ int order[64], placed;

namespace inner {
__global__ void add(Range range, const int* more, float factor) {
  if (threadIdx.x < range.count && range.tag == 'r')
    range.begin[threadIdx.x] += static_cast<int>(*more * factor * range.weight);
}
} // namespace inner

__global__ void note(int value) {
  order[placed++] = value;
}
__global__ void note_and_launch(int value, int depth) {
  order[placed++] = value;
  if (depth > 0) {
    note_and_launch<<<1, 1>>>(10 * value, depth - 1);
    note_and_launch<<<1, 1>>>(10 * value + 1, depth - 1);
  }
}
__global__ void put(int place, int value) {
  order[place] = value;
}
// In the order of the stream, whole trees at a time; tail launches when all has been done.
__global__ void in_order() {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(99);
  note_and_launch<<<1, 1>>>(1, 1);
  note<<<1, 1>>>(7);
  put<<<1, 1, 0, cudaStreamFireAndForget>>>(40, 5); // at any time
}

template <int threads> __global__ void shared_sum(int* sum, int depth) {
  extern __shared__ int parts[];
  parts[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      parts[threadIdx.x] += parts[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    atomicAdd(sum, parts[0]);
    if (depth > 0)
      shared_sum<threads><<<dim3(2, 1, 1), threads, threads * sizeof(int)>>>(sum, depth - 1);
  }
}

__global__ void refused(int* errors) {
  set<float><<<1, 2048>>>(nullptr, 1.0F);
  errors[0] = cudaPeekAtLastError();
  errors[1] = cudaGetLastError();
  errors[2] = cudaGetLastError();
  set<float><<<0, 1>>>(nullptr, 1.0F);
  errors[3] = cudaGetLastError() == cudaErrorInvalidConfiguration &&
              cudaGetErrorString(cudaErrorInvalidConfiguration)[0] == 'i';
}

__global__ void with_api(int* result) {
  cudaStream_t stream;
  cudaEvent_t event;
  int* memory = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
      cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess &&
      cudaMalloc(&memory, 2 * sizeof(int)) == cudaSuccess) {
    set<int><<<1, 2, 0, stream>>>(result /* a comment >>> */, // and <<< another
                                  5);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(stream, event, 0);
    inner::add<<<1, 2, 0, stream>>>(Range{'r', 2.0, result, 2}, result + 2, 1.5F);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaFree(memory);
  }
  const char* const text = R"(by a kernel<<<1, 1>>>)";
  if (printf("from the host, ") != 0 || printf("%-*s%s\n", 5, "then", text) != 3)
    __trap(); // it returns how many arguments there are
}

// Copies and memsets come after the launches before them.
__global__ void copies(int* to, const int* from) {
  set<int><<<1, 4>>>(to, 5);
  cudaMemsetAsync(to + 1, 255, sizeof(int));
  cudaMemcpyAsync(to + 2, from, sizeof(int), cudaMemcpyDeviceToDevice, 0);
  cudaMemcpy2DAsync(to + 4, 3 * sizeof(int), from, 2 * sizeof(int), 2 * sizeof(int), 2, cudaMemcpyDefault);
  cudaMemset2DAsync(to + 5, 3 * sizeof(int), 0, 1, 2, cudaStreamTailLaunch);
  to[10] = cudaMemcpyAsync(to, nullptr, 0, cudaMemcpyDefault);
}

__global__ void endless(int* count) {
  ++*count;
  endless<<<1, 1>>>(count);
  if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded)
    *count += 10000;
}

struct Walker {
  int* count;
  __device__ void operator()(int left) const;
};
__global__ void walk(Walker walker, int left) {
  walker(left);
}
__device__ void Walker::operator()(int left) const {
  atomicAdd(count, 1);
  if (left > 0)
    ::walk<<<1, 2>>>(*this, left - 1);
}

// Template arguments that follow from the arguments, and default arguments.
namespace deduced {
template <typename T> static __global__ void __launch_bounds__(64)
copy(T* to, const T* from, size_t count, int step = 1) {
  for (size_t i = threadIdx.x; i < count; i += step)
    to[i] = from[i];
}
template <int factor, class T> __global__ void scale(T* values, T by) {
  values[threadIdx.x] *= factor * by;
}
template <typename... Numbers> __global__ void add_all(int* to, Numbers... numbers) {
  for (const int number : {static_cast<int>(numbers)...})
    to[threadIdx.x] += number;
}
template <template <typename> class Box, typename T> __global__ void unbox(T* to, Box<T> box) {
  to[0] = box.value;
}
} // namespace deduced
template <typename T> struct Boxed {
  T value;
};
template <typename T> __global__ void overloaded(T* to) {
  to[0] = 1;
}
template <typename T> __global__ void overloaded(T* to, T value) {
  to[1] = value;
}
__global__ void overloaded(float* to); // declared twice
__global__ void overloaded(float* to) {
  to[0] = 8.0F;
}
__global__ void plus(int* to, const int* from, int more = 10, unsigned width = min(3, 5)) {
  if (threadIdx.x < width)
    to[threadIdx.x] = from[threadIdx.x] + more;
}
template <typename T> __global__ void deduce(T* to, T* from) {
  deduced::copy<<<1, 1>>>(to, from, 4); // T* to const T*, int to size_t
  deduced::scale<3><<<1, 4>>>(to, T(2));
  plus<<<1, 8>>>(to + 4, to);
  plus<<<1, 8>>>(to + 8, to, 20);
  plus<<<1, 8>>>(to + 12, to, 30, 4);
  deduced::add_all<<<1, 2>>>(to, 1, 2U, 3L);
  ::deduced::unbox<<<1, 1>>>(to + 16, Boxed<T>{7});
  overloaded<<<1, 1>>>(to + 17);
  overloaded<<<1, 1>>>(to + 17,
                       5);
  overloaded<<<1, 1>>>(reinterpret_cast<float*>(to + 19));
}

int main() {
  int values[64], at = 0;
  in_order<<<1, 1>>>();
  cudaMemcpyFromSymbol(values, order, sizeof values);
  for (const int wanted : {1, 10, 11, 7, 99, 0})
    EXPECT(values[at++] == wanted);
  EXPECT(values[40] == 5);

  Device<int> sum(1);
  shared_sum<32><<<1, 32, 32 * sizeof(int)>>>(sum.data, 3);
  EXPECT(sum[0] == 496 * (1 + 2 + 4 + 8));

  Device<double> many(256);
  set_all<<<1, 64>>>(many.data, 2.5, 4U);
  EXPECT(many[0] == 2.5 && many[255] == 2.5);

  Device<int> errors(4);
  refused<<<1, 1>>>(errors.data);
  EXPECT(errors[0] == cudaErrorInvalidConfiguration && errors[1] == errors[0]);
  EXPECT(errors[2] == 0 && errors[3] == 1);

  const int more[] = {0, 0, 4};
  Device<int> result(3, more);
  with_api<<<1, 1>>>(result.data);
  EXPECT(result[0] == 17 && result[1] == 17);

  const int first[] = {1, 2, 3, 4};
  Device<int> from(4, first), to(20);
  deduce<<<1, 1>>>(to.data, from.data);
  at = 0;
  for (const int wanted : {12, 18, 18, 24, 16, 22, 28, 0, 26, 32, 38, 0, 36, 42, 48, 54, 7, 1, 5})
    EXPECT(to[at++] == wanted);
  EXPECT(to[19] == 0x41000000);

  copies<<<1, 1>>>(to.data, from.data);
  at = 0;
  for (const int wanted : {5, -1, 1, 5, 1, 0, 28, 3, 0})
    EXPECT(to[at++] == wanted);
  EXPECT(to[10] == 0);

  Device<int> walked(1);
  walk<<<1, 1>>>({walked.data}, 3);
  EXPECT(walked[0] == 1 + 2 + 4 + 8);

  Device<int> count(1);
  endless<<<1, 1>>>(count.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && count[0] == 1 + 2048 + 10000);
  return wrong;
}
