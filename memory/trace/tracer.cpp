// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/tracer.h"

#include "ir/builtins.h"
#include "ir/error.h"
#include "ir/kernels/kernel_module.h"
#include "ir/kernels/lower.h"
#include "ir/optimise.h"
#include "ir/placed.h"
#include "ir/words.h"
#include "memory/trace/instrument.h"
#include "memory/trace/recorder.h"
#include "process/child.h"
#include "process/memory_file.h"
#include "simulator/execute/coroutine.h"
#include "simulator/execute/groups.h"
#include "simulator/memory/guard.h"
#include "simulator/natives/natives.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace gputest::memory {
namespace {

using ir::InputError;
using ir::KernelShape;
using ir::Object;
using ir::Parameter;
using ir::SimulatorFailure;
using process::MemoryFile;

simulator::LaunchRequest request_of(const TracedLaunch& launch, const KernelShape& shape,
                                    std::size_t& memory_size) {
  simulator::LaunchRequest request{.sizes = launch.sizes, .arguments = {}, .order = {}};
  request.limit = launch.limit;
  if (launch.device)
    for (const auto& [name, address] : launch.device->variables)
      request.placed_variables[name] = reinterpret_cast<std::byte*>(address);
  memory_size = simulator::place_arguments(launch.arguments, shape, request);
  return request;
}

// The answer of the kernel's process: a problem, or the warps of the trace if there is none.
// Sizes are numbers of elements: of the text, groups, warps, code and borders.
using Sizes = std::array<std::uint64_t, 5>;

template <typename Container>
void write_all(MemoryFile& file, std::size_t& at, const Container& all) {
  const auto bytes = std::as_bytes(std::span(all));
  file.write_at(at, bytes);
  at += bytes.size();
}

template <typename Container>
void read_all(const MemoryFile& file, std::size_t& at, Container& all, std::uint64_t size) {
  all.resize(size);
  const auto bytes = std::as_writable_bytes(std::span(all));
  file.read_at(at, bytes);
  at += bytes.size();
}

void write_answer(MemoryFile& file, const std::string& problem, const LaunchTrace& trace) {
  const Sizes sizes{problem.size(), trace.groups.size(), trace.warps.size(), trace.code.size(),
                    trace.at_border.size()};
  std::size_t at = 0;
  write_all(file, at, sizes);
  write_all(file, at, problem);
  write_all(file, at, trace.groups);
  write_all(file, at, trace.warps);
  write_all(file, at, trace.code);
  write_all(file, at, trace.at_border);
}

std::string read_answer(const MemoryFile& file, LaunchTrace& trace) {
  Sizes sizes{};
  std::string problem;
  file.read_at(0, std::as_writable_bytes(std::span(sizes)));
  std::size_t at = sizeof sizes;
  read_all(file, at, problem, sizes[0]);
  read_all(file, at, trace.groups, sizes[1]);
  read_all(file, at, trace.warps, sizes[2]);
  read_all(file, at, trace.code, sizes[3]);
  read_all(file, at, trace.at_border, sizes[4]);
  return problem;
}

// Returns compiler-style errors, because the kernel is at fault.
std::string text_of(const std::vector<simulator::Finding>& findings) {
  std::string text;
  for (const simulator::Finding& finding : findings)
    text += fmt::format("{}{}: error: {}", text.empty() ? "" : "\n", place_text(finding.site),
                        finding.message);
  return text;
}

// In words of the simulator's own finding, which has it where pages end.
simulator::Finding finding_of(const Recorder::Outside& outside, const LaunchTrace& trace,
                              const KernelShape& shape) {
  const auto& [reference, place] = outside.access;
  const Reference& by = trace.references[reference];
  const MemoryObject& object = trace.objects[place.object];
  const auto offset = static_cast<std::int64_t>(place.offset);
  const std::string where =
      offset < 0
          ? fmt::format("{} byte{} before '{}'", -offset, offset == -1 ? "" : "s", object.name)
          : fmt::format("byte {} of '{}', which has {}", offset, object.name, object.size);
  const std::string message =
      fmt::format("a work-item of group ({}, {}, {}) {} {}", outside.group[0], outside.group[1],
                  outside.group[2], by.kind == Reference::Kind::Read ? "reads" : "writes", where);
  return {.kind = "out_of_bounds",
          .site = {.file = by.file, .line = by.line, .column = by.column},
          .message = ir::in_words_of(shape.language, message)};
}

} // namespace

