// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches kernels and asks about them in the server.
#pragma once

#include "cuda/gpu/calls.h"
#include "cuda/gpu/remote.h"

#include <functional>

namespace gputest::cuda::gpu {

using Launch = int (*)(const void* kernel, Sizes grid, Sizes block, void** values,
                       std::size_t shared, void* stream);
// These launch with `function`, a function of CUDA, and return its error.
int launch_in_server(Launch function, const void* kernel, Sizes grid, Sizes block, void** values,
                     std::size_t shared, void* stream);

using LaunchBy = int (*)(const void* config, const void* kernel, void** values);
int launch_in_server(LaunchBy function, const void* config, const void* kernel, void** values);

using LaunchGraph = int (*)(void* graph, void* stream);
int launch_graph_in_server(LaunchGraph function, void* graph, void* stream);

// Passes a structure whose size depends on CUDA's version. In the server, describe(memory) fills
// it, and answer_description() puts it into the channel. In the caller, take_description() copies
// it to `to` and returns `error`.
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
