// The functions of CUDA's runtime library that the recorder calls. They are declared here, as the
// recorder is built where there is no toolkit, and linked to programs of any of them.
#pragma once

#include <cstddef>

namespace gputest::cuda::gpu {

constexpr int kSuccess = 0;
constexpr int kToDevice = 1, kToHost = 2;  // enum cudaMemcpyKind
constexpr unsigned kPortableAndMapped = 3; // cudaHostAllocPortable | cudaHostAllocMapped
constexpr unsigned kNonBlocking = 1;       // cudaStreamNonBlocking
constexpr int kCaptureModeRelaxed = 2;     // enum cudaStreamCaptureMode

extern "C" {
int cudaGetDevice(int* device);
int cudaSetDevice(int device);
int cudaGetDeviceCount(int* count);
int cudaDeviceSynchronize();
int cudaHostAlloc(void** host, std::size_t size, unsigned flags);
int cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
int cudaStreamCreateWithFlags(void** stream, unsigned flags);
int cudaStreamSynchronize(void* stream);
int cudaStreamDestroy(void* stream);
int cudaMemcpyAsync(void* to, const void* from, std::size_t size, int kind, void* stream);
int cudaThreadExchangeStreamCaptureMode(int* mode);
const char* cudaGetErrorString(int error);
}

} // namespace gputest::cuda::gpu
