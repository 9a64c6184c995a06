// The process that has the GPU while the program runs again and again in others (forks.h): it makes
// their calls (remote.h), and is afterwards as it was before, so that no run knows of another.
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

  // Before main(): a variable of the device, and what no server could put back.
  void add_variable(const void* symbol, std::size_t size);
  void refuse(const char* what);
  const std::string& refused() const { return refused_; } // empty: nothing

  [[noreturn]] void serve(Channel& channel);

  // To be called in the server. `bytes` of the channel: the active mutant in each source that has
  // it (cuda/records/measured.h). Values: their size and the budget of loops. It returns why
  // nothing can be run: an error of CUDA's.
  static void begin(Channel& channel);
  // What the program has left is given back. It returns an error after which no kernel runs any
  // more, or 0.
  static void finish(Channel& channel);

  // What the program has got from a call that returned `error`, and gives back with `release`.
  // Returns the error.
  int keep(int error, void* const* made, int (*release)(void*));
  void forget(void* handle);
  // All of it is given back, and variables are what they were before the first launch.
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

// In the server: what is made is the program's until it ends or gives it back.
template <auto Make, auto Release, typename... Ins> int make(void** made, Ins... ins) {
  return Server::get().keep(Make(made, ins...), made, Release);
}
template <auto Release> int release(void* made) {
  Server::get().forget(made);
  return Release(made);
}

} // namespace gputest::cuda::gpu
