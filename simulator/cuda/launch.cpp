// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/launch.h"

#include "ir/error.h"
#include "ir/words.h"
#include "model/clock.h"
#include "simulator/checks/monitor.h"
#include "simulator/cuda/block_memory.h"
#include "simulator/cuda/codec.h"
#include "simulator/execute/faults.h"
#include "simulator/memory/guard.h"
#include "simulator/memory/ndrange.h"
#include "simulator/parallel/forks_of_launch.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <utility>

namespace gputest::simulator::cuda {

PreparedLaunch::PreparedLaunch() = default;
PreparedLaunch::PreparedLaunch(PreparedLaunch&&) noexcept = default;
PreparedLaunch& PreparedLaunch::operator=(PreparedLaunch&&) noexcept = default;
PreparedLaunch::~PreparedLaunch() = default;

namespace {

constexpr double kPatience = 0.1; // seconds for launches that must not wait

std::uint64_t error_of(const Fault& fault) {
  if (fault.signal == SIGPROF)
    return kLaunchTimeout;
  return fault.signal == SIGSEGV || fault.signal == SIGBUS ? kIllegalAddress : kLaunchFailure;
}

// What a fork says of the blocks that it has run. Its addresses are those of this process.
struct SaidForgiven { // an access that has not ended the launch
  int signal = 0;
  std::uint64_t address = 0;
  bool address_known = false;
  std::uint64_t instruction = 0;
  bool write = false;
  std::array<std::uint64_t, 3> group{};
};
constexpr auto members_of(const SaidForgiven*) {
  using T = SaidForgiven;
  return std::tuple{&T::signal,      &T::address, &T::address_known,
                    &T::instruction, &T::write,   &T::group};
}
struct SaidByFork {
  std::string seen{}; // Seen::text()
  std::vector<SaidForgiven> forgiven{};
  std::uint64_t error = 0; // this and what follows: how it has ended itself
  std::string message{};
  std::uint64_t instruction = 0, site = 0; // the number of a site and 1; 0: there is none
};
constexpr auto members_of(const SaidByFork*) {
  using T = SaidByFork;
  return std::tuple{&T::seen, &T::forgiven, &T::error, &T::message, &T::instruction, &T::site};
}

std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
const void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<const void*>(address);
}

std::unique_ptr<LaunchMemory> memory_for(const Program::Ready& kernel, const Launch& what,
                                         const std::map<std::string, std::uint64_t>& variables,
                                         PreparedLaunch& prepared) {
  if (what.arguments.size() < kernel.shape.arguments_size)
    throw ir::SimulatorFailure("a launch has too few arguments");
  std::unique_ptr<LaunchMemory> memory = std::move(prepared.memory);
  if (memory && memory->fits(what))
    return memory;
  memory.reset(); // its addresses are used again
  return std::make_unique<LaunchMemory>(kernel, what, variables);
}

} // namespace

struct RunningLaunch::Parts {
  Parts(const Program::Ready& ready, Launch request, Device& its_device,
        const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& its_prepared)
      : kernel(ready), what(std::move(request)), device(its_device), prepared(its_prepared),
        memory(memory_for(kernel, what, variables, prepared)) {
    memory->begin(what, device);
    monitor.emplace(kernel.shape, kernel.code.checks(), 3, memory->context, memory->arena(),
                    memory->nowhere());
    forks.emplace(*monitor, kernel.code.checks(), kernel.shape, memory->context);
    if (kernel.checked_accesses && what.accesses == AccessesWanted::None &&
        is_worth_knowing_own(memory->context))
      memory->context.own_objects =
          own_objects(*kernel.checked_accesses, memory->context,
                      std::as_bytes(std::span(what.arguments)), memory->places(device));
    if (what.accesses != AccessesWanted::None) {
      std::vector<Region> regions;
      for (const auto& [address, region] : device.allocations())
        if (what.accesses == AccessesWanted::All || device.is_written_by_host(address))
          regions.push_back(region);
      monitor->keep_accessed(regions);
    }
    auto own = std::make_unique<KernelState>(&device);
    if (kernel.shape.in_turns)
      blocks.emplace(kernel.shape, memory->context, *monitor, what.order, *memory,
                     [this] { kernel.code.group()(&memory->context, memory->arguments()); });
    own->shared_of = [this](const void* pointer, std::uint64_t block) -> void* {
      return blocks ? blocks->shared_of(pointer, block) : nullptr;
    };
    own->is_of_cluster = [this](const void* pointer, std::uint64_t size) {
      return blocks && blocks->is_of_cluster(pointer, size);
    };
    own->dynamic_shared = static_cast<std::uint32_t>(what.shared_bytes);
    state = own.get();
    natives.emplace(&*monitor, std::move(own));
  }

