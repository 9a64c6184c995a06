// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/server.h"

#include "cuda/gpu/calls.h"
#include "cuda/gpu/reads.h"
#include "cuda/gpu/recorder.h"

namespace gputest::cuda::gpu {

Server& Server::get() {
  static Server* const server = new Server; // needed until the very end
  return *server;
}

void Server::add_variable(const void* symbol, std::size_t size) {
  variables_.push_back({symbol, std::vector<std::byte>(size)});
}

void Server::refuse(const char* what) {
  refused_ = what;
}

void Server::serve(Channel& channel) {
  if (gputest_cuda_forget)
    gputest_cuda_forget();
  Recorder::get().serve();
  Reads::get().stop();
  error_ = save();
  for (;;)
    channel.answer([&] { channel.is_endless = Recorder::get().is_endless() ? 1 : 0; });
}

int Server::save() {
  int error = Recorder::get().make_ready();
  for (Variable& variable : variables_)
    if (error == kSuccess)
      error = cudaMemcpyFromSymbol(variable.bytes.data(), variable.symbol, variable.bytes.size(), 0,
                                   kToHost);
  return error;
}

int Server::reset() {
  int error = cudaDeviceSynchronize();
  while (!kept_.empty()) {
    const auto [handle, release] = kept_.back();
    kept_.pop_back();
    release(handle);
  }
  for (const Variable& variable : variables_)
    if (error == kSuccess)
      error = cudaMemcpyToSymbol(variable.symbol, variable.bytes.data(), variable.bytes.size(), 0,
                                 kToDevice);
  cudaGetLastError();
  const int left = cudaDeviceSynchronize();
  return error != kSuccess ? error : left;
}

void Server::begin(Channel& channel) {
  const auto size = channel.take<std::size_t>();
  const auto budget = channel.take<std::uint32_t>();
  Recorder::get().activate({reinterpret_cast<const char*>(channel.bytes), size}, budget);
  channel.clear();
  channel.put(get().error_);
}

void Server::finish(Channel& channel) {
  const int error = get().reset();
  channel.clear();
  channel.put(error);
}

int Server::keep(int error, void* const* made, int (*release)(void*)) {
  if (error == kSuccess && *made)
    kept_.emplace_back(*made, release);
  return error;
}

void Server::forget(void* handle) {
  std::erase_if(kept_, [&](const auto& one) { return one.first == handle; });
}

} // namespace gputest::cuda::gpu

// Is called before main() by each object file with device code. The symbol is enough to find the
// variable.
extern "C" void __real___cudaRegisterVar(void** binary, char* symbol, char* address,
                                         const char* name, int is_extern, std::size_t size,
                                         int is_constant, int is_global);
extern "C" void __wrap___cudaRegisterVar(void** binary, char* symbol, char* address,
                                         const char* name, int is_extern, std::size_t size,
                                         int is_constant, int is_global) {
  if (!is_extern)
    gputest::cuda::gpu::Server::get().add_variable(symbol, size);
  __real___cudaRegisterVar(binary, symbol, address, name, is_extern, size, is_constant, is_global);
}

// Is called before main() by sources whose device code has state that no server can restore.
extern "C" int gputest_gpu_keeps(const char* what) {
  gputest::cuda::gpu::Server::get().refuse(what);
  return 0;
}
