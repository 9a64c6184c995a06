// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call, in a function for host and device, of a function that is one of the host: on the device it
// ends the kernel. What gives Clang the texts that use it: frontend/cuda/host_calls.h.
#ifndef GPUTEST_CUDA_HOST_CALLS_H
#define GPUTEST_CUDA_HOST_CALLS_H

extern "C" __device__ void gputest_host_call(const char* function);

#if __cplusplus >= 201402L
template <typename Function> struct gputest_result;
template <typename Call, typename Result> struct gputest_result<Result (Call::*)() const> {
  using type = Result;
};
template <typename Call>
__device__ inline typename gputest_result<decltype(&Call::operator())>::type
gputest_called_on_host(const char* function, Call) {
  gputest_host_call(function);
  __builtin_unreachable();
}
#else
template <typename Result> __device__ inline Result gputest_called_on_host(const char* function) {
  gputest_host_call(function);
  __builtin_unreachable();
}
#endif

// The lambda, which nobody calls, lets the device's code have the kernels that the function
// launches.
#ifndef __CUDA_ARCH__
#define GPUTEST_HOST_CALL(name, ...) __VA_ARGS__
#elif __cplusplus >= 201402L
#define GPUTEST_HOST_CALL(name, ...)                                                               \
  ::gputest_called_on_host(                                                                        \
      name, [&] __attribute__((host)) () -> decltype(auto) { return __VA_ARGS__; })
#else
#define GPUTEST_HOST_CALL(name, ...)                                                               \
  (static_cast<void>([&] __attribute__((host)) () { static_cast<void>(__VA_ARGS__); }),            \
   ::gputest_called_on_host<decltype(__VA_ARGS__)>(name))
#endif

#endif