struct Tracer::Parts {
  KernelShape shape;
  InstrumentedItem item;
  std::unique_ptr<simulator::LoadedCode> code;

  // What a launch needs in the process that makes it.
  struct Prepared {
    LaunchTrace trace; // without warps
    std::vector<PlacedMemory> others{};
  };

  void run(const simulator::LaunchRequest& request, const TracedLaunch& launch, MemoryFile& memory,
           Prepared& prepared) const;
  process::Ended run_apart(const simulator::LaunchRequest& request, const TracedLaunch& launch,
                           MemoryFile& memory, const DevicePages* device, MemoryFile& answer,
                           Prepared& prepared) const;
  Prepared prepared(const TracedLaunch& launch, const WarpShape& warps) const;
  static std::optional<std::uint64_t> address_of(const Object& object, const TracedLaunch& launch);
  void check(const TracedLaunch& launch) const;
};

void Tracer::Parts::check(const TracedLaunch& launch) const {
  if (launch.arguments.size() != shape.parameters.size())
    throw InputError(fmt::format("kernel '{}' has {} arguments, and {} are given", shape.name,
                                 shape.parameters.size(), launch.arguments.size()));
  for (const std::size_t size : launch.sizes.local)
    if (size == 0)
      throw InputError("a local size is 0");
  double items = 1; // a product of sizes can be too large for 64 bits
  for (const std::size_t size : launch.sizes.global)
    items *= static_cast<double>(size);
  if (items > static_cast<double>(kMostWorkItems))
    throw InputError(fmt::format("error: the case has {:.0f} work-items, and at most {} are "
                                 "modelled; give a smaller case",
                                 items, kMostWorkItems));
}

Tracer::Tracer(const ir::Source& source, const std::string& kernel)
    : parts_(std::make_unique<Parts>()) {
  std::string object;
  simulator::on_large_stack([&] {
    llvm::LLVMContext context;
    ir::CompiledSource compiled = ir::compile_for(kernel, source, context);
    llvm::Module& module = *compiled.module;
    ir::link_builtins(module, source.cl_std, false);
    KernelShape& shape = parts_->shape;
    shape = ir::lower(module, kernel, ir::Keep::Nothing);
    llvm::Function& item = *module.getFunction(ir::kItemFunction);
    ir::simplify_lightly(item);
    ir::place_local_variables(item, shape);
    parts_->item = instrument(item, shape);
    for (Reference& reference : parts_->item.references)
      if (reference.file.starts_with(source.told.first)) // code that was compiled elsewhere
        reference.file.replace(0, source.told.first.size(), source.told.second);
    if (shape.has_barriers)
      simulator::make_coroutine(module, shape);
    simulator::link_groups(module, shape, {.definitions = "#define GPUTEST_CHECKS 1\n"});
    object = ir::machine_code(module, ir::Effort::Quick); // most of its time is
                                                          // recording
  });
  std::vector<simulator::NativeSymbol> symbols = simulator::native_symbols();
  std::ranges::copy(recorder_symbols(), std::back_inserter(symbols));
  parts_->code = std::make_unique<simulator::LoadedCode>(object, symbols);
}

Tracer::Tracer(Tracer&&) noexcept = default;
Tracer::~Tracer() = default;

const KernelShape& Tracer::shape() const {
  return parts_->shape;
}

const StaticKernel& Tracer::static_kernel() const {
  return parts_->item.kernel;
}

