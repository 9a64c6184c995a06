// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/simulator/machine.h"

#include "model/files.h"
#include "model/launches/lock_step.h"
#include "process/ended.h"
#include "runtime/cases/guard_zone.h"
#include "runtime/machine/simulator/process.h"
#include "runtime/machine/simulator/repeated_case.h"
#include "simulator/service/protocol.h"
#include "simulator/service/wire.h"
#include "store/store.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::runtime {
namespace wire = simulator::wire;

// The simulator's process. If a kernel has harmed it, a new one replaces it, which has to build
// again.
struct SimulatorMachine::Process {
  std::filesystem::path program;
  Simulation simulation;
  std::optional<SimulatorProcess> process{};
  unsigned generation = 0;             // of the process; 0: none yet
  std::vector<std::size_t> released{}; // programs of this process that nobody launches any more
  std::once_flag hashed{}; // the program, for `version`; threads may ask at the same time
  std::string version{};

  SimulatorProcess& get() {
    if (!process || !process->is_ours()) {
      process.emplace(program);
      ++generation;
      released.clear();
    }
    return *process;
  }

  // Calls `attempt`, and calls it again with a new process if it ends this one, which others may
  // have ended.
  template <typename Attempt> auto with_another(const Attempt& attempt) {
    for (unsigned tries = 1;; ++tries)
      try {
        return attempt();
      } catch (const MachineEnded&) {
        process.reset();
        if (tries == gputest::process::kTries)
          throw;
      }
  }
};

namespace {

using Process = SimulatorMachine::Process;

// Places the contents of the shared memory.
class Layout {
public:
  std::size_t add(std::size_t size) {
    const std::size_t offset = simulator::shared_offset(end_, size);
    end_ = simulator::shared_end(offset, size);
    return offset;
  }
  std::size_t end() const {
    return (end_ + simulator::kPageBytes - 1) / simulator::kPageBytes * simulator::kPageBytes;
  }

private:
  std::size_t end_ = 0;
};

struct Placed {
  std::size_t offset = 0, size = 0;

  // Returns the memory between the beginning of its page and its own.
  std::span<std::byte> before(std::span<std::byte> memory) const {
    const std::size_t page = offset / simulator::kPageBytes * simulator::kPageBytes;
    return memory.subspan(page, offset - page);
  }
  // Returns the memory between its end and that of the page.
  std::span<std::byte> padding(std::span<std::byte> memory) const {
    const std::size_t end = simulator::shared_end(offset, size);
    return memory.subspan(offset + size, end - offset - size);
  }
};

wire::Argument argument_of(const LaunchArgument& argument, const Placed& place) {
  wire::Argument given{.kind = argument.kind,
                       .name = argument.name,
                       .offset = place.offset,
                       .size = place.size,
                       .null = argument.is_null,
                       .access = argument.read_only    ? wire::Access::ReadOnly
                                 : argument.write_only ? wire::Access::WriteOnly
                                                       : wire::Access::ReadWrite,
                       .keeps_packets = argument.keeps_packets};
  for (const auto& [begin, size] : argument.unwritten)
    given.unwritten.push_back({.begin = begin, .size = size});
  if (given.kind == wire::Kind::Local)
    given.size = argument.local_size;
  if (given.kind == wire::Kind::Image) {
    const ImageLayout& image = argument.image.value();
    given.image = {.type = image.type,
                   .width = static_cast<std::uint32_t>(image.width),
                   .height = static_cast<std::uint32_t>(image.height),
                   .depth = static_cast<std::uint32_t>(image.depth),
                   .channel_order = image.format.image_channel_order,
                   .channel_type = image.format.image_channel_data_type};
  }
  if (given.kind == wire::Kind::Sampler)
    given.sampler = {.normalized = argument.sampler.normalized_coordinates,
                     .addressing = argument.sampler.addressing_mode,
                     .filter = argument.sampler.filter_mode};
  return given;
}

// Returns the signature. Compiled code has only names and sizes.
Signature signature_of(const wire::Built& built) {
  Signature signature;
  for (const auto& [name, pointer, size] : built.parameters)
    signature.declared.push_back(
        {.name = name,
         .type = {},
         .address_space = pointer ? model::AddressSpace::Global : model::AddressSpace::Private,
         .pointer = pointer,
         .size = size});
  signature.arguments = signature.declared.size();
  return signature;
}

class ServedKernel : public BuiltKernel {
public:
  ServedKernel(std::shared_ptr<Process> process, wire::Build build)
      : process_(std::move(process)), build_(std::move(build)) {
    build_first();
  }

