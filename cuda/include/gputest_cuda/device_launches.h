// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in device code, and the runtime API for device code. gputest-cuda gives Clang
//   gputest_device_launch<decltype(&kernel), &kernel>(grid, block, bytes, stream)(arguments)
// for kernel<<<grid, block, bytes, stream>>>(arguments) in device code.
#ifndef GPUTEST_CUDA_DEVICE_LAUNCHES_H
#define GPUTEST_CUDA_DEVICE_LAUNCHES_H

#include "gputest_cuda/device_facts.h"

extern "C" {
__device__ int gputest_launch_kernel(const char* kernel, const unsigned* sizes,
                                     unsigned long shared_bytes, cudaStream_t stream,
                                     const char* arguments, unsigned long size);
__device__ int gputest_launch_error(int take);
}

// A constant with the kernel's address. Clang does not let explicit device functions refer to a
// kernel.
template <typename Pointer, Pointer kernel> struct gputest_kernel_address {
  static constexpr Pointer value = kernel;
};

// Returns what describes a kernel; null: it is the address of none.
__device__ inline const gputest_kernel_description* gputest_description_of(const void* kernel) {
  const auto* const found = static_cast<const gputest_kernel_description*>(kernel);
  return found && found->is_kernel == GPUTEST_KERNEL_DESCRIPTION ? found : nullptr;
}

// kernel<<<grid, block, bytes, stream>>>(arguments) for a pointer to a kernel.
template <typename... Parameters> class gputest_launch_by_pointer {
public:
  __host__ __device__ gputest_launch_by_pointer(void (*kernel)(Parameters...), dim3 grid,
                                                dim3 block, size_t shared_bytes = 0,
                                                cudaStream_t stream = nullptr)
      : kernel_(kernel), sizes_{grid.x, grid.y, grid.z, block.x, block.y, block.z},
        shared_bytes_(shared_bytes), stream_(stream) {}
  __host__ __device__ void operator()(Parameters... parameters) const {
#ifdef __CUDA_ARCH__
    alignas(16) char bytes[most(sizeof(Parameters)...)];
    const size_t size = pack(bytes, 0, parameters...);
    const auto* const found = gputest_description_of(reinterpret_cast<const void*>(kernel_));
    gputest_launch_kernel(found ? found->name : nullptr, sizes_, shared_bytes_, stream_, bytes,
                          size);
#else
    kernel_<<<dim3(sizes_[0], sizes_[1], sizes_[2]), dim3(sizes_[3], sizes_[4], sizes_[5]),
              shared_bytes_, stream_>>>(parameters...);
#endif
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

  void (*kernel_)(Parameters...);
  unsigned sizes_[6];
  size_t shared_bytes_;
  cudaStream_t stream_;
};

template <typename... Parameters>
__host__ __device__ inline gputest_launch_by_pointer<Parameters...>
gputest_launch_of(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared_bytes = 0,
                  cudaStream_t stream = nullptr) {
  return {kernel, grid, block, shared_bytes, stream};
}

// The same for a kernel, or a variable that points to one.
template <typename Pointer, Pointer kernel> class gputest_device_launch;
template <typename... Parameters, void (*kernel)(Parameters...)>
class gputest_device_launch<void (*)(Parameters...), kernel>
    : public gputest_launch_by_pointer<Parameters...> {
public:
  __host__ __device__ gputest_device_launch(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                            cudaStream_t stream = nullptr)
      : gputest_launch_by_pointer<Parameters...>(
            gputest_kernel_address<void (*)(Parameters...), kernel>::value, grid, block,
            shared_bytes, stream) {}
};
template <typename... Parameters, void (**kernel)(Parameters...)>
class gputest_device_launch<void (**)(Parameters...), kernel>
    : public gputest_launch_by_pointer<Parameters...> {
public:
  __host__ __device__ gputest_device_launch(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                            cudaStream_t stream = nullptr)
      : gputest_launch_by_pointer<Parameters...>(*kernel, grid, block, shared_bytes, stream) {}
};

// What chooses among templates returns this: the kernel, and how it is launched.
template <typename Pointer, Pointer kernel> struct gputest_chosen {
  using launch = gputest_device_launch<Pointer, kernel>;
};

// Launches with a buffer of parameters (CUDA C++ Programming Guide, "Device-side Launch from PTX").
// Their number of bytes is in front of them.
constexpr size_t gputest_in_front_of_parameters = 64;
extern "C" {
static __inline__ __device__ void* cudaGetParameterBuffer(size_t alignment, size_t size) {
  if (alignment > gputest_in_front_of_parameters || size > 32764)
    return nullptr;
  char* const buffer = static_cast<char*>(malloc(gputest_in_front_of_parameters + size));
  if (!buffer)
    return nullptr;
  *reinterpret_cast<size_t*>(buffer) = size;
  return buffer + gputest_in_front_of_parameters;
}
static __inline__ __device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid,
                                                          dim3 block, unsigned int shared_bytes,
                                                          cudaStream_t stream) {
  const gputest_kernel_description* const found = gputest_description_of(kernel);
  if (!found || !parameters)
    return found ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
  char* const begin = static_cast<char*>(parameters) - gputest_in_front_of_parameters;
  const unsigned sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  const int error = gputest_launch_kernel(found->name, sizes, shared_bytes, stream,
                                          static_cast<const char*>(parameters),
                                          *reinterpret_cast<size_t*>(begin));
  free(begin);
  return static_cast<cudaError_t>(error);
}
// Thrust 1 waits with it for what it has launched. A kernel that calls it is refused at its launch.
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();

static __inline__ __device__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes,
                                                               const void* kernel) {
  const gputest_kernel_description* const found = gputest_description_of(kernel);
  if (!found || !attributes)
    return found ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
  const int* const device = cuda_device_facts.attributes;
  *attributes = {};
  attributes->sharedSizeBytes = found->shared_bytes;
  attributes->maxThreadsPerBlock = static_cast<int>(found->most_threads);
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion =
      10 * device[cudaDevAttrComputeCapabilityMajor] + device[cudaDevAttrComputeCapabilityMinor];
  attributes->maxDynamicSharedSizeBytes =
      device[cudaDevAttrMaxSharedMemoryPerBlock] - static_cast<int>(found->shared_bytes);
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, const void* kernel, int block_size, size_t shared_bytes) {
  const gputest_kernel_description* const found = gputest_description_of(kernel);
  if (!found || !blocks)
    return found ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
  const int* const device = cuda_device_facts.attributes;
  *blocks = gputest_blocks_of_multiprocessor(
      {device[cudaDevAttrMaxBlocksPerMultiprocessor],
       device[cudaDevAttrMaxThreadsPerMultiProcessor],
       device[cudaDevAttrMaxSharedMemoryPerMultiprocessor],
       device[cudaDevAttrReservedSharedMemoryPerBlock]},
      found->most_threads, found->shared_bytes + shared_bytes, block_size);
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* kernel, int block_size, size_t shared_bytes, unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared_bytes);
}
}
template <typename T>
__device__ inline cudaError_t cudaLaunchDevice(T* kernel, void* parameters, dim3 grid, dim3 block,
                                               unsigned int shared_bytes,
                                               cudaStream_t stream = nullptr) {
  return cudaLaunchDevice(reinterpret_cast<void*>(kernel), parameters, grid, block, shared_bytes,
                          stream);
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
static __inline__ __device__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t,
                                                                  unsigned int) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
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

