// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/remote_launches.h"

#include "cuda/gpu/recorder.h"

#include <dlfcn.h>
#include <map>
#include <vector>

namespace gputest::cuda::gpu {
namespace {

constexpr int kMostParameters = 4096;

struct Parameter {
  std::size_t offset, size;
};

// In the server -----------------------------------------------------------------------------------

using ParameterInfo = int (*)(void*, std::size_t, std::size_t*, std::size_t*);

ParameterInfo parameter_info() {
  if (gputest_cuda_parameter)
    return gputest_cuda_parameter;
  // Drivers have this function since CUDA 12.4.
  static void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
  return library ? reinterpret_cast<ParameterInfo>(::dlsym(library, "cuFuncGetParamInfo"))
                 : nullptr;
}

// Values: an error, whether the driver knows them, and each parameter.
void answer_parameters(Channel& channel) {
  const auto* const kernel = channel.take<const void*>();
  void* function = nullptr;
  const int error = cudaGetFuncBySymbol(&function, kernel);
  const ParameterInfo info = error == kSuccess ? parameter_info() : nullptr;
  std::vector<Parameter> all;
  Parameter one{};
  while (info && all.size() < kMostParameters &&
         info(function, all.size(), &one.offset, &one.size) == kSuccess)
    all.push_back(one);
  channel.clear();
  channel.put(error);
  channel.put(info != nullptr && all.size() < kMostParameters);
  channel.put(all.size());
  for (const Parameter& parameter : all)
    channel.put(parameter);
}

// Reads the values that follow in the channel. Each is aligned for any type.
class Values {
public:
  explicit Values(Channel& channel) {
    const auto count = channel.take<std::size_t>();
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < count; ++i) {
      const auto size = channel.take<std::size_t>();
      at.push_back(memory_.size());
      memory_.resize(memory_.size() + (size + sizeof(Unit) - 1) / sizeof(Unit));
      channel.take(memory_.data() + at.back(), size);
    }
    for (const std::size_t index : at)
      pointers_.push_back(memory_.data() + index);
    pointers_.push_back(nullptr);
  }
  void** pointers() { return pointers_.data(); }

private:
  struct alignas(16) Unit {
    std::byte bytes[16];
  };
  std::vector<Unit> memory_;
  std::vector<void*> pointers_;
};

struct Shape {
  const void* kernel;
  Sizes grid, block;
  std::size_t shared;
  void* stream;
};

// struct cudaLaunchConfig_st, and the size of an attribute.
struct Config {
  Sizes grid, block;
  std::size_t shared;
  void* stream;
  const std::byte* attributes;
  unsigned count;
};
constexpr std::size_t kAttribute = 72;

int launch_graph(LaunchGraph function, void* graph, void* stream) {
  Recorder::get().before_launch();
  return function(graph, stream);
}

// In the other process ----------------------------------------------------------------------------

const std::vector<Parameter>& parameters_of(const void* kernel, int& error) {
  static auto* const known = new std::map<const void*, std::vector<Parameter>>;
  const auto [found, is_new] = known->try_emplace(kernel);
  error = kSuccess;
  if (!is_new)
    return found->second;
  Call call;
  error = call.put(kernel).ask(answer_parameters);
  const auto is_known = call.take<bool>();
  if (error != kSuccess) {
    known->erase(found);
    static const std::vector<Parameter> none;
    return none;
  }
  if (!is_known)
    refuse("a kernel whose parameters an old driver does not tell");
  found->second.resize(call.take<std::size_t>());
  for (Parameter& parameter : found->second)
    parameter = call.take<Parameter>();
  return found->second;
}

void put_values(Call& call, const std::vector<Parameter>& parameters, void** values) {
  call.put(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    call.put(parameters[i].size);
    call.put(values[i], parameters[i].size);
  }
}

} // namespace

int launch_in_server(Launch function, const void* kernel, Sizes grid, Sizes block, void** values,
                     std::size_t shared, void* stream) {
  Call call;
  int error = kSuccess;
  const std::vector<Parameter>& parameters = parameters_of(kernel, error);
  if (error != kSuccess)
    return error;
  call.channel().clear();
  call.put(function).put(Shape{kernel, grid, block, shared, stream});
  put_values(call, parameters, values);
  return call.ask([](Channel& channel) {
    const auto launch = channel.take<Launch>();
    const auto shape = channel.take<Shape>();
    Values taken(channel);
    Recorder::get().before_launch();
    const int launched =
        launch(shape.kernel, shape.grid, shape.block, taken.pointers(), shape.shared, shape.stream);
    channel.clear();
    channel.put(launched);
  });
}

