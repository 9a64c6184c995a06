// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/trace.h"

#include "ir/builtins.h"
#include "ir/error.h"
#include "ir/kernels/kernel_module.h"
#include "ir/kernels/lower.h"
#include "ir/optimise.h"
#include "ir/placed.h"
#include "process/memory_file.h"
#include "simulator/execute/coroutine.h"
#include "simulator/execute/groups.h"
#include "simulator/execute/steps.h"
#include "simulator/memory/guard.h"
#include "simulator/natives/natives.h"
#include "testgen/concolic/instrument.h"
#include "testgen/concolic/prepare.h"
#include "testgen/concolic/recorder.h"
#include "testgen/concolic/shadow.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gputest::testgen {
namespace {

using ir::Parameter;

simulator::LaunchRequest request_of(const Launch& launch) {
  simulator::LaunchRequest request{.sizes = launch.sizes, .arguments = {}, .order = {}};
  request.limit = launch.limit;
  request.steps = launch.steps;
  return request;
}

std::uint64_t number_at(const std::vector<std::byte>& bytes, std::uint64_t offset, unsigned size) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, size);
  return number;
}

void add_units(const SymbolicRange& range, const std::vector<Argument>& arguments,
               std::vector<Unit>& units) {
  const std::uint64_t end =
      std::min<std::uint64_t>(arguments.at(range.argument).bytes.size(), range.offset + range.size);
  Unit unit{.floating = range.floating,
            .fixed = range.fixed,
            .size = range.unit,
            .argument = range.argument,
            .offset = range.offset};
  for (; unit.offset + unit.size <= end; unit.offset += unit.size)
    units.push_back(unit);
  unit.size = 1;
  unit.floating = false;
  for (; unit.offset < end; ++unit.offset)
    units.push_back(unit);
}

void add_launch_units(unsigned dimensions, const TraceOptions& options, std::vector<Unit>& units) {
  std::vector<Unit::Kind> kinds{Unit::Kind::GlobalSize, Unit::Kind::LocalSize};
  if (options.offsets)
    kinds.push_back(Unit::Kind::GlobalOffset);
  for (const Unit::Kind kind : kinds)
    for (unsigned i = 0; i < dimensions; ++i)
      units.push_back({.kind = kind,
                       .fixed = !options.solve_launch_sizes ||
                                (options.keep_local_sizes && kind == Unit::Kind::LocalSize),
                       .size = 8,
                       .offset = i});
}

std::uint64_t value_of(const Unit& unit, const Launch& launch,
                       const std::vector<Argument>& arguments) {
  switch (unit.kind) {
  case Unit::Kind::GlobalSize:
    return launch.sizes.global[unit.offset];
  case Unit::Kind::LocalSize:
    return launch.sizes.local[unit.offset];
  case Unit::Kind::GlobalOffset:
    return launch.sizes.offset[unit.offset];
  default:
    return number_at(arguments[unit.argument].bytes, unit.offset, unit.size);
  }
}

// Before labels are cleared.
std::vector<TracedOutput> outputs_of(const Traced& traced, Recorder& recorder) {
  std::vector<TracedOutput> outputs;
  for (const Unit& unit : traced.units) {
    if (unit.kind != Unit::Kind::Argument ||
        traced.shape->parameters[unit.argument].kind != Parameter::Kind::Buffer ||
        unit.argument >= recorder.buffers().size() || !recorder.buffers()[unit.argument])
      continue;
    const std::vector<std::byte>& left = traced.left[unit.argument];
    outputs.push_back(
        {.argument = unit.argument,
         .offset = unit.offset,
         .size = unit.size,
         .floating = unit.floating,
         .label = recorder.load(shadow_of(recorder.buffers()[unit.argument] + unit.offset),
                                left.data() + unit.offset, unit.size),
         .value = number_at(left, unit.offset, unit.size)});
  }
  return outputs;
}

} // namespace

struct Tracer::Parts {
  std::shared_ptr<ir::KernelShape> shape = std::make_shared<ir::KernelShape>();
  std::shared_ptr<std::vector<TracedSite>> sites = std::make_shared<std::vector<TracedSite>>();
  std::vector<Chain> chains;
  std::map<std::uint32_t, std::set<std::uint32_t>> stops;
  std::vector<std::string> lost, function_names;
  std::shared_ptr<simulator::LoadedCode> code;
  std::shared_ptr<Functions> functions;
  Traceable what;
  std::shared_ptr<ShadowMemory> shadow = ShadowMemory::shared();
};