  std::size_t number_of(std::size_t place_in_order) const {
    return what.order.empty() ? place_in_order : what.order[place_in_order];
  }

  // How many processes may run the blocks at the same time. They begin after this.
  unsigned processes(double left) {
    if (what.accesses != AccessesWanted::None)
      return 1;
    forgiven_before_forks = forgiven_count;
    return forks->processes([&]() -> auto& { return kernel.accesses(left); },
                            std::as_bytes(std::span(what.arguments)),
                            [&] { return memory->places(device); });
  }

  // What a fork of this process has to say, and what this process makes of it.
  std::string told() {
    const Device::End& end = device.ended;
    SaidByFork said{.seen = forks->text(),
                    .error = end.error,
                    .message = end.message,
                    .instruction = address_of(end.instruction),
                    .site = end.site ? *end.site + 1 : 0};
    for (std::size_t i = forgiven_before_forks; i < forgiven_count; ++i)
      said.forgiven.push_back({.signal = forgiven[i].fault.signal,
                               .address = address_of(forgiven[i].fault.address),
                               .address_known = forgiven[i].fault.address_known,
                               .instruction = address_of(forgiven[i].fault.instruction),
                               .write = forgiven[i].fault.write,
                               .group = forgiven[i].group});
    return Writer().put(said).message();
  }
  void hear(const RunPart& part, bool ends) {
    const auto said = Reader(part.said).get<SaidByFork>();
    forks->add(said.seen);
    for (const SaidForgiven& one : said.forgiven)
      if (forgiven_count < forgiven.size())
        forgiven[forgiven_count++] = {.fault = {.signal = one.signal,
                                                .address = pointer_to(one.address),
                                                .address_known = one.address_known,
                                                .instruction = pointer_to(one.instruction),
                                                .write = one.write},
                                      .group = one.group};
    if (!ends)
      return;
    set_group(memory->context, number_of(part.group));
    device.ended.error = said.error;
    device.ended.message = said.message;
    device.ended.instruction = pointer_to(said.instruction);
    device.ended.site = said.site == 0 ? std::nullopt : std::optional(said.site - 1);
  }

  std::optional<Fault> run_one_by_one(double limit) {
    gputest_context& context = memory->context;
    BlockPlace& place = *memory->take(); // the context's place
    const AtOnce at_once{.processes = [&](double left) { return processes(left); },
                         .tell = [&] { return told(); },
                         .hear = [&](const RunPart& part, bool ends) { hear(part, ends); }};
    const std::optional<Fault> fault = run_groups(
        kernel.code, groups_of(context), limit,
        [&](LoadedCode::Group run_group, std::size_t group) {
          set_group(context, number_of(group));
          if (group > 0)
            memory->clear(place);
          monitor->begin_group();
          run_group(&context, memory->arguments());
          monitor->end_group();
          forks->note(group);
        },
        at_once);
    if (!fault)
      memory->give_back(place);
    return fault;
  }

  std::optional<Fault> run_in_turns(double limit, double patience) {
    kernel.code.replace_if_due(limit);
    const auto start = std::chrono::steady_clock::now();
    const std::optional<Fault> fault =
        run_guarded([&] { waiting = blocks->go_on(patience); }, limit);
    kernel.code.has_run(model::seconds_since(start));
    return fault;
  }