  ~ServedKernel() override {
    if (generation_ != process_->generation)
      return;
    process_->released.push_back(program_);
    for (const auto& [lock_step, program] : in_step_)
      process_->released.push_back(program);
  }

  ServedKernel(const ServedKernel&) = delete;
  ServedKernel& operator=(const ServedKernel&) = delete;

  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                       Bytes& state) override {
    return process_->with_another([&] { return launch_once(launch, arguments, state); });
  }

  Exploration explore(const Launch& launch, std::vector<LaunchArgument>& arguments,
                      const std::vector<std::size_t>& outputs,
                      const ExplorationBounds& bounds) override {
    const Bytes none;
    const wire::Explore request{share(launch, arguments, none, outputs).request, bounds};
    auto exploration = ask<Exploration>(request);
    end_if(exploration.fatal);
    return exploration;
  }

  Signature signature() const override { return signature_; }

private:
  struct Shared {
    std::vector<Placed> places; // of the arguments, and of the state
    std::span<std::byte> memory;
    wire::Launch request; // without orders and checks
  };

  LaunchOutcome launch_once(const Launch& launch, std::vector<LaunchArgument>& arguments,
                            Bytes& state) {
    const Simulation& simulation = process_->simulation;
    Shared shared = share(launch, arguments, state, {});
    if (simulation.turns) {
      shared.request.turns = simulation.turns;
    } else {
      shared.request.order = {.groups = simulation.groups, .items = simulation.items};
      shared.request.checks = simulation.checks;
      shared.request.trial = simulation.trial;
      shared.request.accesses = simulation.accesses;
    }
    const auto reply = ask<wire::Launched>(shared.request);
    if (!simulation.trial) // otherwise the launch before it has printed
      fmt::print("{}", reply.output);
    LaunchOutcome outcome{.seconds = reply.seconds,
                          .out_of_bounds = {},
                          .findings = reply.findings,
                          .notes = reply.notes,
                          .accessed = reply.accessed};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].read_back && shared.places[i].size != 0)
        std::memcpy(arguments[i].bytes.data(), shared.memory.data() + shared.places[i].offset,
                    shared.places[i].size);
      if (arguments[i].kind != LaunchArgument::Kind::Buffer || reply.fatal)
        continue;
      const auto padding = shared.places[i].padding(shared.memory);
      if (std::string problem = check_guard_zone(padding, arguments[i], build_.kernel);
          !problem.empty())
        outcome.out_of_bounds.push_back(std::move(problem));
    }
    if (!state.empty())
      std::memcpy(state.data(), shared.memory.data() + shared.places.back().offset, state.size());
    end_if(reply.fatal);
    return outcome;
  }

  Shared share(const Launch& launch, const std::vector<LaunchArgument>& arguments,
               const Bytes& state, const std::vector<std::size_t>& outputs) {
    SimulatorProcess& process = process_->get();
    const std::size_t program = program_for(launch.lock_step);
    Layout layout;
    Shared shared;
    for (const LaunchArgument& argument : arguments)
      shared.places.push_back({layout.add(argument.bytes.size()), argument.bytes.size()});
    shared.places.push_back({layout.add(state.size()), state.size()});
    shared.memory = process.share(layout.end());
    const auto fill = [&](const Placed& place, const Bytes& bytes) {
      std::ranges::fill(place.before(shared.memory), std::byte{0});
      if (place.size != 0)
        std::memcpy(shared.memory.data() + place.offset, bytes.data(), place.size);
    };
    std::vector<wire::Argument> list;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      fill(shared.places[i], arguments[i].bytes);
      if (arguments[i].kind == LaunchArgument::Kind::Buffer) {
        const auto padding = shared.places[i].padding(shared.memory);
        std::copy_n(zone_.begin(), padding.size(), padding.begin());
      }
      list.push_back(argument_of(arguments[i], shared.places[i]));
      list.back().output = std::ranges::find(outputs, i) != outputs.end();
    }
    if (!state.empty()) {
      fill(shared.places.back(), state);
      LaunchArgument trailing;
      trailing.kind = LaunchArgument::Kind::Buffer;
      list.push_back(argument_of(trailing, shared.places.back()));
    }
    shared.request = {.program = program,
                      .kernel = build_.kernel,
                      .sizes = sizes_of(launch),
                      .memory = layout.end(),
                      .arguments = std::move(list),
                      .limit = process_->simulation.limit,
                      .shared_bytes = launch.shared_memory};
    shared.request.sizes.local = chosen_block(launch);
    return shared;
  }

  template <typename Reply> Reply ask(const auto& request) {
    return process_->get().ask(wire::request_of(request)).template get<Reply>();
  }

  void end_if(bool fatal) {
    if (fatal)
      process_->process.reset();
  }

  // Returns the number of the program, in the process that runs now.
  std::size_t program_for(unsigned lock_step) {
    if (generation_ != process_->generation) {
      in_step_.clear();
      build_first();
    }
    if (lock_step == 0)
      return program_;
    if (const auto known = in_step_.find(lock_step); known != in_step_.end())
      return known->second;
    const std::size_t built = build(lock_step);
    if (generation_ != process_->generation) // another process has built it
      return program_for(lock_step);
    return in_step_[lock_step] = built;
  }

  void build_first() {
    program_ = build();
    generation_ = process_->generation;
  }

  std::size_t build(unsigned lock_step = 0) {
    wire::Build build = build_;
    build.checks = process_->simulation.checks;
    if (lock_step != 0) { // the launch's, whatever definitions ask for
      std::erase_if(build.definitions, [](const std::string& definition) {
        return definition.starts_with(std::string(model::kLockStepMacro) + '=');
      });
      build.definitions.push_back(model::lock_step_definition(lock_step));
    }
    try {
      return process_->with_another([&] {
        process_->get();
        build.released = std::exchange(process_->released, {});
        const auto reply = ask<wire::Built>(build);
        signature_ = signature_of(reply);
        return reply.program;
      });
    } catch (const MachineEnded& error) {
      throw BuildError("the kernel cannot be built for the simulator", error.what());
    }
  }

  std::shared_ptr<Process> process_;
  wire::Build build_;
  Signature signature_;
  Bytes zone_ = guard_zone();
  std::size_t program_ = 0;
  std::map<unsigned, std::size_t> in_step_; // the same for launches with lock step
  unsigned generation_ = 0;                 // of the process that has built these
};

} // namespace

