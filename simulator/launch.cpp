#include "simulator/launch.h"

#include "simulator/arena.h"
#include "simulator/error.h"
#include "simulator/guard.h"
#include "simulator/monitor.h"
#include "simulator/orders.h"
#include "simulator/printf.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <list>

namespace gputest::simulator {
namespace {

// Kernels call functions by name: the one place for what these need.
struct Running {
  std::string output;
  Monitor& monitor;
};
Running* running = nullptr; // NOLINT

// Where MemorySanitizer's code passes on what it knows of arguments and results.
struct Sanitizer {
  alignas(16) std::uint64_t parameters[128], result[128];
};
Sanitizer sanitizer; // NOLINT

const std::byte* bytes(const gputest_u8* at) {
  return reinterpret_cast<const std::byte*>(at);
}

extern "C" {
int gputest_printf(const char* format, unsigned count, const PrintfArgument* arguments,
                   const unsigned char* slots) {
  running->output += printf_text(format, count, arguments, slots);
  return 0;
}
int gputest_turn(gputest_context*) {
  return running->monitor.turn();
}
void gputest_race(gputest_context*, const gputest_u8* at, gputest_u64 size, gputest_u32 site,
                  int local, int atomic, int write, const gputest_u8* value) {
  running->monitor.race(bytes(at), size, site, local != 0, atomic != 0, write != 0, bytes(value));
}
gputest_u8* gputest_outside(gputest_context*, const gputest_u8* at, gputest_u64 size,
                            const gputest_u8* begin, gputest_u64 length, gputest_u32 object,
                            gputest_u32 site, int write) {
  return reinterpret_cast<gputest_u8*>(
      running->monitor.outside(bytes(at), size, bytes(begin), length, object, site, write != 0));
}
void gputest_misaligned(gputest_context*, const gputest_u8* at, gputest_u64, gputest_u64 alignment,
                        gputest_u32 site, int write) {
  running->monitor.misaligned(bytes(at), alignment, site, write != 0);
}
void gputest_uninitialized(gputest_context*, gputest_u32 site) {
  running->monitor.uninitialized(site);
}
void gputest_arithmetic(gputest_context*, gputest_u32 site, gputest_u32 fault) {
  running->monitor.arithmetic(site, fault);
}
}

std::size_t product(const std::array<std::size_t, 3>& sizes) {
  return sizes[0] * sizes[1] * sizes[2];
}

void check(const KernelShape& shape, const LaunchRequest& request) {
  if (request.arguments.size() != shape.parameters.size())
    throw InputError(fmt::format("kernel '{}' has {} arguments, and {} are given", shape.name,
                                 shape.parameters.size(), request.arguments.size()));
  for (unsigned i = 0; i < 3; ++i) {
    if (request.global_size[i] == 0 || request.local_size[i] == 0)
      throw InputError(fmt::format("kernel '{}': a size of the NDRange is 0", shape.name));
    if (i < shape.required_size.size() && shape.required_size[i] != request.local_size[i])
      throw InputError(fmt::format(
          "kernel '{}' has reqd_work_group_size({}), and the local size is {}", shape.name,
          fmt::join(shape.required_size, ", "), fmt::join(request.local_size, " x ")));
  }
  for (std::size_t i = 0; i < shape.parameters.size(); ++i) {
    const Parameter& parameter = shape.parameters[i];
    const ArgumentData& argument = request.arguments[i];
    if (argument.kind != parameter.kind)
      throw InputError(fmt::format("kernel '{}', argument '{}': a '{}' is declared, and something "
                                   "of another kind is given",
                                   shape.name, parameter.name, parameter.type));
    if (parameter.kind == Parameter::Kind::Value && argument.size != parameter.size)
      throw InputError(fmt::format("kernel '{}', argument '{}' has {} bytes, and {} are given",
                                   shape.name, parameter.name, parameter.size, argument.size));
  }
}

// The memory of a launch, and the block of arguments that points to it.
class Memory {
public:
  Memory(const KernelShape& shape, const LaunchRequest& request, int descriptor)
      : arena(space_for(shape, request)), block_(shape.arguments_size / 64 + 1) {
    for (std::size_t i = 0; i < shape.parameters.size(); ++i)
      set(shape.parameters[i], request.arguments[i], descriptor);
    nowhere = arena.allocate("", kNowhere);
    for (const Object& object : shape.objects)
      if (object.kind == Object::Kind::LocalVariable) {
        const Region region = arena.allocate(object.name, object.size);
        objects_.push_back({reinterpret_cast<gputest_u8*>(region.begin), region.size});
      }
  }