int launch_in_server(LaunchBy function, const void* config, const void* kernel, void** values) {
  Call call;
  int error = kSuccess;
  const std::vector<Parameter>& parameters = parameters_of(kernel, error);
  if (error != kSuccess)
    return error;
  const auto& given = *static_cast<const Config*>(config);
  call.channel().clear();
  call.put(function).put(kernel).put(given);
  if (given.count > 0)
    call.put(given.attributes, given.count * kAttribute);
  put_values(call, parameters, values);
  return call.ask([](Channel& channel) {
    const auto launch = channel.take<LaunchBy>();
    const auto* const called = channel.take<const void*>();
    auto taken_config = channel.take<Config>();
    std::vector<std::uint64_t> attributes(taken_config.count * kAttribute / sizeof(std::uint64_t));
    channel.take(attributes.data(), taken_config.count * kAttribute);
    taken_config.attributes = reinterpret_cast<const std::byte*>(attributes.data());
    Values taken(channel);
    Recorder::get().before_launch();
    const int launched = launch(&taken_config, called, taken.pointers());
    channel.clear();
    channel.put(launched);
  });
}

int launch_graph_in_server(LaunchGraph function, void* graph, void* stream) {
  return forward<launch_graph>(function, graph, stream);
}

void answer_description(Channel& channel, const std::function<int(void* to)>& describe) {
  constexpr std::size_t kMost = std::size_t{8} << 10;
  // The result does not depend on the structure's previous content.
  std::vector<std::byte> first(kMost, std::byte{0x55}), second(kMost, std::byte{0xaa});
  int error = describe(first.data());
  if (error == kSuccess)
    error = describe(second.data());
  std::size_t size = kMost;
  while (size > 0 && first[size - 1] != second[size - 1])
    --size;
  channel.clear();
  channel.put(error);
  channel.put(size);
  channel.put(first.data(), size);
}

int take_description(Call& call, int error, void* to) {
  if (error == kSuccess)
    call.channel().take(to, call.take<std::size_t>());
  return error;
}

} // namespace gputest::cuda::gpu

using namespace gputest::cuda::gpu;

// Passes the configuration of `<<<…>>>` to the host function that stands for the kernel.
namespace {
struct Configuration {
  Sizes grid, block;
  std::size_t shared;
  void* stream;
};
thread_local std::vector<Configuration> configurations;

int push(const Configuration& configuration) {
  configurations.push_back(configuration);
  return kSuccess;
}
int pop(Sizes* grid, Sizes* block, std::size_t* shared, void* stream) {
  constexpr int kMissingConfiguration = 52;
  if (configurations.empty())
    return kMissingConfiguration;
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<void**>(stream) = last.stream;
  return kSuccess;
}
} // namespace

GPUTEST_WRAP(__cudaPushCallConfiguration,
             (Sizes grid, Sizes block, std::size_t shared, void* stream),
             (grid, block, shared, stream), push({grid, block, shared, stream}))
GPUTEST_WRAP(__cudaPopCallConfiguration,
             (Sizes * grid, Sizes* block, std::size_t* shared, void* stream),
             (grid, block, shared, stream), pop(grid, block, shared, stream))
GPUTEST_WRAP(cudaFuncGetAttributes, (void* attributes, const void* kernel), (attributes, kernel),
             describe_in_server<__real_cudaFuncGetAttributes>(attributes, kernel))
GPUTEST_WRAP_VALUES(cudaFuncSetAttribute, (const void* kernel, int attribute, int value),
                    (kernel, attribute, value), kernel, attribute, value)
GPUTEST_WRAP_VALUES(cudaFuncSetCacheConfig, (const void* kernel, int config), (kernel, config),
                    kernel, config)
GPUTEST_WRAP(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
             (int* blocks, const void* kernel, int block, std::size_t shared),
             (blocks, kernel, block, shared),
             forward<__real_cudaOccupancyMaxActiveBlocksPerMultiprocessor>(results(blocks), kernel,
                                                                           block, shared))
GPUTEST_WRAP(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
             (int* blocks, const void* kernel, int block, std::size_t shared, unsigned flags),
             (blocks, kernel, block, shared, flags),
             forward<__real_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags>(results(blocks),
                                                                                    kernel, block,
                                                                                    shared, flags))
