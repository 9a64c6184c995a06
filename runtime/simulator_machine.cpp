#include "runtime/simulator_machine.h"

#include "runtime/kernel_memory.h"
#include "runtime/simulator_process.h"
#include "simulator/protocol.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {

// A process that a kernel has harmed is replaced by a new one, which has to build again.
struct SimulatorMachine::Process {
  std::filesystem::path program;
  Simulation simulation;
  std::optional<SimulatorProcess> process{};
  unsigned generation = 0; // of the process; 0: none yet

  SimulatorProcess& get() {
    if (!process) {
      process.emplace(program);
      ++generation;
    }
    return *process;
  }
};

namespace {

using Process = SimulatorMachine::Process;

// Devices choose as they like; so does this one, the same every time.
std::array<std::size_t, 3> local_size_of(const Launch& launch) {
  if (has_local_size(launch))
    return launch.local_size;
  constexpr std::size_t kMost = 64;
  std::size_t width = std::min(kMost, launch.global_size[0]);
  while (launch.global_size[0] % width != 0)
    --width;
  return {width, 1, 1};
}

// What lies in the shared memory, and where.
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
};

Json argument_json(const LaunchArgument& argument, const Placed& place) {
  using Kind = LaunchArgument::Kind;
  Json json{{"name", argument.name}};
  switch (argument.kind) {
  case Kind::Value:
    json.update({{"kind", "value"}, {"offset", place.offset}, {"size", place.size}});
    break;
  case Kind::Buffer:
    json.update({{"kind", "buffer"}, {"offset", place.offset}, {"size", place.size}});
    break;
  case Kind::Local:
    json.update({{"kind", "local"}, {"size", argument.local_size}});
    break;
  case Kind::Image:
    json.update({{"kind", "image"},
                 {"offset", place.offset},
                 {"size", place.size},
                 {"type", argument.image->type},
                 {"width", argument.image->width},
                 {"height", argument.image->height},
                 {"depth", argument.image->depth},
                 {"channel_order", argument.image->format.image_channel_order},
                 {"channel_type", argument.image->format.image_channel_data_type}});
    break;
  case Kind::Sampler:
    json.update({{"kind", "sampler"},
                 {"normalized", argument.sampler.normalized_coordinates},
                 {"addressing", argument.sampler.addressing_mode},
                 {"filter", argument.sampler.filter_mode}});
    break;
  }
  return json;
}

class SimulatedKernel : public BuiltKernel {
public:
  SimulatedKernel(std::shared_ptr<Process> process, Json build, std::string kernel)
      : process_(std::move(process)), build_(std::move(build)), kernel_(std::move(kernel)) {
    build_again();
  }

  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                       Bytes& state) override {
    SimulatorProcess& process = process_->get();
    if (generation_ != process_->generation)
      build_again();
    Layout layout;
    std::vector<Placed> places(arguments.size() + 1);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      places[i] = {layout.add(arguments[i].bytes.size()), arguments[i].bytes.size()};
    places.back() = {layout.add(state.size()), state.size()};
    const std::span<std::byte> memory = process.share(layout.end());
    Json list = Json::array();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (places[i].size != 0)
        std::memcpy(memory.data() + places[i].offset, arguments[i].bytes.data(), places[i].size);
      list.push_back(argument_json(arguments[i], places[i]));
    }
    if (!state.empty()) {
      std::memcpy(memory.data() + places.back().offset, state.data(), state.size());
      LaunchArgument trailing;
      trailing.kind = LaunchArgument::Kind::Buffer;
      list.push_back(argument_json(trailing, places.back()));
    }
    const Simulation& simulation = process_->simulation;
    const Json reply = process.ask(
        {{"do", "launch"},
         {"program", program_},
         {"kernel", kernel_},
         {"dimensions", launch.dimensions},
         {"global_size", launch.global_size},
         {"local_size", local_size_of(launch)},
         {"global_offset", launch.global_offset},
         {"memory", layout.end()},
         {"arguments", list},
         {"order",
          {{"groups", simulation.groups}, {"items", simulation.items}, {"seed", simulation.seed}}},
         {"checks", simulation.checks},
         {"limit", simulation.limit}});
    LaunchOutcome outcome;
    outcome.seconds = reply.at("seconds").get<double>();
    fmt::print("{}", reply.at("output").get<std::string>());
    for (const Json& finding : reply.at("findings")) {
      outcome.findings.push_back(finding_from_json(finding));
      outcome.findings.back().fatal = reply.value("fatal", false);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].read_back && places[i].size != 0)
        std::memcpy(arguments[i].bytes.data(), memory.data() + places[i].offset, places[i].size);
    if (!state.empty())
      std::memcpy(state.data(), memory.data() + places.back().offset, state.size());
    if (reply.value("fatal", false))
      process_->process.reset();
    return outcome;
  }

private:
  void build_again() {
    program_ = process_->get().ask(build_).at("program").get<unsigned>();
    generation_ = process_->generation;
  }

  std::shared_ptr<Process> process_;
  Json build_;
  std::string kernel_;
  unsigned program_ = 0, generation_ = 0;
};

} // namespace

SimulatorMachine::SimulatorMachine(std::filesystem::path program, Simulation simulation)
    : process_(std::make_shared<Process>()) {
  process_->program = std::move(program);
  process_->simulation = std::move(simulation);
}

SimulatorMachine::~SimulatorMachine() = default;

void SimulatorMachine::set_limit(double seconds) {
  process_->simulation.limit = seconds;
}

std::string SimulatorMachine::name() const {
  return "simulator";
}

std::unique_ptr<BuiltKernel> SimulatorMachine::build(const std::string& text,
                                                     const BuildSettings& settings,
                                                     const std::string& kernel,
                                                     const std::string& source) {
  Json folders = Json::array();
  for (const std::filesystem::path& folder : settings.include_dirs)
    folders.push_back(folder.string());
  return std::make_unique<SimulatedKernel>(process_,
                                           Json{{"do", "build"},
                                                {"name", source},
                                                {"text", text},
                                                {"kernel", kernel},
                                                {"definitions", settings.definitions},
                                                {"include_directories", folders},
                                                {"options", settings.build_options},
                                                {"cl_std", settings.cl_std}},
                                           kernel);
}

} // namespace gputest::runtime
