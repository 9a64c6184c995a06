// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call, in a function for host and device, of a function that is one of the host: on the device it
// ends the kernel. What gives Clang the texts that use it: frontend/cuda/host_calls.h.
#ifndef GPUTEST_CUDA_HOST_CALLS_H
#define GPUTEST_CUDA_HOST_CALLS_H

extern "C" __device__ void gputest_host_call(const char* function);

template <typename Result> __device__ inline Result gputest_called_on_host(const char* function) {
  gputest_host_call(function);
  __builtin_unreachable();
}

#ifdef __CUDA_ARCH__
// The lambda, which nobody calls, lets the device's code have the kernels that the function launches.
#define GPUTEST_HOST_CALL(name, ...)                                                               \
  (static_cast<void>([&] __attribute__((host)) () { static_cast<void>(__VA_ARGS__); }),            \
   ::gputest_called_on_host<decltype(__VA_ARGS__)>(name))
#else
#define GPUTEST_HOST_CALL(name, ...) __VA_ARGS__
#endif

#endif