  // Those that the launch places, as the shape numbers them.
  std::vector<gputest_context::gputest_object>& objects() { return objects_; }

  void* arguments() { return block_.data(); }

  Arena arena;
  Region nowhere; // what accesses out of bounds use instead

private:
  static constexpr std::size_t kNowhere = std::size_t{1} << 20;

  struct alignas(128) Block {
    std::byte bytes[128];
  };

  static std::size_t space_for(const KernelShape& shape, const LaunchRequest& request) {
    std::size_t space = Arena::space_for(kNowhere);
    for (const Object& object : shape.objects)
      space += Arena::space_for(object.size);
    for (const ArgumentData& argument : request.arguments)
      space += Arena::space_for(argument.size);
    return space;
  }

  void set(const Parameter& parameter, const ArgumentData& argument, int descriptor) {
    std::byte* const place = reinterpret_cast<std::byte*>(block_.data()) + parameter.offset;
    const auto set_pointer = [&](const void* pointer) {
      std::memcpy(place, &pointer, sizeof pointer);
    };
    switch (argument.kind) {
    case Parameter::Kind::Value: {
      const Region region = arena.map(argument.name, descriptor, argument.offset, argument.size);
      std::memcpy(place, region.begin, argument.size);
      return;
    }
    case Parameter::Kind::Buffer:
    case Parameter::Kind::Local: {
      const Region region =
          argument.null ? Region{argument.name, nullptr, 0}
          : argument.kind == Parameter::Kind::Local
              ? arena.allocate(argument.name, argument.size)
              : arena.map(argument.name, descriptor, argument.offset, argument.size);
      set_pointer(region.begin);
      objects_.push_back({reinterpret_cast<gputest_u8*>(region.begin), region.size});
      return;
    }
    case Parameter::Kind::Image: {
      const auto image = images_.emplace(images_.end(), argument.image);
      complete(*image, argument.size, argument.name);
      image->pixels = arena.map(argument.name, descriptor, argument.offset, argument.size).begin;
      set_pointer(&*image);
      return;
    }
    case Parameter::Kind::Sampler:
      set_pointer(reinterpret_cast<const void*>(std::uintptr_t{argument.sampler}));
      return;
    }
  }