// Returns nothing if the object is not in the memory of a device.
std::optional<std::uint64_t> Tracer::Parts::address_of(const Object& object,
                                                       const TracedLaunch& launch) {
  if (!launch.device)
    return std::nullopt;
  if (object.kind == Object::Kind::Argument) {
    const std::span<std::byte> placed = launch.arguments.at(object.parameter).placed;
    return placed.data() ? std::optional(reinterpret_cast<std::uint64_t>(placed.data()))
                         : std::nullopt;
  }
  const auto variable = launch.device->variables.find(object.name);
  return object.kind == Object::Kind::ProgramVariable && variable != launch.device->variables.end()
             ? std::optional(variable->second)
             : std::nullopt;
}

Tracer::Parts::Prepared Tracer::Parts::prepared(const TracedLaunch& launch,
                                                const WarpShape& warps) const {
  LaunchTrace trace;
  trace.kernel = shape.name;
  trace.warp_size = warps.size;
  trace.unrolled = warps.unrolled;
  trace.division = warps.division;
  trace.references = item.references;
  trace.before = launch.before;
  std::vector<std::optional<std::uint64_t>> begins;
  for (const int index : item.objects) {
    const Object& object = shape.objects[static_cast<unsigned>(index)];
    MemoryObject memory{.name = object.name, .size = object.size};
    memory.local = object.kind == Object::Kind::LocalVariable;
    if (object.kind == Object::Kind::Argument) {
      const GivenArgument& given = launch.arguments.at(object.parameter);
      memory.local = given.kind == Parameter::Kind::Local;
      memory.size = memory.local ? given.local_bytes : given.size();
    }
    memory.own = object.kind == Object::Kind::PrivateVariable;
    if (const auto known = item.indexed.find(index); known != item.indexed.end())
      memory.indexed = known->second;
    memory.constant = item.constants.contains(index);
    memory.address = address_of(object, launch);
    begins.push_back(memory.address);
    const std::optional<PrivateArrays>& limits = warps.private_arrays;
    memory.in_registers = memory.own && (!limits || memory.size <= limits->most(memory.indexed));
    trace.objects.push_back(std::move(memory));
  }
  for (const unsigned parameter : item.images) {
    const GivenArgument& given = launch.arguments.at(parameter);
    simulator::Image image = given.image;
    simulator::complete(image, given.size(), shape.parameters[parameter].name);
    const ImageShape texels{.width = image.width,
                            .height = image.height,
                            .depth = image.depth,
                            .texel = simulator::pixel_size(*image.order, *image.format)};
    trace.objects.push_back(
        {.name = shape.parameters[parameter].name, .size = texels.size(), .image = texels});
    begins.emplace_back();
  }
  for (Reference& reference : trace.references) {
    const MemoryObject* const object =
        reference.object < 0 ? nullptr : &trace.objects[static_cast<unsigned>(reference.object)];
    reference.in_registers = object && object->in_registers;
    if (object && object->image)
      reference.size = static_cast<std::uint32_t>(object->image->texel);
  }
  Prepared prepared{.trace = std::move(trace)};
  if (launch.device)
    prepared.others = add_objects(*launch.device, begins, prepared.trace);
  return prepared;
}

void Tracer::Parts::run(const simulator::LaunchRequest& request, const TracedLaunch& launch,
                        MemoryFile& memory, Prepared& prepared) const {
  LaunchTrace& trace = prepared.trace;
  std::vector<std::optional<std::uint32_t>> placed(shape.objects.size());
  for (std::size_t i = 0; i < item.objects.size(); ++i)
    if (shape.objects[static_cast<unsigned>(item.objects[i])].kind != Object::Kind::PrivateVariable)
      placed[static_cast<unsigned>(item.objects[i])] = static_cast<std::uint32_t>(i);
  Recorder recorder(item.shape, placed, prepared.others, launch.most_bytes, trace);
  simulator::ProgramVariables variables;
  const simulator::LaunchResult result =
      simulator::launch(*code, shape, request, memory.descriptor(), variables);
  if (!result.findings.empty())
    throw InputError(text_of(result.findings));
  recorder.end();
  if (recorder.outside())
    throw InputError(text_of({finding_of(*recorder.outside(), trace, shape)}));
  if (recorder.full())
    throw InputError(fmt::format("error: what '{}' does to memory in this case takes more than {} "
                                 "MiB to record; give a smaller case",
                                 shape.name, launch.most_bytes >> 20));
}

