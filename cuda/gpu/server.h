// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process that keeps the GPU while forks run the program many times (forks.h). It makes their
// calls (remote.h) and restores its state after each run, so that runs do not affect each other.
#pragma once

#include "cuda/gpu/channel.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gputest::cuda::gpu {

class Server {
public:
  static Server& get();

  // Before main(): registers a variable of the device, or a reason why no server can restore the
  // device's state.
  void add_variable(const void* symbol, std::size_t size);
  void refuse(const char* what);
  const std::string& refused() const { return refused_; } // the reason; or ""

  [[noreturn]] void serve(Channel& channel);

  // Begins a run; to be called in the server. The channel's `bytes` hold the active mutants
  // (GPUTEST_CUDA_MUTANT in cuda/records/measured.h), and its values are their size and the budget
  // of loops. The result is an error of CUDA's, or 0.
  static void begin(Channel& channel);
  // Ends a run: calls reset(). The result is an error after which the server cannot run kernels, or
  // 0.
  static void finish(Channel& channel);

  // Keeps an object that a call has made, unless `error` is set, to call `release` for it if the
  // program does not. Returns `error`.
  int keep(int error, void* const* made, int (*release)(void*));
  void forget(void* handle);
  // Releases all kept objects and restores the initial values of variables.
  int reset();

private:
  struct Variable {
    const void* symbol;
    std::vector<std::byte> bytes;
  };
  int save();

  std::vector<Variable> variables_;
  std::vector<std::pair<void*, int (*)(void*)>> kept_;
  std::string refused_;
  int error_ = 0;
};

// Functions for forward(): make an object for the program, and release it.
template <auto Make, auto Release, typename... Ins> int make(void** made, Ins... ins) {
  return Server::get().keep(Make(made, ins...), made, Release);
}
template <auto Release> int release(void* made) {
  Server::get().forget(made);
  return Release(made);
}

} // namespace gputest::cuda::gpu
