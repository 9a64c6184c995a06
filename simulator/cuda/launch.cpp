#include "simulator/cuda/launch.h"

#include "ir/error.h"
#include "simulator/checks/monitor.h"
#include "simulator/execute/faults.h"
#include "simulator/execute/frames.h"
#include "simulator/execute/guard.h"
#include "simulator/execute/natives.h"
#include "simulator/execute/ndrange.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>

namespace gputest::simulator::cuda {
namespace {

constexpr std::size_t kNowhere = std::size_t{1} << 20;

LaunchRequest request_of(const Launch& what) {
  LaunchRequest request;
  request.dimensions = 3;
  for (unsigned i = 0; i < 3; ++i) {
    request.local_size[i] = what.block[i];
    request.global_size[i] = what.grid[i] * what.block[i];
  }
  request.limit = what.limit;
  return request;
}

std::size_t own_space(const KernelShape& shape, const Launch& what) {
  std::size_t space = Arena::space_for(kNowhere);
  for (const Object& object : shape.objects)
    if (object.kind == Object::Kind::LocalVariable)
      space += Arena::space_for(object.size ? object.size : what.shared_bytes);
  return space;
}

// Memory of a launch: its own behind that of the device.
class Memory {
public:
  Memory(const KernelShape& shape, const Launch& what, const Device& device,
         const std::map<std::string, std::uint64_t>& variables)
      : arena(reinterpret_cast<std::byte*>(kDeviceMemory), kDeviceBytes, own_space(shape, what)),
        nowhere(arena.allocate("", kNowhere)), block(what.arguments.size() / 128 + 1) {
    std::memcpy(block.data(), what.arguments.data(), what.arguments.size());
    std::map<std::uint64_t, std::string> names; // of what arguments point into
    for (const Object& object : shape.objects)
      place(object, shape, what, device, variables, names);
    for (const auto& [address, region] : device.allocations()) {
      const auto named = names.find(address);
      arena.add({named == names.end() ? region.name : named->second, region.begin, region.size});
    }
  }

  void fill_shared() {
    for (const auto& [begin, size] : shared_)
      std::memset(begin, 0, size);
  }

  Arena arena;
  Region nowhere;
  struct alignas(128) Block {
    std::byte bytes[128];
  };
  std::vector<Block> block;
  std::vector<gputest_context::gputest_object> objects;

private:
  void place(const Object& object, const KernelShape& shape, const Launch& what,
             const Device& device, const std::map<std::string, std::uint64_t>& variables,
             std::map<std::uint64_t, std::string>& names) {
    const auto add = [&](std::byte* begin, std::size_t size) {
      objects.push_back({reinterpret_cast<gputest_u8*>(begin), size, size});
    };
    switch (object.kind) {
    case Object::Kind::Argument: {
      std::uint64_t pointer = 0;
      std::memcpy(&pointer, what.arguments.data() + shape.parameters[object.parameter].offset,
                  sizeof pointer);
      if (const Region* const region = device.allocation(pointer)) {
        names.try_emplace(reinterpret_cast<std::uint64_t>(region->begin), object.name);
        add(region->begin, region->size);
      } else {
        add(reinterpret_cast<std::byte*>(pointer), 0);
      }
      return;
    }
    case Object::Kind::ProgramVariable: {
      const auto found = variables.find(object.name);
      if (found == variables.end())
        throw SimulatorFailure(fmt::format("the variable '{}' has no place", object.name));
      add(reinterpret_cast<std::byte*>(found->second), object.size);
      return;
    }
    case Object::Kind::LocalVariable: {
      const std::size_t size = object.size ? object.size : what.shared_bytes;
      const Region region = arena.allocate(object.name, size);
      add(region.begin, size);
      shared_.emplace_back(region.begin, size);
      return;
    }
    case Object::Kind::PrivateVariable:
    case Object::Kind::Constant:
      return;
    }
  }

  std::vector<std::pair<std::byte*, std::size_t>> shared_;
};

std::uint64_t error_of(const Fault& fault) {
  if (fault.signal == SIGALRM)
    return kLaunchTimeout;
  return fault.signal == SIGSEGV || fault.signal == SIGBUS ? kIllegalAddress : kLaunchFailure;
}

} // namespace

Launched launch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables) {
  const KernelShape& shape = kernel.shape;
  if (what.arguments.size() < shape.arguments_size)
    throw SimulatorFailure("a launch has too few arguments");
  if (shape.uninitialized)
    device.follow_definedness();
  const LaunchRequest request = request_of(what);
  Memory memory(shape, what, device, variables);
  gputest_context context = context_of(request);
  const Frames frames(shape, items_of_group(request), context);
  context.objects = memory.objects.data();
  context.object_count = memory.objects.size();
  device.describe(context);
  context.beside_memory = memory.arena.space() - kDeviceBytes;
  Monitor monitor(shape, kernel.code.checks(), request.dimensions, context, memory.arena,
                  memory.nowhere);
  Natives natives(&monitor);
  natives.device = &device;
  device.ended = {};

  Launched result;
  const std::size_t groups = groups_of(context);
  const auto start = std::chrono::steady_clock::now();
  const LoadedCode::Group run_group = kernel.code.group();
  const std::optional<Fault> fault = run_guarded(
      [&] {
        for (std::size_t group = 0; group < groups; ++group) {
          set_group(context, what.order.empty() ? group : what.order[group]);
          memory.fill_shared();
          monitor.begin_group();
          run_group(&context, memory.block.data());
          monitor.end_group();
        }
      },
      request.limit);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.output = std::move(natives.output);
  result.findings = monitor.findings();
  if (device.ended.error != kNoError) {
    result.error = device.ended.error;
    result.message = device.ended.message;
  } else if (fault) {
    const Finding finding =
        finding_of(*fault, kernel.code, shape, memory.arena, context, request.limit);
    result.error = error_of(*fault);
    result.message =
        fmt::format("{}: error: {} [{}]", place_text(finding.site), finding.message, finding.kind);
    result.findings.push_back(finding);
  }
  return result;
}

} // namespace gputest::simulator::cuda