  // In a signal handler.
  bool forgive(const Fault& fault) {
    if (!fault.address_known ||
        !device.open_padding(reinterpret_cast<std::uint64_t>(fault.address)))
      return false;
    const gputest_context& context = memory->context;
    forgiven[forgiven_count++] = {
        .fault = {.signal = fault.signal,
                  .address = fault.address,
                  .address_known = true,
                  .instruction = fault.instruction,
                  .write = fault.write},
        .group = {context.group_id[0], context.group_id[1], context.group_id[2]}};
    return true;
  }

  void tell_forgiven() {
    device.close_padding();
    if (forgiven_count > 0 && !memory->checked())
      memory->name_allocations(device);
    const auto all = std::span(forgiven).first(std::exchange(forgiven_count, 0));
    if (what.order.empty()) // processes that ran blocks at the same time had some each
      std::ranges::stable_sort(all, {}, [](const Forgiven& one) {
        return std::array{one.group[2], one.group[1], one.group[0]};
      });
    for (const Forgiven& one : all) {
      gputest_context then = memory->context;
      std::ranges::copy(one.group, then.group_id);
      Finding finding =
          finding_of(one.fault, kernel.code, kernel.shape, memory->arena(), then, what.limit);
      if (std::ranges::any_of(launched.forgiven, [&](const Finding& other) {
            return other.site == finding.site && other.object == finding.object;
          }))
        continue;
      finding.fatal = false;
      finding.message += fmt::format("; the launch goes on, because GPUs pad allocations to {} "
                                     "bytes; the check 'bounds' stops such an access",
                                     kPadding);
      launched.forgiven.push_back(std::move(finding));
    }
  }

  void end_with(Finding finding, std::uint64_t error) {
    launched.error = error;
    launched.message =
        fmt::format("{}: error: {} [{}]", place_text(finding.site), finding.message, finding.kind);
    last = std::move(finding);
  }

  const Program::Ready& kernel;
  const Launch what;
  Device& device;
  PreparedLaunch& prepared;
  std::unique_ptr<LaunchMemory> memory;
  std::optional<Monitor> monitor;
  std::optional<ForksOfLaunch> forks;
  std::optional<Natives> natives;
  KernelState* state = nullptr; // of `natives`
  std::optional<Blocks> blocks; // for kernels whose threads let others go on
  std::optional<Waiting> waiting;
  Launched launched;
  std::optional<Finding> last; // the finding that ended it
  struct Forgiven {
    Fault fault;
    std::array<std::uint64_t, 3> group; // the block that ran
  };
  std::array<Forgiven, Device::kMostOpen> forgiven{};
  std::size_t forgiven_count = 0, forgiven_before_forks = 0;
};

RunningLaunch::RunningLaunch(const Program::Ready& kernel, const Launch& what, Device& device,
                             const std::map<std::string, std::uint64_t>& variables,
                             PreparedLaunch& prepared) {
  if (kernel.shape.uninitialized)
    device.follow_definedness();
  device.begin_launch();
  parts_ = std::make_unique<Parts>(kernel, what, device, variables, prepared);
}

RunningLaunch::~RunningLaunch() = default;

bool RunningLaunch::go_on(double patience) {
  Parts& parts = *parts_;
  Device& device = parts.device;
  parts.natives->enter();
  device.ended = {};
  const auto start = std::chrono::steady_clock::now();
  double limit = parts.what.limit;
  if (limit > 0)
    limit = std::max(limit - parts.launched.seconds, 0.001);
  std::optional<Forgiving> forgiving;
  if (parts.what.forgives && !parts.kernel.code.checks().has("bounds"))
    forgiving.emplace([&](const Fault& fault) { return parts.forgive(fault); });
  const std::optional<Fault> fault =
      parts.blocks ? parts.run_in_turns(limit, patience) : parts.run_one_by_one(limit);
  parts.tell_forgiven();
  parts.launched.seconds += model::seconds_since(start);
  if (device.ended.error != kNoError) {
    parts.launched.error = device.ended.error;
    parts.launched.message = device.ended.message;
    parts.last = finding_of_end(device.ended, parts.kernel);
  } else if (fault) {
    if (!parts.memory->checked())
      parts.memory->name_allocations(device);
    parts.end_with(finding_of(*fault, parts.kernel.code, parts.kernel.shape, parts.memory->arena(),
                              parts.memory->context, parts.what.limit),
                   error_of(*fault));
  }
  if (parts.launched.error != kNoError)
    parts.waiting.reset();
  return !parts.waiting;
}

