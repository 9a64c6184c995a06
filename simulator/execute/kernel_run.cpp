// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/kernel_run.h"

#include "ir/error.h"
#include "model/clock.h"
#include "simulator/checks/monitor.h"
#include "simulator/execute/faults.h"
#include "simulator/execute/frames.h"
#include "simulator/natives/natives.h"
#include "simulator/parallel/forks_of_launch.h"
#include "simulator/parallel/separate.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace gputest::simulator {
namespace {

std::vector<std::uint32_t> permutation(const model::Order& order, std::size_t count,
                                       const char* what) {
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw ir::InputError(fmt::format("{} {} are too many to be ordered", count, what));
  try {
    return model::permutation(order, static_cast<std::uint32_t>(count));
  } catch (const model::FormatError& error) {
    throw ir::InputError(fmt::format("order of {}: {}", what, error.what()));
  }
}

// Returns the order for a group of `count` work-items: `order`, that of a full group, without the
// missing ones.
std::vector<std::uint32_t> order_within(const std::vector<std::uint32_t>& order,
                                        std::size_t count) {
  std::vector<std::uint32_t> there;
  std::ranges::copy_if(order, std::back_inserter(there),
                       [&](std::uint32_t item) { return item < count; });
  return there;
}

bool is_buffer(const ir::KernelShape& shape, std::size_t object) {
  const ir::Object& one = shape.objects[object];
  return one.kind == ir::Object::Kind::Argument &&
         shape.parameters[one.parameter].kind == ir::Parameter::Kind::Buffer;
}

std::vector<Region> buffers_of(const ir::KernelShape& shape, const gputest_context& context) {
  std::vector<Region> buffers;
  for (std::size_t i = 0; i < context.object_count; ++i)
    if (is_buffer(shape, i))
      buffers.push_back({.name = {},
                         .begin = reinterpret_cast<std::byte*>(context.objects[i].begin),
                         .size = static_cast<std::size_t>(context.objects[i].size)});
  return buffers;
}

// The parts of buffers that nobody has written.
std::vector<Region> unwritten_of(const ir::KernelShape& shape, const gputest_context& context,
                                 const LaunchRequest& request) {
  std::vector<Region> all;
  for (std::size_t i = 0; i < context.object_count; ++i) {
    if (!is_buffer(shape, i))
      continue;
    const std::uint64_t size = context.objects[i].size;
    for (const auto& [begin, bytes] : request.arguments[shape.objects[i].parameter].unwritten)
      if (begin < size)
        all.push_back({.name = {},
                       .begin = reinterpret_cast<std::byte*>(context.objects[i].begin) + begin,
                       .size = static_cast<std::size_t>(std::min(bytes, size - begin))});
  }
  return all;
}

// Joins neighbours. More ranges than these are too many to be told.
constexpr std::size_t kMostRanges = std::size_t{1} << 16;

std::vector<wire::AccessedBytes> accessed_bytes(const ir::KernelShape& shape,
                                                const gputest_context& context,
                                                std::vector<Accessed> accessed) {
  const auto key = [](const Accessed& one) { return std::tuple(one.write, one.atomic, one.begin); };
  std::ranges::sort(accessed, {}, key);
  std::vector<Accessed> joined;
  for (const Accessed& one : accessed) {
    Accessed* const last = joined.empty() ? nullptr : &joined.back();
    if (last && last->write == one.write && last->atomic == one.atomic &&
        one.begin <= last->begin + last->size)
      last->size = std::max(last->size, one.begin + one.size - last->begin);
    else
      joined.push_back(one);
  }
  std::vector<wire::AccessedBytes> all;
  if (joined.size() > kMostRanges)
    return all;
  for (std::size_t i = 0; i < context.object_count; ++i) {
    if (!is_buffer(shape, i))
      continue;
    const auto begin = reinterpret_cast<std::uint64_t>(context.objects[i].begin);
    for (const Accessed& one : joined)
      if (one.begin >= begin && one.begin < begin + context.objects[i].size)
        all.push_back({.argument = shape.objects[i].parameter,
                       .begin = one.begin - begin,
                       .size = one.size,
                       .write = one.write,
                       .atomic = one.atomic});
  }
  return all;
}

// Where the launch's objects are: buffers in one memory file, perhaps the same place twice.
ObjectPlaces places_of(const ir::KernelShape& shape, const LaunchRequest& request) {
  constexpr std::uint64_t kVariables = std::uint64_t{1} << 63; // behind all offsets of the file
  ObjectPlaces places;
  for (const ir::Object& object : shape.objects) {
    if (object.kind != ir::Object::Kind::Argument) {
      places.push_back(ObjectPlace{.memory = kVariables + places.size(), .kept = false});
      continue;
    }
    const ArgumentData& argument = request.arguments[object.parameter];
    std::size_t begin = argument.offset;
    for (bool moved = true; std::exchange(moved, false);) // to the first of those that overlap
      for (const ArgumentData& other : request.arguments)
        if (other.kind == ir::Parameter::Kind::Buffer && !other.null && other.offset < begin &&
            other.offset + other.size > begin) {
          begin = other.offset;
          moved = true;
        }
    places.push_back(ObjectPlace{.memory = begin,
                                 .begin = static_cast<std::int64_t>(argument.offset - begin),
                                 .null = argument.null});
  }
  return places;
}

} // namespace