Tracer::Tracer(const ir::Source& source, const std::string& kernel, Traceable what)
    : parts_(std::make_unique<Parts>()) {
  parts_->what = what;
  std::string object;
  simulator::on_large_stack([&] {
    llvm::LLVMContext context;
    ir::CompiledSource compiled = ir::compile_for(kernel, source, context);
    llvm::Module& module = *compiled.module;
    ir::link_builtins(module, source.cl_std, false);
    ir::define_overflow(module); // as expressions say
    LibraryCalls library(module);
    ir::KernelShape& shape = *parts_->shape;
    shape = ir::lower(module, kernel, ir::Keep::Nothing);
    llvm::Function& item = *module.getFunction(ir::kItemFunction);
    prepare(item, shape);
    llvm::removeUnreachableBlocks(item); // of conditions that are the same for all inputs
    const simulator::StepCounter steps(item);
    Instrumented instrumented = instrument(item, library, what);
    steps.insert();
    *parts_->sites = std::move(instrumented.sites);
    parts_->chains = std::move(instrumented.chains);
    parts_->stops = std::move(instrumented.stops);
    parts_->lost = std::move(instrumented.lost);
    library.link_into(module);
    parts_->function_names = library.names();
    if (shape.has_barriers)
      simulator::make_coroutine(module, shape);
    simulator::link_groups(module, shape, {.definitions = "#define GPUTEST_LABELS 1\n"});
    object = ir::machine_code(module, ir::Effort::Quick); // mostly, it records
  });
  std::vector<simulator::NativeSymbol> symbols = simulator::native_symbols();
  for (const auto& more : {recorder_symbols(), simulator::step_symbols()})
    symbols.insert(symbols.end(), more.begin(), more.end());
  parts_->code = std::make_shared<simulator::LoadedCode>(object, symbols);
}

Tracer::Tracer(Tracer&&) noexcept = default;
Tracer::~Tracer() = default;

const ir::KernelShape& Tracer::shape() const {
  return *parts_->shape;
}
const std::vector<TracedSite>& Tracer::sites() const {
  return *parts_->sites;
}
const std::vector<std::string>& Tracer::lost() const {
  return parts_->lost;
}

Traced Tracer::trace(const Launch& launch, const std::vector<Argument>& arguments,
                     const TraceOptions& options) {
  if (options.launch_sizes && !parts_->what.launch_sizes)
    throw ir::InputError("sizes of the launch are to be inputs: make the Tracer for it");
  if (options.outputs && !parts_->what.outputs)
    throw ir::InputError("outputs are to have expressions: make the Tracer for it");
  Traced traced;
  traced.sites = parts_->sites;
  traced.shape = parts_->shape;
  traced.launch = launch;
  traced.arguments = arguments;
  for (const SymbolicRange& range :
       options.symbolic.empty() ? all_inputs(*parts_->shape, arguments) : options.symbolic)
    add_units(range, arguments, traced.units);
  if (options.launch_sizes)
    add_launch_units(launch.sizes.dimensions, options, traced.units);
  std::vector<std::uint8_t> widths;
  for (const Unit& unit : traced.units) {
    widths.push_back(static_cast<std::uint8_t>(8 * unit.size));
    traced.values.push_back(value_of(unit, launch, arguments));
  }

  simulator::LaunchRequest request = request_of(launch);
  const std::size_t size = simulator::place_arguments(arguments, *parts_->shape, request);
  process::MemoryFile memory("gputest-trace", size);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    memory.write_at(request.arguments[i].offset, std::as_bytes(std::span(arguments[i].bytes)));
  Recorder recorder(*parts_->shape, {*parts_->sites, parts_->chains, parts_->stops}, traced.units,
                    Table(widths, options.nodes),
                    {.events = options.events, .table_reads = options.table_reads});
  simulator::ProgramVariables variables;
  simulator::on_large_stack([&] {
    traced.result =
        simulator::launch(*parts_->code, *parts_->shape, request, memory.descriptor(), variables);
  });
  traced.late = traced.result.late;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto& left = traced.left.emplace_back(arguments[i].bytes.size());
    memory.read_at(request.arguments[i].offset, std::as_writable_bytes(std::span(left)));
  }
  if (options.outputs)
    traced.outputs = outputs_of(traced, recorder);
  parts_->shadow->clear();
  if (!parts_->functions && recorder.calls) {
    parts_->functions = std::make_shared<Functions>();
    parts_->functions->code = parts_->code;
    for (std::size_t i = 0; i < parts_->function_names.size(); ++i)
      parts_->functions->all.push_back(
          {parts_->function_names[i],
           reinterpret_cast<void (*)(const std::uint64_t*, std::uint64_t*)>(
               const_cast<void*>(recorder.calls[i]))});
  }
  traced.functions = parts_->functions;
  traced.complete = recorder.complete && !recorder.table.full() && parts_->lost.empty();
  traced.table = std::move(recorder.table);
  traced.events = std::move(recorder.events);
  return traced;
}

