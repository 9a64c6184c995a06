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
  memory_size = simulator::place_arguments(launch.arguments, shape, request);
  return request;
}

// The answer of the kernel's process: a problem, or the warps of the trace if there is none.
using Sizes = std::array<std::uint64_t, 4>; // of the text, groups, warps and code: elements

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
  const Sizes sizes{problem.size(), trace.groups.size(), trace.warps.size(), trace.code.size()};
  std::size_t at = 0;
  write_all(file, at, sizes);
  write_all(file, at, problem);
  write_all(file, at, trace.groups);
  write_all(file, at, trace.warps);
  write_all(file, at, trace.code);
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

  void run(const simulator::LaunchRequest& request, const TracedLaunch& launch, MemoryFile& memory,
           LaunchTrace& trace) const;
  process::Ended run_apart(const simulator::LaunchRequest& request, const TracedLaunch& launch,
                           MemoryFile& memory, MemoryFile& answer, LaunchTrace& trace) const;
  LaunchTrace prepared(const TracedLaunch& launch, const WarpShape& warps) const;
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

// Returns a trace without warps.
LaunchTrace Tracer::Parts::prepared(const TracedLaunch& launch, const WarpShape& warps) const {
  LaunchTrace trace;
  trace.kernel = shape.name;
  trace.warp_size = warps.size;
  trace.unrolled = warps.unrolled;
  trace.division = warps.division;
  trace.references = item.references;
  for (const int index : item.objects) {
    const Object& object = shape.objects[static_cast<unsigned>(index)];
    MemoryObject memory{.name = object.name, .size = object.size};
    memory.local = object.kind == Object::Kind::LocalVariable;
    if (object.kind == Object::Kind::Argument) {
      const GivenArgument& given = launch.arguments.at(object.parameter);
      memory.local = given.kind == Parameter::Kind::Local;
      memory.size = memory.local ? given.local_bytes : given.bytes.size();
    }
    trace.objects.push_back(std::move(memory));
  }
  return trace;
}

void Tracer::Parts::run(const simulator::LaunchRequest& request, const TracedLaunch& launch,
                        MemoryFile& memory, LaunchTrace& trace) const {
  std::vector<int> placed(shape.objects.size(), -1);
  for (std::size_t i = 0; i < item.objects.size(); ++i)
    placed[static_cast<unsigned>(item.objects[i])] = static_cast<int>(i);
  Recorder recorder(item.shape, placed, launch.most_bytes, trace);
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
                                        MemoryFile& answer, LaunchTrace& trace) const {
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    memory.write_at(request.arguments[i].offset, launch.arguments[i].bytes);
  return process::Child::fork([&] {
           std::string problem;
           simulator::on_large_stack([&] {
             try {
               run(request, launch, memory, trace);
             } catch (const InputError& error) {
               problem = error.what();
             }
           });
           write_answer(answer, problem, trace);
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
  return memory::classify(parts_->item.kernel, gpu, parts_->prepared(launch, gpu.warps()), known);
}

LaunchTrace Tracer::trace(const TracedLaunch& launch, const WarpShape& warps,
                          std::vector<std::byte>* results) const {
  parts_->check(launch);
  std::size_t memory_size = 0;
  const simulator::LaunchRequest request = request_of(launch, parts_->shape, memory_size);
  LaunchTrace trace = parts_->prepared(launch, warps);
  MemoryFile memory("gputest-memory", memory_size);
  MemoryFile answer("gputest-trace");
  process::Tries tries;
  process::Ended ended;
  do {
    answer.clear(0); // an ended process may have written a part
    ended = parts_->run_apart(request, launch, memory, answer, trace);
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
      if (launch.arguments[i].kind == Parameter::Kind::Buffer) {
        const std::size_t begin = results->size();
        results->resize(begin + launch.arguments[i].bytes.size());
        memory.read_at(request.arguments[i].offset, std::span(*results).subspan(begin));
      }
  }
  return trace;
}

} // namespace gputest::memory
