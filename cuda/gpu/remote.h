// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forwards calls of CUDA's runtime library from a process without a GPU to a server (channel.h).
//
// The linker's --wrap redirects the program's calls here (remote_*.cpp). A process that has the GPU
// passes them on to the library. cmake/functions/cuda_copies.cmake lists the functions.
#pragma once

#include "cuda/gpu/channel.h"

#include <array>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gputest::cuda::gpu {

// Whether this process uses a server, and not CUDA itself.
bool is_remote();
// Makes this process use `server` from now on. Null: none.
void set_remote(Channel* server);

// Ends this process, because `function` cannot run in the server.
[[noreturn]] void refuse(const char* function);

// Is called after each call in this process, and returns its error.
int called(int error);

// Is called before this process uses the GPU's driver. Refuses if a server has the GPU.
void driver_is_used();
bool is_driver_used();

// One call to the server. Holds a lock until it is destroyed, so that calls do not mix.
class Call {
public:
  Call();
  template <typename Value> Call& put(const Value& value) {
    put(&value, sizeof value);
    return *this;
  }
  void put(const void* from, std::size_t size);
  // Runs the function in the server and returns the error, its first result. Ends the program if a
  // loop has used up its budget.
  int ask(void (*function)(Channel&));
  template <typename Value> Value take() { return channel_.take<Value>(); }
  Channel& channel() { return channel_; }

private:
  std::lock_guard<std::recursive_mutex> lock_;
  Channel& channel_;
};

template <typename... Outs> std::tuple<Outs*...> results(Outs*... outs) {
  return {outs...};
}

namespace detail {
template <typename> bool take_is_given(Channel& channel) {
  return channel.take<bool>();
}

template <auto Function, typename Outs, typename... Ins> struct InServer;
template <auto Function, typename... Outs, typename... Ins>
struct InServer<Function, std::tuple<Outs*...>, Ins...> {
  static void run(Channel& channel) { run(channel, std::index_sequence_for<Outs...>()); }

private:
  template <std::size_t... i> static void run(Channel& channel, std::index_sequence<i...>) {
    const std::array<bool, sizeof...(Outs) + 1> is_given{take_is_given<Outs>(channel)..., true};
    const std::tuple<Ins...> ins{channel.take<Ins>()...}; // braces evaluate from left to right
    std::tuple<Outs...> outs{};
    const int error = std::apply(
        [&](auto... in) {
          return Function((is_given[i] ? &std::get<i>(outs) : nullptr)..., in...);
        },
        ins);
    channel.clear();
    channel.put(error);
    (channel.put(std::get<i>(outs)), ...);
  }
};
} // namespace detail

// Calls Function(outs..., ins...) in the server and copies its results to `outs`. Returns its
// error.
template <auto Function, typename... Outs, typename... Ins>
int forward(std::tuple<Outs*...> outs, Ins... ins) {
  static_assert((std::is_trivially_copyable_v<Outs> && ...));
  Call call;
  std::apply([&](auto*... out) { (call.put(out != nullptr), ...); }, outs);
  (call.put(ins), ...);
  const int error = call.ask(detail::InServer<Function, std::tuple<Outs*...>, Ins...>::run);
  std::apply(
      [&](auto*... out) {
        [[maybe_unused]] const auto keep = [&]<typename Out>(Out* to) {
          const Out made = call.take<Out>();
          if (to && error == 0)
            *to = made;
        };
        (keep(out), ...);
      },
      outs);
  return error;
}
template <auto Function, typename... Ins> int forward(Ins... ins) {
  return forward<Function>(std::tuple<>(), ins...);
}

// Returns the version of CUDA's library, such as CUDART_VERSION.
int version_in_server();

} // namespace gputest::cuda::gpu

// Defines the wrapper of a function of CUDA. The expression `remotely` is its result if there is a
// server.
#define GPUTEST_WRAP(function, parameters, arguments, remotely)                                    \
  extern "C" int __real_##function parameters;                                                     \
  extern "C" int __wrap_##function parameters {                                                    \
    using namespace gputest::cuda::gpu;                                                            \
    return is_remote() ? remotely : called(__real_##function arguments);                           \
  }
// The same, with a last expression, which is the result: it has the `error` of the call.
#define GPUTEST_WRAP_THEN(function, parameters, arguments, remotely, then)                         \
  extern "C" int __real_##function parameters;                                                     \
  extern "C" int __wrap_##function parameters {                                                    \
    using namespace gputest::cuda::gpu;                                                            \
    const int error = is_remote() ? remotely : called(__real_##function arguments);                \
    return then;                                                                                   \
  }
// Defines the wrapper of a function whose parameters are all values.
#define GPUTEST_WRAP_VALUES(function, parameters, arguments, ...)                                  \
  GPUTEST_WRAP(function, parameters, arguments,                                                    \
               gputest::cuda::gpu::forward<__real_##function>(__VA_ARGS__))