RunningLaunch::For RunningLaunch::waits_for() const {
  const Waiting& waiting = parts_->waiting.value();
  For result = For::Nobody;
  for (const std::uint64_t address : waiting.addresses)
    if (parts_->device.is_written_by_host(address))
      return waiting.settled ? For::Host : For::Anybody;
    else if (parts_->device.allocation(address))
      result = For::Launches;
  return waiting.settled ? result : For::Anybody;
}

void RunningLaunch::give_up() {
  const Waiting& waiting = parts_->waiting.value();
  const ir::KernelShape& shape = parts_->kernel.shape;
  Finding finding{.kind = "endless", .fatal = true};
  finding.site = waiting.site < shape.sites.size() ? shape.sites[waiting.site] : shape.place;
  finding.message = ir::in_words_of(
      shape.language,
      fmt::format("the kernel never ends: {} waits here, and nothing changes any more what it and "
                  "all others that are left wait for",
                  waiting.who));
  parts_->end_with(std::move(finding), kLaunchTimeout);
  parts_->waiting.reset();
}

Launched RunningLaunch::result() {
  Parts& parts = *parts_;
  Launched& launched = parts.launched;
  launched.output = std::move(parts.natives->output);
  launched.launches = std::move(parts.state->launches);
  launched.findings = parts.forks->findings();
  launched.notes = parts.forks->notes();
  if (parts.last)
    launched.findings.push_back(*parts.last);
  if (parts.what.accesses != AccessesWanted::None) {
    launched.footprint.places = parts.kernel.shape.sites;
    launched.footprint.ranges = parts.monitor->accessed();
    launched.footprint.signals = parts.kernel.shape.syncs;
  }
  parts.blocks.reset();
  parts.forks.reset();
  parts.monitor.reset();
  if (!parts.memory->checked())
    parts.prepared.memory = std::move(parts.memory);
  parts.memory.reset();
  return std::move(launched);
}

void Footprint::add(const Footprint& other) {
  const auto before = static_cast<unsigned>(places.size());
  places.insert(places.end(), other.places.begin(), other.places.end());
  for (Accessed range : other.ranges) {
    range.site += before;
    ranges.push_back(range);
  }
  signals = signals || other.signals;
}

Finding finding_of_end(const Device::End& end, const Program::Ready& kernel) {
  Finding finding{.kind = end.error == kAssert              ? "assertion"
                          : end.error == kMisalignedAddress ? "misaligned"
                                                            : "trap",
                  .message = end.message,
                  .fatal = true};
  if (end.site && *end.site < kernel.shape.sites.size())
    finding.site = kernel.shape.sites[*end.site];
  else
    finding.site = kernel.code.place_of(end.instruction);
  if (finding.site.line == 0)
    finding.site = kernel.shape.place;
  return finding;
}

Launched launch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& prepared) {
  auto running = std::make_shared<RunningLaunch>(kernel, what, device, variables, prepared);
  while (!running->go_on(kPatience)) {
    const RunningLaunch::For waits_for = running->waits_for();
    if (what.may_wait && waits_for != RunningLaunch::For::Nobody) {
      Launched launched;
      launched.running = std::move(running);
      return launched;
    }
    if (waits_for != RunningLaunch::For::Anybody) {
      running->give_up();
      break;
    }
  }
  return running->result();
}

} // namespace gputest::simulator::cuda
