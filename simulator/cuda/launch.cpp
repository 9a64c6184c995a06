#include "simulator/cuda/launch.h"

#include "ir/error.h"
#include "model/clock.h"
#include "simulator/checks/monitor.h"
#include "simulator/cuda/grid.h"
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

std::size_t blocks_at_once(const KernelShape& shape, const Launch& what) {
  return shape.grid && what.cooperative ? what.grid[0] * what.grid[1] * what.grid[2] : 1;
}

std::size_t own_space(const KernelShape& shape, const Launch& what) {
  std::size_t space = Arena::space_for(kNowhere);
  const std::size_t blocks = blocks_at_once(shape, what), copies = blocks + (blocks > 1);
  for (const Object& object : shape.objects)
    if (object.kind == Object::Kind::LocalVariable)
      space += copies * Arena::space_for(object.size_in_launch(what.shared_bytes));
  return space;
}

std::uint64_t pointer_of(const KernelShape& shape, const Object& object, const void* arguments) {
  std::uint64_t pointer = 0;
  std::memcpy(&pointer,
              static_cast<const std::byte*>(arguments) + shape.parameters[object.parameter].offset,
              sizeof pointer);
  return pointer;
}

} // namespace

std::map<const std::byte*, std::string>
argument_names(const KernelShape& shape, const void* arguments, const Device& device) {
  std::map<const std::byte*, std::string> names;
  for (const Object& object : shape.objects)
    if (object.kind == Object::Kind::Argument)
      if (const Region* const region = device.allocation(pointer_of(shape, object, arguments)))
        names.try_emplace(region->begin, object.name);
  return names;
}

// Its places stay what they are for launches of one size. With checks they lie behind the device's
// memory, so that one table has both.
class LaunchMemory {
public:
  LaunchMemory(const Program::Ready& kernel, const Launch& what,
               const std::map<std::string, std::uint64_t>& variables)
      : shape_(kernel.shape), checked_(kernel.code.checks().any()),
        together_(blocks_at_once(shape_, what) > 1), shared_bytes_(what.shared_bytes),
        block_(what.block), frames_(shape_, items_of_group(request_of(what))),
        block_of_arguments_(shape_.arguments_size / 128 + 1) {
    if (checked_)
      arena_.emplace(reinterpret_cast<std::byte*>(kDeviceMemory), kDeviceBytes,
                     own_space(shape_, what));
    else
      arena_.emplace(own_space(shape_, what));
    nowhere_ = arena_->allocate("", kNowhere);
    for (const Object& object : shape_.objects)
      place(object, variables);
  }

  bool fits(const Launch& what) const {
    return !checked_ && !together_ && blocks_at_once(shape_, what) == 1 &&
           shared_bytes_ == what.shared_bytes && block_ == what.block;
  }

  void begin(const Launch& what, const Device& device) {
    std::memcpy(block_of_arguments_.data(), what.arguments.data(), shape_.arguments_size);
    for (std::size_t i = 0; checked_ && i < shape_.objects.size(); ++i)
      if (shape_.objects[i].kind == Object::Kind::Argument)
        objects_[i] = pointed_into(shape_.objects[i], device);
    if (checked_)
      name_allocations(device);
    context = context_of(request_of(what));
    context.cooperative = what.cooperative;
    frames_.describe(context);
    context.objects = objects_.data();
    context.object_count = objects_.size();
    device.describe(context);
    context.beside_memory = checked_ ? arena_->space() - kDeviceBytes : 0;
  }

  // Findings and faults name what they are about.
  void name_allocations(const Device& device) {
    const std::map<const std::byte*, std::string> names =
        argument_names(shape_, block_of_arguments_.data(), device);
    for (const auto& [address, region] : device.allocations()) {
      const auto named = names.find(region.begin);
      arena_->add({named == names.end() ? region.name : named->second, region.begin, region.size});
    }
  }

  void fill_shared() {
    for (const auto& [object, begin, size] : shared_)
      std::memset(begin, 0, size);
  }

  // Those of another block that is there at the same time.
  Objects objects_of_another() {
    Objects others = objects_;
    for (const auto& [object, begin, size] : shared_)
      others[object].begin =
          reinterpret_cast<gputest_u8*>(arena_->allocate(arena_->near(begin)->name, size).begin);
    return others;
  }

  void* arguments() { return block_of_arguments_.data(); }
  const Arena& arena() const { return *arena_; }
  const Region& nowhere() const { return nowhere_; }
  bool checked() const { return checked_; }
  // Blocks are there at the same time: each launch needs places for all of them.
  bool together() const { return together_; }

  gputest_context context{};

private:
  using Placed = gputest_context::gputest_object;

