// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, streams, events and errors (remote.h).
#include "cuda/gpu/calls.h"
#include "cuda/gpu/reads.h"
#include "cuda/gpu/remote.h"
#include "cuda/gpu/server.h"

namespace gputest::cuda::gpu {
namespace {

// The server only saves variables of the first device, so other devices are refused.
int set_device(int device) {
  return device == 0 ? forward<cudaSetDevice>(device) : (refuse("cudaSetDevice"), kSuccess);
}

using Callback = void (*)(void*);
using StreamCallback = void (*)(void* stream, int error, void* data);

int call_after(void* stream, Callback what, void* data) {
  const int error = forward<cudaStreamSynchronize>(stream);
  if (error == kSuccess)
    what(data);
  return error;
}
int call_after(void* stream, StreamCallback what, void* data) {
  const int error = forward<cudaStreamSynchronize>(stream);
  what(stream, error, data);
  return kSuccess;
}

} // namespace
} // namespace gputest::cuda::gpu

using namespace gputest::cuda::gpu;

GPUTEST_WRAP(cudaGetDeviceCount, (int* count), (count),
             forward<__real_cudaGetDeviceCount>(results(count)))
GPUTEST_WRAP(cudaGetDevice, (int* device), (device), forward<__real_cudaGetDevice>(results(device)))
GPUTEST_WRAP(cudaSetDevice, (int device), (device), set_device(device))
GPUTEST_WRAP(cudaDeviceGetAttribute, (int* value, int attribute, int device),
             (value, attribute, device),
             forward<__real_cudaDeviceGetAttribute>(results(value), attribute, device))
GPUTEST_WRAP(cudaRuntimeGetVersion, (int* version), (version),
             forward<__real_cudaRuntimeGetVersion>(results(version)))
GPUTEST_WRAP(cudaDriverGetVersion, (int* version), (version),
             forward<__real_cudaDriverGetVersion>(results(version)))
GPUTEST_WRAP(cudaDeviceGetStreamPriorityRange, (int* least, int* greatest), (least, greatest),
             forward<__real_cudaDeviceGetStreamPriorityRange>(results(least, greatest)))
GPUTEST_WRAP(cudaDeviceCanAccessPeer, (int* can, int device, int peer), (can, device, peer),
             forward<__real_cudaDeviceCanAccessPeer>(results(can), device, peer))
GPUTEST_WRAP_THEN(cudaDeviceSynchronize, (), (), forward<__real_cudaDeviceSynchronize>(),
                  Reads::get().synchronised(error))
GPUTEST_WRAP_VALUES(cudaDeviceSetCacheConfig, (int config), (config), config)
GPUTEST_WRAP_VALUES(cudaSetDeviceFlags, (unsigned flags), (flags), flags)

GPUTEST_WRAP_VALUES(cudaGetLastError, (), (), )
GPUTEST_WRAP_VALUES(cudaPeekAtLastError, (), (), )

GPUTEST_WRAP(cudaStreamCreate, (void** stream), (stream),
             (forward<make<cudaStreamCreate, cudaStreamDestroy>>(results(stream))))
GPUTEST_WRAP(cudaStreamCreateWithFlags, (void** stream, unsigned flags), (stream, flags),
             (forward<make<cudaStreamCreateWithFlags, cudaStreamDestroy, unsigned>>(results(stream),
                                                                                    flags)))
GPUTEST_WRAP(cudaStreamCreateWithPriority, (void** stream, unsigned flags, int priority),
             (stream, flags, priority),
             (forward<make<cudaStreamCreateWithPriority, cudaStreamDestroy, unsigned, int>>(
                 results(stream), flags, priority)))
GPUTEST_WRAP(cudaStreamDestroy, (void* stream), (stream),
             forward<release<cudaStreamDestroy>>(stream))
GPUTEST_WRAP_THEN(cudaStreamSynchronize, (void* stream), (stream),
                  forward<__real_cudaStreamSynchronize>(stream), Reads::get().synchronised(error))
GPUTEST_WRAP_VALUES(cudaStreamQuery, (void* stream), (stream), stream)
GPUTEST_WRAP_VALUES(cudaStreamWaitEvent, (void* stream, void* event, unsigned flags),
                    (stream, event, flags), stream, event, flags)
GPUTEST_WRAP(cudaLaunchHostFunc, (void* stream, Callback what, void* data), (stream, what, data),
             call_after(stream, what, data))
GPUTEST_WRAP(cudaStreamAddCallback, (void* stream, StreamCallback what, void* data, unsigned flags),
             (stream, what, data, flags), call_after(stream, what, data))

GPUTEST_WRAP(cudaEventCreate, (void** event), (event),
             (forward<make<cudaEventCreate, cudaEventDestroy>>(results(event))))
GPUTEST_WRAP(cudaEventCreateWithFlags, (void** event, unsigned flags), (event, flags),
             (forward<make<cudaEventCreateWithFlags, cudaEventDestroy, unsigned>>(results(event),
                                                                                  flags)))
GPUTEST_WRAP(cudaEventDestroy, (void* event), (event), forward<release<cudaEventDestroy>>(event))
GPUTEST_WRAP_VALUES(cudaEventRecord, (void* event, void* stream), (event, stream), event, stream)
GPUTEST_WRAP_VALUES(cudaEventRecordWithFlags, (void* event, void* stream, unsigned flags),
                    (event, stream, flags), event, stream, flags)
GPUTEST_WRAP_VALUES(cudaEventQuery, (void* event), (event), event)
GPUTEST_WRAP_THEN(cudaEventSynchronize, (void* event), (event),
                  forward<__real_cudaEventSynchronize>(event), Reads::get().synchronised(error))
GPUTEST_WRAP(cudaEventElapsedTime, (float* milliseconds, void* from, void* to),
             (milliseconds, from, to),
             forward<__real_cudaEventElapsedTime>(results(milliseconds), from, to))

// Texts are constants of the program with the same addresses in the server. They are asked of the
// server, because the library would open the driver even for them.
namespace {
template <auto Text> const char* text_in_server(int error) {
  const char* text = nullptr;
  forward<[](const char** to, int of) {
    *to = Text(of);
    return kSuccess;
  }>(results(&text), error);
  return text;
}
} // namespace
extern "C" const char* __real_cudaGetErrorString(int error);
extern "C" const char* __wrap_cudaGetErrorString(int error) {
  return is_remote() ? text_in_server<__real_cudaGetErrorString>(error)
                     : __real_cudaGetErrorString(error);
}
extern "C" const char* __real_cudaGetErrorName(int error);
extern "C" const char* __wrap_cudaGetErrorName(int error) {
  return is_remote() ? text_in_server<__real_cudaGetErrorName>(error)
                     : __real_cudaGetErrorName(error);
}

GPUTEST_WRAP_VALUES(cudaProfilerStart, (), (), )
GPUTEST_WRAP_VALUES(cudaProfilerStop, (), (), )
