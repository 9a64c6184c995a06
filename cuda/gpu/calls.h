// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of the functions of CUDA's runtime library that this library calls or wraps. They
// are declared here because the library is built without a toolkit, and linked to programs of any
// toolkit. Streams, events and the like are declared as pointers, and enumerations as int.
#pragma once

#include <cstddef>

namespace gputest::cuda::gpu {

constexpr int kSuccess = 0;
constexpr int kErrorMemoryAllocation = 2;
constexpr int kToDevice = 1, kToHost = 2, kInDevice = 3,
              kByAddresses = 4;            // enum cudaMemcpyKind
constexpr unsigned kPortableAndMapped = 3; // cudaHostAllocPortable | cudaHostAllocMapped
constexpr int kErrorNotSupported = 801;
constexpr int kCanUseAddressOfRegistered = 91; // cudaDevAttrCanUseHostPointerForRegisteredMem
constexpr unsigned kNonBlocking = 1;           // cudaStreamNonBlocking
constexpr int kCaptureModeRelaxed = 2;         // enum cudaStreamCaptureMode

struct Sizes { // dim3
  unsigned x, y, z;
};

extern "C" {
int cudaGetDevice(int* device);
int cudaSetDevice(int device);
int cudaGetDeviceCount(int* count);
int cudaGetLastError();
int cudaDeviceSynchronize();
int cudaMalloc(void** memory, std::size_t size);
int cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height);
int cudaMallocAsync(void** memory, std::size_t size, void* stream);
int cudaFree(void* memory);
int cudaFreeAsync(void* memory, void* stream);
int cudaHostAlloc(void** host, std::size_t size, unsigned flags);
int cudaFreeHost(void* host);
int cudaHostRegister(void* host, std::size_t size, unsigned flags);
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaPointerGetAttributes(void* attributes, const void* pointer);
int cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
int cudaStreamCreate(void** stream);
int cudaStreamCreateWithFlags(void** stream, unsigned flags);
int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority);
int cudaStreamSynchronize(void* stream);
int cudaStreamDestroy(void* stream);
int cudaEventCreate(void** event);
int cudaEventCreateWithFlags(void** event, unsigned flags);
int cudaEventDestroy(void* event);
int cudaMemcpyAsync(void* to, const void* from, std::size_t size, int kind, void* stream);
int cudaMemset(void* memory, int value, std::size_t size);
int cudaMemsetAsync(void* memory, int value, std::size_t size, void* stream);
int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, int kind, void* stream);
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size, std::size_t offset,
                       int kind);
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset,
                         int kind);
int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size,
                            std::size_t offset, int kind, void* stream);
int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size, std::size_t offset,
                              int kind, void* stream);
int cudaGetSymbolAddress(void** address, const void* symbol);
int cudaGetSymbolSize(std::size_t* size, const void* symbol);
int cudaLaunchKernel(const void* kernel, Sizes grid, Sizes block, void** values, std::size_t shared,
                     void* stream);
int cudaGetFuncBySymbol(void** function, const void* kernel);
int cudaRuntimeGetVersion(int* version);
int cudaThreadExchangeStreamCaptureMode(int* mode);
const char* cudaGetErrorString(int error);

// CUDA's own, where the program's calls of them are wrapped.
int __real_cudaDeviceSynchronize();
int __real_cudaHostAlloc(void** host, std::size_t size, unsigned flags);
int __real_cudaStreamSynchronize(void* stream);
int __real_cudaMemcpyAsync(void* to, const void* from, std::size_t size, int kind, void* stream);

// Only the simulator's library has these two. This one does the same as cuFuncGetParamInfo().
[[gnu::weak]] int gputest_cuda_parameter(void* function, std::size_t index, std::size_t* offset,
                                         std::size_t* size);
// Sets the device's memory, which forks share, to zeros.
[[gnu::weak]] void gputest_cuda_forget();
}

} // namespace gputest::cuda::gpu