SimulatorMachine::SimulatorMachine(std::filesystem::path program, Simulation simulation)
    : process_(std::make_shared<Process>()) {
  process_->program = std::move(program);
  process_->simulation = std::move(simulation);
}

SimulatorMachine::~SimulatorMachine() = default;

Simulation* SimulatorMachine::simulation() {
  return &process_->simulation;
}

std::vector<HostPlace> SimulatorMachine::locate(const std::string& file, std::uint64_t address) {
  const auto located = process_->get()
                           .ask(wire::request_of(wire::Locate{.file = file, .address = address}))
                           .get<wire::Located>();
  std::vector<HostPlace> places;
  for (const auto& [in, line, column, function] : located.places)
    places.push_back({.place = {in, line, column}, .function = function});
  return places;
}

std::string SimulatorMachine::name() const {
  return "simulator";
}

MachineIdentity SimulatorMachine::identity() const {
  std::call_once(process_->hashed, [this] {
    process_->version = store::content_hash(model::read_text(process_->program).value_or(""));
  });
  return {.name = name(), .version = process_->version, .driver = {}, .platform = {}};
}

std::unique_ptr<RepeatedCase> SimulatorMachine::repeat(BoundCase test_case, const std::string&,
                                                       const std::vector<std::size_t>& outputs,
                                                       std::size_t state_bytes) {
  return repeat_in_simulator(std::move(test_case), outputs, state_bytes);
}

std::unique_ptr<BuiltKernel> SimulatorMachine::build(const std::string& text,
                                                     const BuildSettings& settings,
                                                     const std::string& kernel,
                                                     const std::string& source) {
  wire::Build build{.name = source,
                    .text = text,
                    .definitions = settings.definitions,
                    .include_directories = {},
                    .options = settings.build_options,
                    .cl_std = settings.cl_std,
                    .kernel = kernel,
                    .language = std::string(model::row_of(settings.language).word)};
  for (const std::filesystem::path& folder : settings.include_dirs)
    build.include_directories.push_back(folder.string());
  return std::make_unique<ServedKernel>(process_, std::move(build));
}

MachineKind simulator_kind() {
  return {.name = "simulator",
          .orders = true,
          .checks = true,
          .interleavings = true,
          .stands_in = true,
          .cuda = true,
          .open = [](const MachineRequest& request) -> std::unique_ptr<Machine> {
            return std::make_unique<SimulatorMachine>(find_simulator(request.simulator),
                                                      request.simulation);
          },
          .list =
              [](const MachineRequest& request) {
                return std::string(
                    has_simulator(request.simulator)
                        ? "simulator: GpuTestCheck's own, which needs no OpenCL platform\n"
                        : "");
              }};
}

} // namespace gputest::runtime