  std::vector<Block> block_;
  std::list<Image> images_; // kernels have pointers to them
  std::vector<gputest_context::gputest_object> objects_;
};

// What work-items keep while they wait.
class Frames {
public:
  Frames(const KernelShape& shape, std::size_t items, gputest_context& context)
      : statuses_(shape.has_barriers ? items : 0), arena_(items * shape.frame_size) {
    context.statuses = statuses_.data();
    context.frame_size = shape.frame_size;
    if (shape.has_barriers)
      context.frames =
          reinterpret_cast<gputest_u8*>(arena_.allocate("frames", items * shape.frame_size).begin);
  }

private:
  std::vector<gputest_u32> statuses_;
  Arena arena_;
};

std::string place_in(const Region& region, const void* address) {
  const auto offset = static_cast<const std::byte*>(address) - region.begin;
  if (offset < 0)
    return fmt::format("{} bytes before '{}'", -offset, region.name);
  return fmt::format("byte {} of '{}', which has {}", offset, region.name, region.size);
}

Finding finding_of(const Fault& fault, const LoadedCode& code, const KernelShape& shape,
                   const Arena& arena, const gputest_context& context, double limit) {
  Finding finding;
  finding.site = code.place_of(fault.instruction);
  const std::string who = fmt::format("a work-item of group ({}, {}, {})", context.group_id[0],
                                      context.group_id[1], context.group_id[2]);
  if (fault.signal == SIGALRM) {
    finding.kind = "endless";
    finding.message =
        fmt::format("the kernel still runs after {} s; this is where {} is", limit, who);
  } else if (fault.signal == SIGFPE) {
    finding.kind = "division_by_zero";
    finding.message = fmt::format("{} divides by zero", who);
  } else if (fault.stack) {
    finding.kind = "stack_overflow";
    finding.message = fmt::format("{} has no stack left: its private variables are too large", who);
  } else if (fault.address_known && reinterpret_cast<std::uintptr_t>(fault.address) < 65536) {
    finding.kind = "null_pointer";
    finding.message =
        fmt::format("{} {} through a null pointer", who, fault.write ? "writes" : "reads");
  } else {
    const Region* const region = fault.address_known ? arena.near(fault.address) : nullptr;
    finding.kind = "out_of_bounds";
    finding.message = fmt::format("{} {} {}", who, fault.write ? "writes" : "reads",
                                  region ? place_in(*region, fault.address)
                                         : "memory that belongs to no argument");
  }
  if (finding.site.line == 0) { // the optimiser has merged accesses of several lines
    finding.site = shape.place;
    finding.message += "; the line within the kernel is not known, --check bounds tells it";
  }
  return finding;
}

} // namespace

std::vector<NativeSymbol> native_symbols() {
  std::vector<NativeSymbol> symbols = image_symbols();
  const std::vector<NativeSymbol> others{
      {"gputest_printf", reinterpret_cast<void*>(&gputest_printf)},
      {"gputest_turn", reinterpret_cast<void*>(&gputest_turn)},
      {"gputest_race", reinterpret_cast<void*>(&gputest_race)},
      {"gputest_outside", reinterpret_cast<void*>(&gputest_outside)},
      {"gputest_misaligned", reinterpret_cast<void*>(&gputest_misaligned)},
      {"gputest_uninitialized", reinterpret_cast<void*>(&gputest_uninitialized)},
      {"__msan_param_tls", sanitizer.parameters},
      {"__msan_retval_tls", sanitizer.result},
      {"__msan_va_arg_tls", sanitizer.parameters},
      {"__msan_va_arg_overflow_size_tls", sanitizer.result},
      {"gputest_arithmetic", reinterpret_cast<void*>(&gputest_arithmetic)}};
  symbols.insert(symbols.end(), others.begin(), others.end());
  return symbols;
}

LaunchResult launch(const LoadedCode& code, const KernelShape& shape, const LaunchRequest& request,
                    int memory_file) {
  check(shape, request);
  Memory memory(shape, request, memory_file);
  gputest_context context{};
  for (unsigned i = 0; i < 3; ++i) {
    context.global_size[i] = request.global_size[i];
    context.enqueued_local_size[i] = request.local_size[i];
    context.num_groups[i] =
        (request.global_size[i] + request.local_size[i] - 1) / request.local_size[i];
    context.global_offset[i] = request.global_offset[i];
  }
  context.work_dim = request.dimensions;
  const Frames frames(shape, product(request.local_size), context);
  const std::vector<std::uint32_t> groups = order_of(
      request.order.groups, context.num_groups[0] * context.num_groups[1] * context.num_groups[2],
      request.order.seed, 0);
  std::vector<std::uint32_t> items;

  LaunchResult result;
  context.objects = memory.objects().data();
  context.object_count = memory.objects().size();
  Monitor monitor(shape, request.dimensions, context, memory.arena, memory.nowhere);
  Running state{{}, monitor};
  running = &state;
  const auto start = std::chrono::steady_clock::now();
  const LoadedCode::Group run_group = code.group();
  const std::optional<Fault> fault = run_guarded(
      [&] {
        for (const std::uint32_t group : groups) {
          context.group_id[0] = group % context.num_groups[0];
          context.group_id[1] = group / context.num_groups[0] % context.num_groups[1];
          context.group_id[2] = group / context.num_groups[0] / context.num_groups[1];
          for (unsigned i = 0; i < 3; ++i)
            context.local_size[i] =
                std::min(request.local_size[i],
                         request.global_size[i] - context.group_id[i] * request.local_size[i]);
          if (!request.order.items_ascend()) {
            items = order_of(request.order.items,
                             context.local_size[0] * context.local_size[1] * context.local_size[2],
                             request.order.seed, 1 + group);
            context.order = items.data();
          }
          monitor.begin_group();
          run_group(&context, memory.arguments());
        }
      },
      request.limit);
  running = nullptr;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.output = std::move(state.output);
  result.findings = monitor.findings();
  if (fault) {
    result.fatal = true;
    result.findings.push_back(
        finding_of(*fault, code, shape, memory.arena, context, request.limit));
  }
  return result;
}

} // namespace gputest::simulator