LaunchResult run_kernel(const LoadedCode& code, const ir::KernelShape& shape,
                        const LaunchRequest& request, LaunchMemory& memory, InCommon& in_common,
                        const KnownAccesses& accesses) {
  gputest_context context = context_of(request);
  Frames frames(shape, request.sizes.items_of_group());
  frames.describe(context);
  const std::vector<std::uint32_t> groups =
      permutation(request.order.groups, groups_of(context), "work-groups");
  const std::vector<std::uint32_t> full =
      permutation(request.order.items, request.sizes.items_of_group(), "work-items");
  std::vector<std::uint32_t> items;

  LaunchResult result;
  context.memory_begin = reinterpret_cast<gputest_u8*>(memory.arena.begin());
  context.beside_memory = memory.arena.space();
  context.objects = memory.objects().data();
  context.object_count = memory.objects().size();
  Monitor monitor(shape, code.checks(), request.sizes.dimensions, context, memory.arena,
                  memory.nowhere);
  if (request.accesses)
    monitor.keep_accessed(buffers_of(shape, context));
  if (accesses.checked && !request.accesses && is_worth_knowing_own(context))
    context.own_objects = own_objects(*accesses.checked, context, memory.bytes_of_arguments(shape),
                                      places_of(shape, request));
  monitor.begin_unwritten(unwritten_of(shape, context, request));
  Natives natives(&monitor);
  natives.queue = &in_common.queue;
  natives.pipes = &in_common.pipes;
  in_common.pipes.enter(shape.sites);
  ForksOfLaunch forks(monitor, code.checks(), shape, context);
  const AtOnce at_once{.processes =
                           [&](double left) {
                             if (!accesses.of_groups || request.accesses)
                               return 1U;
                             return forks.processes(
                                 [&]() -> auto& { return accesses.of_groups(left); },
                                 memory.bytes_of_arguments(shape),
                                 [&] { return places_of(shape, request); });
                           },
                       .tell = [&] { return forks.text(); },
                       .hear =
                           [&](const RunPart& part, bool ends) {
                             forks.add(part.said);
                             if (ends)
                               set_group(context, groups[part.group]);
                           }};
  steps_left = request.steps;
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Fault> fault = run_groups(
      code, groups.size(), request.limit,
      [&](LoadedCode::Group run_group, std::size_t number) {
        set_group(context, groups[number]);
        if (!request.order.items_ascend()) {
          items = order_within(full, items_of_group(context));
          context.order = items.data();
        }
        memory.fill_local(shape, request.local_fill);
        monitor.begin_group();
        run_group(&context, memory.arguments());
        monitor.end_group();
        forks.note(number);
      },
      at_once);
  result.seconds = model::seconds_since(start);
  result.output = std::move(natives.output);
  result.findings = forks.findings();
  result.notes = forks.notes();
  if (request.accesses && !fault) {
    in_common.accessed = monitor.accessed();
    result.accessed = accessed_bytes(shape, context, in_common.accessed);
  }
  if (fault) {
    result.fatal = true;
    result.late = fault->signal == SIGPROF && !fault->counted;
    result.findings.push_back(
        finding_of(*fault, code, shape, memory.arena, context, request.limit));
  } else {
    monitor.end_launch();
  }
  return result;
}

} // namespace gputest::simulator