// Copies and memsets of device code are launches of these, and so have their place in the stream.
// They are templates, so programs without such calls do not have them.
template <typename Size> __global__ void gputest_copy_rows(cudaMemcpy3DParms p) {
  const Size rows = p.extent.height * p.extent.depth;
  for (Size row = 0; row < rows; ++row) {
    const Size y = row % p.extent.height, z = row / p.extent.height;
    const auto at = [&](const cudaPitchedPtr& memory, const cudaPos& from) {
      return static_cast<char*>(memory.ptr) + from.x +
             (from.y + y + memory.ysize * (from.z + z)) * memory.pitch;
    };
    for (Size i = threadIdx.x; i < p.extent.width; i += blockDim.x)
      at(p.dstPtr, p.dstPos)[i] = at(p.srcPtr, p.srcPos)[i];
  }
}
template <typename Size>
__global__ void gputest_set_rows(cudaPitchedPtr memory, int value, cudaExtent extent) {
  for (Size row = 0; row < extent.height * extent.depth; ++row) {
    const Size y = row % extent.height, z = row / extent.height;
    char* const begin = static_cast<char*>(memory.ptr) + (y + memory.ysize * z) * memory.pitch;
    for (Size i = threadIdx.x; i < extent.width; i += blockDim.x)
      begin[i] = static_cast<char>(value);
  }
}
template <typename Size = size_t>
static __inline__ __device__ cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p,
                                                           cudaStream_t stream = nullptr) {
  if (!p || p->srcArray || p->dstArray)
    return cudaErrorInvalidValue;
  using Launch = gputest_device_launch<void (*)(cudaMemcpy3DParms), &gputest_copy_rows<Size>>;
  if (p->extent.width * p->extent.height * p->extent.depth > 0)
    Launch(1, 256, 0, stream)(*p);
  return cudaPeekAtLastError();
}
template <typename Size = size_t>
static __inline__ __device__ cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch,
                                                           const void* from, size_t from_pitch,
                                                           size_t width, size_t height,
                                                           cudaMemcpyKind,
                                                           cudaStream_t stream = nullptr) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  p.dstPtr = {to, to_pitch, width, height};
  p.extent = {width, height, 1};
  return cudaMemcpy3DAsync<Size>(&p, stream);
}
template <typename Size = size_t>
static __inline__ __device__ cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count,
                                                         cudaMemcpyKind kind,
                                                         cudaStream_t stream = nullptr) {
  return cudaMemcpy2DAsync<Size>(to, count, from, count, count, 1, kind, stream);
}
template <typename Size = size_t>
static __inline__ __device__ cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value,
                                                           cudaExtent extent,
                                                           cudaStream_t stream = nullptr) {
  using Launch =
      gputest_device_launch<void (*)(cudaPitchedPtr, int, cudaExtent), &gputest_set_rows<Size>>;
  if (extent.width * extent.height * extent.depth > 0)
    Launch(1, 256, 0, stream)(memory, value, extent);
  return cudaPeekAtLastError();
}
template <typename Size = size_t>
static __inline__ __device__ cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int value,
                                                           size_t width, size_t height,
                                                           cudaStream_t stream = nullptr) {
  return cudaMemset3DAsync<Size>({memory, pitch, width, height}, value, {width, height, 1}, stream);
}
template <typename Size = size_t>
static __inline__ __device__ cudaError_t cudaMemsetAsync(void* memory, int value, size_t count,
                                                         cudaStream_t stream = nullptr) {
  return cudaMemset2DAsync<Size>(memory, count, value, count, 1, stream);
}

template <typename T>
static __inline__ __device__ cudaError_t cudaMalloc(T** pointer, size_t size) {
  return cudaMalloc((void**)pointer, size); // also a const T**
}

#endif
