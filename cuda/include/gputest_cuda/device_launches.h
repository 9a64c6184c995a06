// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in device code, and the runtime API for device code. gputest-cuda gives Clang
//   gputest_device_launch<decltype(&kernel), &kernel>(grid, block, bytes, stream)(arguments)
// for kernel<<<grid, block, bytes, stream>>>(arguments) in device code.
#ifndef GPUTEST_CUDA_DEVICE_LAUNCHES_H
#define GPUTEST_CUDA_DEVICE_LAUNCHES_H

extern "C" {
__device__ int gputest_launch_kernel(const void* kernel, const unsigned* sizes,
                                     unsigned long shared_bytes, cudaStream_t stream,
                                     const char* arguments, unsigned long size);
__device__ int gputest_launch_error(int take);
}

// A constant with the kernel's address. Clang does not let explicit device functions refer to a
// kernel.
template <typename Pointer, Pointer kernel> struct gputest_kernel_address {
  static constexpr Pointer value = kernel;
};

template <typename Pointer, Pointer kernel> class gputest_device_launch;
template <typename... Parameters, void (*kernel)(Parameters...)>
class gputest_device_launch<void (*)(Parameters...), kernel> {
public:
  __device__ gputest_device_launch(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                   cudaStream_t stream = nullptr)
      : sizes_{grid.x, grid.y, grid.z, block.x, block.y, block.z}, shared_bytes_(shared_bytes),
        stream_(stream) {}
  __device__ void operator()(Parameters... parameters) const {
    alignas(16) char bytes[most(sizeof(Parameters)...)];
    const size_t size = pack(bytes, 0, parameters...);
    gputest_launch_kernel(reinterpret_cast<const void*>(
                              gputest_kernel_address<void (*)(Parameters...), kernel>::value),
                          sizes_, shared_bytes_, stream_, bytes, size);
  }

private:
  static __device__ constexpr size_t most() { return 16; }
  template <typename... Sizes>
  static __device__ constexpr size_t most(size_t first, Sizes... sizes) {
    return first + 16 + most(sizes...); // room to align each parameter
  }
  static __device__ size_t pack(char*, size_t at) { return at; }
  template <typename First, typename... Others>
  static __device__ size_t pack(char* bytes, size_t at, const First& first,
                                const Others&... others) {
    at = (at + alignof(First) - 1) / alignof(First) * alignof(First);
    __builtin_memcpy(bytes + at, &first, sizeof(First));
    return pack(bytes, at + sizeof(First), others...);
  }

  unsigned sizes_[6];
  size_t shared_bytes_;
  cudaStream_t stream_;
};

// What chooses among templates returns this: the kernel, and how it is launched.
template <typename Pointer, Pointer kernel> struct gputest_chosen {
  using launch = gputest_device_launch<Pointer, kernel>;
};
// Names in code for relocatable device code of Thrust and CUB, which is compiled for the host alone
// and never called. A kernel that calls one of them is refused at its launch, by the name.
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared_bytes, cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
}

// Grids that a block launches run one after the other, so streams and events are only names.
extern "C" {
static __inline__ __device__ cudaError_t cudaGetLastError() {
  return static_cast<cudaError_t>(gputest_launch_error(1));
}
static __inline__ __device__ cudaError_t cudaPeekAtLastError() {
  return static_cast<cudaError_t>(gputest_launch_error(0));
}
static __inline__ __device__ const char* cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define GPUTEST_CUDA_ERROR(name, driver, number, text)                                             \
  case number:                                                                                     \
    return text;
#include "gputest_cuda/errors.def"
  default:
    return "unrecognized error code";
  }
}
static __inline__ __device__ const char* cudaGetErrorName(cudaError_t error) {
  switch (static_cast<int>(error)) {
  case 0:
    return "cudaSuccess";
#define GPUTEST_CUDA_ERROR(name, driver, number, text)                                             \
  case number + 1000000 * (number == 0):                                                           \
    return "cudaError" #name;
#include "gputest_cuda/errors.def"
  default:
    return "unrecognized error code";
  }
}
static __inline__ __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream,
                                                                   unsigned int flags) {
  *stream = reinterpret_cast<cudaStream_t>(16);
  return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
}
static __inline__ __device__ cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
                                                             unsigned int) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event,
                                                                  unsigned int) {
  *event = reinterpret_cast<cudaEvent_t>(16);
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaMalloc(void** pointer, size_t size) {
  *pointer = malloc(size);
  return *pointer || size == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
static __inline__ __device__ cudaError_t cudaFree(void* pointer) {
  free(pointer);
  return cudaSuccess;
}
}
template <typename T>
static __inline__ __device__ cudaError_t cudaMalloc(T** pointer, size_t size) {
  return cudaMalloc((void**)pointer, size); // also a const T**
}

#endif
