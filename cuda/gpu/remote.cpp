// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/remote.h"

#include "cuda/gpu/calls.h"
#include "cuda/gpu/recorder.h"

#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace gputest::cuda::gpu {
namespace {

Channel* server = nullptr;
bool driver_used = false;

// Recursive, because a callback of the program may call CUDA.
std::recursive_mutex& mutex() {
  static auto* const one = new std::recursive_mutex; // needed until the very end
  return *one;
}

} // namespace

bool is_remote() {
  return server != nullptr;
}

void set_remote(Channel* channel) {
  server = channel;
}

void refuse(const char* function) {
  std::snprintf(server->refused, sizeof server->refused, "%s", function);
  ::_exit(1);
}

int called(int error) {
  Recorder::get().after_call();
  return error;
}

void driver_is_used() {
  if (is_remote())
    refuse("a function of CUDA's that only a process with the GPU can call");
  driver_used = true;
}

bool is_driver_used() {
  return driver_used;
}

Call::Call() : lock_(mutex()), channel_(*server) {
  channel_.clear();
}

void Call::put(const void* from, std::size_t size) {
  if (!channel_.put(from, size))
    refuse("a call with very many arguments");
}

int Call::ask(void (*function)(Channel&)) {
  channel_.ask(function);
  if (channel_.is_endless != 0)
    ::_exit(1);
  return channel_.take<int>();
}

int version_in_server() {
  int version = 0;
  forward<cudaRuntimeGetVersion>(results(&version));
  return version;
}

} // namespace gputest::cuda::gpu

// Watches for the driver being opened, by the program or by CUDA's library in it.
extern "C" void* __real_dlopen(const char* name, int flags);
extern "C" void* __wrap_dlopen(const char* name, int flags) {
  if (name && std::string_view(name).find("libcuda.so") != std::string_view::npos)
    gputest::cuda::gpu::driver_is_used();
  return __real_dlopen(name, flags);
}
// The same, in the simulator's library.
extern "C" void gputest_cuda_is_used() {
  gputest::cuda::gpu::driver_is_used();
}
