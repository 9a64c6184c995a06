// Functions of CUDA's runtime library that a process without a GPU calls in a server (channel.h).
//
// The linker's --wrap brings the program's calls here (remote_*.cpp). In a process that has the GPU
// itself they go on to the library. cmake/functions/cuda_copies.cmake has the list.
#pragma once

#include "cuda/gpu/channel.h"

#include <array>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gputest::cuda::gpu {

// Whether this process has a server, and nothing of CUDA's itself.
bool is_remote();
// From now on, if not null.
void set_remote(Channel* server);

// Ends this process, in which `function` cannot be called.
[[noreturn]] void refuse(const char* function);

// After a call in this process. It returns the error.
int called(int error);

// The GPU's driver is about to be used here: refused where it is the server's.
void driver_is_used();
bool is_driver_used();

class Call {
public:
  Call();
  template <typename Value> Call& put(const Value& value) {
    put(&value, sizeof value);
    return *this;
  }
  void put(const void* from, std::size_t size);
  // The error that the function in the server returns first. A program whose kernel has not ended
  // by itself ends here.
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
    const std::tuple<Ins...> ins{channel.take<Ins>()...}; // from left to right
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

// Function(outs..., ins...) in the server, where its results are.
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

// Of the library, as CUDART_VERSION.
int version_in_server();

} // namespace gputest::cuda::gpu

// A function that the linker wraps: `remotely` where there is a server. Its name is CUDA's.
#define GPUTEST_WRAP(function, parameters, arguments, remotely)                                    \
  extern "C" int __real_##function parameters;                                                     \
  extern "C" int __wrap_##function parameters {                                                    \
    using namespace gputest::cuda::gpu;                                                            \
    return is_remote() ? remotely : called(__real_##function arguments);                           \
  }
// One that takes values alone.
#define GPUTEST_WRAP_VALUES(function, parameters, arguments, ...)                                  \
  GPUTEST_WRAP(function, parameters, arguments,                                                    \
               gputest::cuda::gpu::forward<__real_##function>(__VA_ARGS__))