  Placed pointed_into(const Object& object, const Device& device) const {
    const std::uint64_t pointer = pointer_of(shape_, object, block_of_arguments_.data());
    const Region* const region = device.allocation(pointer);
    return region ? placed(region->begin, region->size)
                  : placed(reinterpret_cast<std::byte*>(pointer), 0);
  }

  static Placed placed(std::byte* begin, std::size_t size) {
    return {reinterpret_cast<gputest_u8*>(begin), size, size};
  }

  void place(const Object& object, const std::map<std::string, std::uint64_t>& variables) {
    switch (object.kind) {
    case Object::Kind::Argument: // each launch has others
      objects_.emplace_back();
      return;
    case Object::Kind::ProgramVariable: {
      const auto found = variables.find(object.name);
      if (found == variables.end())
        throw SimulatorFailure(fmt::format("the variable '{}' has no place", object.name));
      objects_.push_back(placed(reinterpret_cast<std::byte*>(found->second), object.size));
      return;
    }
    case Object::Kind::LocalVariable: {
      const std::size_t size = object.size_in_launch(shared_bytes_);
      const Region region = arena_->allocate(object.name, size);
      shared_.push_back({objects_.size(), region.begin, size});
      objects_.push_back(placed(region.begin, size));
      return;
    }
    case Object::Kind::PrivateVariable:
    case Object::Kind::Constant:
      return;
    }
  }

  struct Shared {
    std::size_t object; // its number
    std::byte* begin;
    std::size_t size;
  };
  struct alignas(128) Block {
    std::byte bytes[128];
  };
  const KernelShape& shape_;
  bool checked_, together_;
  std::uint64_t shared_bytes_;
  std::array<std::uint64_t, 3> block_;
  Frames frames_;
  std::vector<Block> block_of_arguments_;
  std::optional<Arena> arena_;
  Region nowhere_;
  Objects objects_;
  std::vector<Shared> shared_;
};

PreparedLaunch::PreparedLaunch() = default;
PreparedLaunch::PreparedLaunch(PreparedLaunch&&) noexcept = default;
PreparedLaunch& PreparedLaunch::operator=(PreparedLaunch&&) noexcept = default;
PreparedLaunch::~PreparedLaunch() = default;

namespace {

std::uint64_t error_of(const Fault& fault) {
  if (fault.signal == SIGPROF)
    return kLaunchTimeout;
  return fault.signal == SIGSEGV || fault.signal == SIGBUS ? kIllegalAddress : kLaunchFailure;
}

} // namespace

Launched launch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& prepared) {
  const KernelShape& shape = kernel.shape;
  if (what.arguments.size() < shape.arguments_size)
    throw SimulatorFailure("a launch has too few arguments");
  if (shape.uninitialized)
    device.follow_definedness();
  if (!prepared.memory || !prepared.memory->fits(what)) {
    prepared.memory.reset(); // its addresses are wanted again
    prepared.memory = std::make_unique<LaunchMemory>(kernel, what, variables);
  }
  LaunchMemory& memory = *prepared.memory;
  memory.begin(what, device);
  gputest_context& context = memory.context;
  Monitor monitor(shape, kernel.code.checks(), 3, context, memory.arena(), memory.nowhere());
  Natives natives(&monitor);
  natives.device = &device;
  device.ended = {};

  Launched result;
  const std::size_t groups = groups_of(context);
  const auto start = std::chrono::steady_clock::now();
  const LoadedCode::Group run_group = kernel.code.group();
  const std::optional<Fault> fault = run_guarded(
      [&] {
        if (memory.together()) {
          run_together(
              shape, context, monitor, what.order, [&] { return memory.objects_of_another(); },
              [&] { run_group(&context, memory.arguments()); });
          return;
        }
        for (std::size_t group = 0; group < groups; ++group) {
          set_group(context, what.order.empty() ? group : what.order[group]);
          memory.fill_shared();
          monitor.begin_group();
          do
            run_group(&context, memory.arguments());
          while (context.grid_stop); // it is the only block
          monitor.end_group();
        }
      },
      what.limit);
  result.seconds = seconds_since(start);
  result.output = std::move(natives.output);
  result.findings = monitor.findings();
  if (device.ended.error != kNoError) {
    result.error = device.ended.error;
    result.message = device.ended.message;
  } else if (fault) {
    if (!memory.checked())
      memory.name_allocations(device);
    const Finding finding =
        finding_of(*fault, kernel.code, shape, memory.arena(), context, what.limit);
    result.error = error_of(*fault);
    result.message =
        fmt::format("{}: error: {} [{}]", place_text(finding.site), finding.message, finding.kind);
    result.findings.push_back(finding);
  }
  if (memory.checked() || memory.together())
    prepared.memory.reset();
  return result;
}

} // namespace gputest::simulator::cuda