std::vector<Argument> Traced::arguments_with(std::span<const std::uint64_t> new_values) const {
  std::vector<Argument> changed = arguments;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i].kind == Unit::Kind::Argument)
      std::memcpy(changed[units[i].argument].bytes.data() + units[i].offset, &new_values[i],
                  units[i].size);
  return changed;
}

Launch Traced::launch_with(std::span<const std::uint64_t> new_values) const {
  Launch changed = launch;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].kind == Unit::Kind::GlobalSize)
      changed.sizes.global[units[i].offset] = new_values[i];
    if (units[i].kind == Unit::Kind::LocalSize)
      changed.sizes.local[units[i].offset] = new_values[i];
    if (units[i].kind == Unit::Kind::GlobalOffset)
      changed.sizes.offset[units[i].offset] = new_values[i];
  }
  return changed;
}

namespace {

struct Element {
  std::uint8_t size = 4;
  bool floating = false;
};

// "float4*" → 4 bytes, floating.
Element element_of(const Parameter& parameter) {
  std::string type = parameter.type.substr(0, parameter.type.find('*'));
  while (!type.empty() && (type.back() == ' ' || (type.back() >= '0' && type.back() <= '9')))
    type.pop_back();
  for (const auto& [name, element] : {std::pair<const char*, Element>{"float", {4, true}},
                                      {"double", {8, true}},
                                      {"char", {1, false}},
                                      {"uchar", {1, false}},
                                      {"unsigned char", {1, false}},
                                      {"bool", {1, false}},
                                      {"short", {2, false}},
                                      {"ushort", {2, false}},
                                      {"unsigned short", {2, false}},
                                      {"half", {2, false}},
                                      {"long", {8, false}},
                                      {"ulong", {8, false}},
                                      {"unsigned long", {8, false}},
                                      {"size_t", {8, false}}})
    if (type == name)
      return element;
  return {};
}

} // namespace

std::vector<SymbolicRange> all_inputs(const ir::KernelShape& shape,
                                      const std::vector<Argument>& arguments) {
  std::vector<SymbolicRange> ranges;
  for (std::uint32_t i = 0; i < arguments.size() && i < shape.parameters.size(); ++i) {
    const Argument& argument = arguments[i];
    if (argument.null ||
        (argument.kind != Parameter::Kind::Value && argument.kind != Parameter::Kind::Buffer))
      continue;
    const Element element = element_of(shape.parameters[i]);
    ranges.push_back({.argument = i,
                      .offset = 0,
                      .size = argument.bytes.size(),
                      .unit = element.size,
                      .floating = element.floating});
  }
  return ranges;
}

std::vector<std::string> Traced::unit_names() const {
  constexpr const char* kSizes[] = {"get_global_size", "get_local_size", "get_global_offset"};
  std::vector<std::string> names;
  for (const Unit& unit : units) {
    if (unit.kind == Unit::Kind::Free) {
      names.push_back("?");
    } else if (unit.kind != Unit::Kind::Argument) {
      names.push_back(fmt::format(
          "{}({})",
          kSizes[static_cast<unsigned>(unit.kind) - static_cast<unsigned>(Unit::Kind::GlobalSize)],
          unit.offset));
    } else {
      const Parameter& parameter = shape->parameters[unit.argument];
      if (parameter.kind == Parameter::Kind::Value && parameter.size == unit.size)
        names.push_back(parameter.name);
      else if (parameter.kind == Parameter::Kind::Buffer && unit.offset % unit.size == 0)
        names.push_back(fmt::format("{}[{}]", parameter.name, unit.offset / unit.size));
      else
        names.push_back(fmt::format("{}+{}", parameter.name, unit.offset));
    }
  }
  return names;
}

} // namespace gputest::testgen