// Runs the kernel in a process of its own, and returns how that ended.
process::Ended Tracer::Parts::run_apart(const simulator::LaunchRequest& request,
                                        const TracedLaunch& launch, MemoryFile& memory,
                                        const DevicePages* device, MemoryFile& answer,
                                        Prepared& prepared) const {
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    memory.write_at(request.arguments[i].offset, launch.arguments[i].bytes);
  return process::Child::fork([&] {
           std::string problem;
           simulator::on_large_stack([&] {
             try {
               if (device)
                 device->map();
               run(request, launch, memory, prepared);
             } catch (const InputError& error) {
               problem = error.what();
             }
           });
           write_answer(answer, problem, prepared.trace);
         })
      .wait();
}

StaticReport Tracer::classify(const TracedLaunch& launch, const Gpu& gpu) const {
  parts_->check(launch);
  StaticLaunch known{.sizes = launch.sizes,
                     .arguments = std::vector<std::byte>(parts_->shape.arguments_size)};
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Parameter& parameter = parts_->shape.parameters[i];
    const std::vector<std::byte>& bytes = launch.arguments[i].bytes;
    if (launch.arguments[i].kind == Parameter::Kind::Value)
      std::copy_n(bytes.begin(), std::min(bytes.size(), parameter.size),
                  known.arguments.begin() + static_cast<std::ptrdiff_t>(parameter.offset));
  }
  return memory::classify(parts_->item.kernel, gpu, parts_->prepared(launch, gpu.warps()).trace,
                          known);
}

LaunchTrace Tracer::trace(const TracedLaunch& launch, const WarpShape& warps,
                          std::vector<std::byte>* results) const {
  parts_->check(launch);
  std::size_t memory_size = 0;
  const simulator::LaunchRequest request = request_of(launch, parts_->shape, memory_size);
  Parts::Prepared prepared = parts_->prepared(launch, warps);
  LaunchTrace& trace = prepared.trace;
  MemoryFile memory("gputest-memory", memory_size);
  std::optional<DevicePages> device;
  MemoryFile answer("gputest-trace");
  process::Tries tries;
  process::Ended ended;
  do {
    answer.clear(0); // an ended process may have written a part
    if (launch.device)
      device.emplace(*launch.device);
    ended =
        parts_->run_apart(request, launch, memory, device ? &*device : nullptr, answer, prepared);
  } while (tries.again(ended, fmt::format("the process in which '{}' ran", parts_->shape.name)));
  if (!tries.given_up().empty())
    throw SimulatorFailure(tries.given_up());
  if (!ended.succeeded())
    throw InputError(fmt::format("error: the process in which '{}' ran was ended; gputest's checks "
                                 "tell more about it (--check)",
                                 parts_->shape.name));
  if (const std::string problem = read_answer(answer, trace); !problem.empty())
    throw InputError(problem);
  if (results) {
    results->clear();
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      if (launch.arguments[i].kind == Parameter::Kind::Buffer ||
          launch.arguments[i].kind == Parameter::Kind::Image) {
        const std::size_t begin = results->size();
        results->resize(begin + launch.arguments[i].bytes.size());
        memory.read_at(request.arguments[i].offset, std::span(*results).subspan(begin));
      }
    if (device)
      device->add_to(*results);
  }
  return std::move(trace);
}

} // namespace gputest::memory
