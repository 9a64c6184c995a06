// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/simulator.h"

#include "layer/opencl/implementation.h"
#include "layer/opencl/whole_memory.h"
#include "model/checks/checks.h"
#include "runtime/cases/argument.h"
#include "runtime/machine/checked_launch.h"
#include "runtime/machine/device_macros.h"
#include "runtime/machine/simulator/process.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace gputest::layer {
namespace {

runtime::LaunchArgument argument_of(const GivenArgument& given) {
  runtime::LaunchArgument argument;
  argument.kind = given.kind;
  argument.name = given.name;
  argument.writable = argument.read_back = given.is_written;
  argument.image = given.image;
  argument.sampler = given.sampler;
  switch (given.kind) {
  case GivenArgument::Kind::Value:
    argument.bytes = given.bytes;
    break;
  case GivenArgument::Kind::Local:
    argument.local_size = given.size;
    break;
  case GivenArgument::Kind::Buffer:
    argument.is_null = !given.has_memory();
    argument.unwritten = given.unwritten;
    argument.keeps_packets = given.keeps_packets;
    if (cl_mem_flags flags = 0; given.memory && implementation().clGetMemObjectInfo(
                                                    given.memory, CL_MEM_FLAGS, sizeof flags,
                                                    &flags, nullptr) == CL_SUCCESS) {
      argument.read_only = (flags & CL_MEM_READ_ONLY) != 0;
      argument.write_only = (flags & CL_MEM_WRITE_ONLY) != 0;
    }
    break;
  case GivenArgument::Kind::Image:
  case GivenArgument::Kind::Sampler:
    break;
  }
  if (given.has_memory())
    argument.bytes.resize(given.size);
  return argument;
}

bool has(const runtime::Simulation& simulation, std::string_view check) {
  return std::ranges::find(simulation.checks, check) != simulation.checks.end();
}

bool is_race(const model::Finding& finding) {
  return std::ranges::find(model::find_check("races")->kinds, finding.kind,
                           &model::KindOfFinding::name) != model::find_check("races")->kinds.end();
}

} // namespace

Simulator::Simulator(const runtime::SimulatedProgram& settings, bool checks, RunLog& log)
    : checks_(checks), judges_host_(has(settings.simulation, "host")), log_(log),
      machine_(settings.simulator, settings.simulation),
      usual_{settings.simulation.groups, settings.simulation.items} {
  if (!judges_host_)
    return;
  runtime::Simulation& simulation = *machine_.simulation();
  simulation.accesses = true; // which the check of races keeps
  keeps_races_ = has(simulation, "races") || has(simulation, "races_in_step");
  if (!keeps_races_)
    simulation.checks.emplace_back("races");
}

std::vector<AccessedMemory> Simulator::take_accessed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(accessed_[std::this_thread::get_id()], {});
}

std::vector<runtime::HostPlace> Simulator::locate(const process::CodePlace& place) {
  const std::lock_guard lock(mutex_);
  return machine_.locate(place.file, place.address);
}

void Simulator::keep_accessed(const std::vector<GivenArgument>& given,
                              const runtime::LaunchOutcome& outcome) {
  std::map<std::size_t, AccessedMemory> by_argument;
  for (const simulator::wire::AccessedBytes& bytes : outcome.accessed)
    if (bytes.argument < given.size()) { // or a hidden one
      AccessedMemory& memory = by_argument[bytes.argument];
      memory.memory = given[bytes.argument].memory;
      memory.bytes.push_back(bytes);
    }
  if (by_argument.empty()) // too many
    for (const GivenArgument& argument : given)
      if (argument.is_written && argument.memory)
        by_argument[by_argument.size()].memory = argument.memory;
  const std::lock_guard lock(mutex_);
  for (auto& [argument, memory] : by_argument)
    accessed_[std::this_thread::get_id()].push_back(std::move(memory));
}

std::vector<model::DeviceMacro> Simulator::macros(const std::vector<model::DeviceMacro>& assumed,
                                                  const runtime::BuildSettings& build) {
  const std::lock_guard lock(mutex_);
  return runtime::probe_macros(machine_, assumed, build);
}

