#include "runtime/machine/simulator/machine.h"

#include "model/files.h"
#include "runtime/cases/guard_zone.h"
#include "runtime/machine/block_size.h"
#include "runtime/machine/simulator/process.h"
#include "runtime/machine/simulator/repeated_case.h"
#include "simulator/service/protocol.h"
#include "store/store.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {

// The simulator's process. If a kernel has harmed it, a new one replaces it, which has to build
// again.
struct SimulatorMachine::Process {
  std::filesystem::path program;
  Simulation simulation;
  std::optional<SimulatorProcess> process{};
  unsigned generation = 0; // of the process; 0: none yet

  SimulatorProcess& get() {
    if (!process || !process->is_ours()) {
      process.emplace(program);
      ++generation;
    }
    return *process;
  }

  // Calls `attempt`, and calls it again with a new process if it ends this one.
  template <typename Attempt> auto with_another(const Attempt& attempt) {
    try {
      return attempt();
    } catch (const MachineEnded&) {
      process.reset();
    }
    try {
      return attempt();
    } catch (const MachineEnded&) {
      process.reset();
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

Json argument_json(const LaunchArgument& argument, const Placed& place) {
  using Kind = LaunchArgument::Kind;
  Json json{{"name", argument.name}};
  switch (argument.kind) {
  case Kind::Value:
    json.update({{"kind", "value"}, {"offset", place.offset}, {"size", place.size}});
    break;
  case Kind::Buffer:
    json.update({{"kind", "buffer"},
                 {"offset", place.offset},
                 {"size", place.size},
                 {"null", argument.is_null},
                 {"access", argument.read_only    ? "read_only"
                            : argument.write_only ? "write_only"
                                                  : "read_write"}});
    break;
  case Kind::Local:
    json.update({{"kind", "local"}, {"size", argument.local_size}});
    break;
  case Kind::Image: {
    const ImageLayout& image = argument.image.value();
    json.update({{"kind", "image"},
                 {"offset", place.offset},
                 {"size", place.size},
                 {"type", image.type},
                 {"width", image.width},
                 {"height", image.height},
                 {"depth", image.depth},
                 {"channel_order", image.format.image_channel_order},
                 {"channel_type", image.format.image_channel_data_type}});
    break;
  }
  case Kind::Sampler:
    json.update({{"kind", "sampler"},
                 {"normalized", argument.sampler.normalized_coordinates},
                 {"addressing", argument.sampler.addressing_mode},
                 {"filter", argument.sampler.filter_mode}});
    break;
  }
  return json;
}

std::vector<model::Finding> findings_of(const Json& reply) {
  std::vector<model::Finding> findings;
  for (const Json& finding : reply.at("findings"))
    findings.push_back(model::finding_from_json(finding));
  return findings;
}

Exploration exploration_of(const Json& reply) {
  Exploration exploration;
  reply.at("too_large").get_to(exploration.too_large);
  reply.at("end").get_to(exploration.end);
  reply.at("stopped_at").get_to(exploration.stopped_at);
  reply.at("interleavings").get_to(exploration.interleavings);
  reply.at("outcomes").get_to(exploration.outcomes);
  reply.at("seconds").get_to(exploration.seconds);
  for (const Json& turns : reply.at("schedules"))
    exploration.schedules.push_back(model::turns_from_json(turns));
  for (const Json& dependence : reply.at("dependences"))
    exploration.dependences.push_back(
        {model::finding_from_json(dependence), dependence.at("before"), dependence.at("after")});
  exploration.findings = findings_of(reply);
  return exploration;
}

// Returns the signature. Compiled code has only names and sizes.
Signature signature_of(const Json& built) {
  Signature signature;
  for (const Json& parameter : built.at("parameters")) {
    const bool pointer = parameter.at("pointer").get<bool>();
    signature.declared.push_back(
        {.name = parameter.at("name").get<std::string>(),
         .type = {},
         .address_space = pointer ? model::AddressSpace::Global : model::AddressSpace::Private,
         .pointer = pointer,
         .size = parameter.at("size").get<std::size_t>()});
  }
  signature.arguments = signature.declared.size();
  return signature;
}

class ServedKernel : public BuiltKernel {
public:
  ServedKernel(std::shared_ptr<Process> process, Json build, std::string kernel)
      : process_(std::move(process)), build_(std::move(build)), kernel_(std::move(kernel)) {
    build_again();
  }

  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                       Bytes& state) override {
    return process_->with_another([&] { return launch_once(launch, arguments, state); });
  }

  Exploration explore(const Launch& launch, std::vector<LaunchArgument>& arguments,
                      const std::vector<std::size_t>& outputs,
                      const ExplorationBounds& bounds) override {
    const Bytes none;
    const Shared shared = share(launch, arguments, none, outputs);
    const Json reply = ask(shared.request, {{"do", "explore"},
                                            {"bounds",
                                             {{"interleavings", bounds.interleavings},
                                              {"seconds", bounds.seconds},
                                              {"more", bounds.more}}}});
    Exploration exploration = exploration_of(reply);
    end_if_fatal(reply);
    return exploration;
  }

  Signature signature() const override { return signature_; }

private:
  struct Shared {
    std::vector<Placed> places; // of the arguments, and of the state
    std::span<std::byte> memory;
    Json request; // without the action
  };

  LaunchOutcome launch_once(const Launch& launch, std::vector<LaunchArgument>& arguments,
                            Bytes& state) {
    const Simulation& simulation = process_->simulation;
    Json more{{"order",
               {{"groups", model::to_json(simulation.groups)},
                {"items", model::to_json(simulation.items)}}},
              {"checks", simulation.checks},
              {"trial", simulation.trial}};
    if (simulation.turns)
      more = {{"turns", model::to_json(*simulation.turns)}};
    more["do"] = "launch";
    const Shared shared = share(launch, arguments, state, {});
    const Json reply = ask(shared.request, more);
    LaunchOutcome outcome;
    outcome.seconds = reply.at("seconds").get<double>();
    fmt::print("{}", reply.at("output").get<std::string>());
    outcome.findings = findings_of(reply);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].read_back && shared.places[i].size != 0)
        std::memcpy(arguments[i].bytes.data(), shared.memory.data() + shared.places[i].offset,
                    shared.places[i].size);
      if (arguments[i].kind != LaunchArgument::Kind::Buffer || reply.value("fatal", false))
        continue;
      const auto padding = shared.places[i].padding(shared.memory);
      if (std::string problem = check_guard_zone(padding, arguments[i], kernel_); !problem.empty())
        outcome.out_of_bounds.push_back(std::move(problem));
    }
    if (!state.empty())
      std::memcpy(state.data(), shared.memory.data() + shared.places.back().offset, state.size());
    end_if_fatal(reply);
    return outcome;
  }

  Shared share(const Launch& launch, const std::vector<LaunchArgument>& arguments,
               const Bytes& state, const std::vector<std::size_t>& outputs) {
    SimulatorProcess& process = process_->get();
    if (generation_ != process_->generation)
      build_again();
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
    Json list = Json::array();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      fill(shared.places[i], arguments[i].bytes);
      if (arguments[i].kind == LaunchArgument::Kind::Buffer) {
        const auto padding = shared.places[i].padding(shared.memory);
        std::copy_n(zone_.begin(), padding.size(), padding.begin());
      }
      list.push_back(argument_json(arguments[i], shared.places[i]));
      if (std::ranges::find(outputs, i) != outputs.end())
        list.back()["output"] = true;
    }
    if (!state.empty()) {
      fill(shared.places.back(), state);
      LaunchArgument trailing;
      trailing.kind = LaunchArgument::Kind::Buffer;
      list.push_back(argument_json(trailing, shared.places.back()));
    }
    shared.request = {{"program", program_},
                      {"kernel", kernel_},
                      {"dimensions", launch.dimensions},
                      {"global_size", launch.global_size},
                      {"local_size", chosen_block(launch)},
                      {"global_offset", launch.global_offset},
                      {"memory", layout.end()},
                      {"arguments", list},
                      {"limit", process_->simulation.limit},
                      {"shared_bytes", launch.shared_memory},
                      {"local_fill", process_->simulation.local_fill}};
    return shared;
  }

  Json ask(Json request, const Json& more) {
    request.update(more);
    return process_->get().ask(request);
  }

  void end_if_fatal(const Json& reply) {
    if (reply.value("fatal", false))
      process_->process.reset();
  }

  void build_again() {
    try {
      process_->with_another([&] {
        const Json reply = process_->get().ask(build_);
        program_ = reply.at("program").get<unsigned>();
        signature_ = signature_of(reply);
        generation_ = process_->generation;
      });
    } catch (const MachineEnded& error) {
      throw BuildError("the kernel cannot be built for the simulator", error.what());
    }
  }

  std::shared_ptr<Process> process_;
  Json build_;
  std::string kernel_;
  Signature signature_;
  Bytes zone_ = guard_zone();
  unsigned program_ = 0, generation_ = 0;
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

std::string SimulatorMachine::name() const {
  return "simulator";
}

MachineIdentity SimulatorMachine::identity() const {
  return {.name = name(),
          .version = store::content_hash(model::read_text(process_->program).value_or("")),
          .driver = {},
          .platform = {}};
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
  Json folders = Json::array();
  for (const std::filesystem::path& folder : settings.include_dirs)
    folders.push_back(folder.string());
  return std::make_unique<ServedKernel>(process_,
                                        Json{{"do", "build"},
                                             {"name", source},
                                             {"text", text},
                                             {"kernel", kernel},
                                             {"definitions", settings.definitions},
                                             {"include_directories", folders},
                                             {"options", settings.build_options},
                                             {"cl_std", settings.cl_std},
                                             {"language", model::row_of(settings.language).word}},
                                        kernel);
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
