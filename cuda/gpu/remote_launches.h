// Launches, and what is known of kernels, of a process whose calls a server makes.
#pragma once

#include "cuda/gpu/calls.h"
#include "cuda/gpu/remote.h"

#include <functional>

namespace gputest::cuda::gpu {

using Launch = int (*)(const void* kernel, Sizes grid, Sizes block, void** values,
                       std::size_t shared, void* stream);
// `function` launches it, one of CUDA's.
int launch_in_server(Launch function, const void* kernel, Sizes grid, Sizes block, void** values,
                     std::size_t shared, void* stream);

using LaunchBy = int (*)(const void* config, const void* kernel, void** values);
int launch_in_server(LaunchBy function, const void* config, const void* kernel, void** values);

using LaunchGraph = int (*)(void* graph, void* stream);
int launch_graph_in_server(LaunchGraph function, void* graph, void* stream);

// A structure whose size depends on the version of CUDA: what describe(memory) writes, in the
// server, becomes values of the channel.
void answer_description(Channel& channel, const std::function<int(void* to)>& describe);
int take_description(Call& call, int error, void* to);

template <auto Describe, typename What> int describe_in_server(void* to, What what) {
  Call call;
  const int error = call.put(what).ask([](Channel& channel) {
    const What of = channel.take<What>();
    answer_description(channel, [&](void* memory) { return Describe(memory, of); });
  });
  return take_description(call, error, to);
}

} // namespace gputest::cuda::gpu