std::unique_ptr<runtime::BuiltKernel> Simulator::build(const std::string& text,
                                                       const runtime::BuildSettings& settings,
                                                       const std::string& kernel,
                                                       const std::string& source) {
  const std::lock_guard lock(mutex_);
  return machine_.build(text, settings, kernel, source);
}

runtime::LaunchOutcome Simulator::run(runtime::BuiltKernel& kernel, const Launch& launch,
                                      std::vector<runtime::LaunchArgument>& arguments,
                                      runtime::Bytes& state,
                                      const std::optional<LaunchOrder>& order) {
  const std::lock_guard lock(mutex_);
  const LaunchOrder& used = order ? *order : usual_;
  machine_.simulation()->groups = used.groups;
  machine_.simulation()->items = used.items;
  return checks_
             ? runtime::checked_launch(machine_, kernel, launch, arguments, model::Language::OpenCL)
             : kernel.launch(launch, arguments, state);
}

void Simulator::record(const Launch& launch, const runtime::LaunchOutcome& outcome,
                       const Name& name) {
  runtime::SimulatedEvent event{.program = name.program,
                                .kernel = name.kernel,
                                .launch = name.number,
                                .sizes = runtime::sizes_of(launch),
                                .seconds = outcome.seconds};
  const std::lock_guard lock(mutex_);
  for (const model::Finding& finding : outcome.findings) {
    if (!keeps_races_ && is_race(finding))
      continue;
    const auto [known, is_new] = known_.try_emplace(
        fmt::format("{} {} {}", name.kernel, finding.kind, pair_of(finding)), known_.size());
    event.findings.push_back(
        {known->second, finding.count, is_new ? std::optional(finding) : std::nullopt});
  }
  log_.write(event);
}

cl_int Simulator::launch(const LaunchCall& call, std::span<const Launch> launches,
                         runtime::BuiltKernel& kernel, const std::vector<GivenArgument>& given,
                         runtime::Bytes& state, const Name& name,
                         const std::optional<LaunchOrder>& order) {
  std::vector<runtime::LaunchArgument> arguments;
  std::ranges::transform(given, std::back_inserter(arguments), argument_of);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].has_memory())
      read_whole(call.queue, given[i], arguments[i].bytes);
  for (const Launch& launch : launches) {
    const runtime::LaunchOutcome outcome = run(kernel, launch, arguments, state, order);
    record(launch, outcome, name);
    if (judges_host_)
      keep_accessed(given, outcome);
    if (!runtime::ended_well(outcome.findings))
      return CL_OUT_OF_RESOURCES;
  }
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].has_memory() && given[i].is_written)
      write_whole(call.queue, given[i], arguments[i].bytes);
  return call.event
             ? implementation().clEnqueueMarkerWithWaitList(call.queue, 0, nullptr, call.event)
             : CL_SUCCESS;
}

Launch launch_for_simulator(Launch launch, const model::KernelInterface& kernel,
                            std::size_t most_items) {
  const auto refuse = [](const char* reason) { throw std::runtime_error(reason); };
  if (launch.dimensions < 1 || launch.dimensions > 3)
    refuse("it has no, or too many, dimensions");
  const auto& required = kernel.required_work_group_size;
  if (launch.local_size[0] == 0 && required)
    launch.local_size = *required;
  if (required && launch.local_size != *required)
    refuse("it has another local size than the kernel requires");
  std::size_t items = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (launch.global_size[i] == 0)
      refuse("a global size is 0");
    if (launch.local_size[0] == 0)
      continue; // the simulator chooses
    if (launch.local_size[i] == 0 || launch.global_size[i] % launch.local_size[i] != 0)
      refuse("its work-groups are not all of one size");
    items *= launch.local_size[i];
  }
  if (items > most_items)
    refuse("its work-groups have more work-items than the device allows");
  return launch;
}

} // namespace gputest::layer
