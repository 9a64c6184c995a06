// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/variant.h"

#include "embedded/segments_c.h"
#include "embedded/step_c.h"
#include "ir/cuda/by_itself.h"
#include "ir/cuda/misaligned.h"
#include "ir/cuda/spin_changes.h"
#include "ir/error.h"
#include "ir/kernels/lower.h"
#include "ir/kernels/quotients.h"
#include "ir/placed.h"
#include "simulator/checks/protect.h"
#include "simulator/execute/coroutine.h"
#include "simulator/execute/groups.h"
#include "simulator/execute/segments.h"
#include "simulator/execute/steps.h"
#include "simulator/execute/visits.h"
#include "simulator/memory/guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gputest::simulator {

std::string CodeVariant::name() const {
  return fmt::format("{} {} {}{}", kernel,
                     interleaved ? "interleaved"
                     : ordered   ? "ordered"
                                 : "ascending",
                     text_of(checks), counts_steps ? " counted" : "");
}

namespace {

// Large private variables are refused, because the stack is limited.
void refuse_large_variables(const llvm::Function& item, const std::string& kernel) {
  std::uint64_t size = 0;
  for (const llvm::BasicBlock& block : item)
    for (const llvm::Instruction& instruction : block)
      if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        size += variable->getAllocationSize(item.getParent()->getDataLayout())
                    .value_or(llvm::TypeSize::getFixed(0))
                    .getFixedValue();
  if (size <= kStackBytes / 2)
    return;
  const llvm::DISubprogram* const place = item.getSubprogram();
  throw ir::SourceError(fmt::format(
      "{}error: the private variables of a work-item of '{}' take {} bytes, and there are {}",
      place ? fmt::format("{}:{}: ", place->getFilename().str(), place->getLine()) : "", kernel,
      size, kStackBytes / 2));
}

void run_passes(CheckedKernel& kernel, const Checks& checks, Stage stage) {
  for (const Check* check : checks)
    for (const Pass& pass : check->passes)
      if (pass.stage == stage)
        pass.run(kernel);
}

// Adds checks, and returns the definitions for the C files.
std::string add_checks(llvm::Function& item, const Checks& checks, Code& code) {
  ir::KernelShape& shape = code.shape;
  CheckedKernel kernel{.item = item, .shape = shape};
  run_passes(kernel, checks, Stage::Written);
  protect(item, checks);
  const bool keeps_branches =
      std::ranges::any_of(checks, [](const Check* check) { return check->needs.branches; });
  ir::simplify_lightly(item, false, keeps_branches); // keeps lines
  ir::place_local_variables(item, shape);
  llvm::removeUnreachableBlocks(item); // a check's pass might do it otherwise and remove operations
  kernel.operations = unprotect(item);
  if (checks.has("races"))
    code.checked_accesses = group_accesses(item, shape);
  for (const Stage stage : {Stage::Addresses, Stage::Values, Stage::Accesses, Stage::Operations})
    run_passes(kernel, checks, stage);
  std::string text = "#define GPUTEST_CHECKS 1\n";
  for (const Check* check : checks)
    if (check->definitions)
      text += check->definitions(shape);
  return text;
}

// Removes fences, and what tells of asynchronous copies. Work-items only take turns at stops, and
// copies are made at once, so only the check of races uses them.
void leave_out_orders(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (function.getName() == ir::kFenceFunction || function.getName() == ir::kOrderFunction ||
        function.getName().starts_with(ir::kAsyncFunctions))
      for (llvm::User* call : llvm::make_early_inc_range(function.users()))
        llvm::cast<llvm::CallInst>(call)->eraseFromParent();
}

// Makes each group have its own memory, because groups run at the same time.
void separate_groups(llvm::Function& item, ir::KernelShape& shape) {
  ir::simplify_lightly(item, true);
  ir::place_local_variables(item, shape);
}

// If checks watch accesses, all of the author's code must be in one function. Tracking of
// definedness does not follow calls.
ir::Keep keep_of(const CodeVariant& variant) {
  if (variant.checks.has("uninitialized"))
    return ir::Keep::Nothing;
  return variant.checks.any() || variant.interleaved ? ir::Keep::BuiltIns : ir::Keep::Everything;
}

// Accesses of OpenCL work-items without a barrier in between must have the same order on all
// machines, so that verdicts are equal: one work-item after the other. In a CUDA program they may
// run side by side.
bool is_program_as_it_is(const ir::KernelShape& shape) {
  return shape.language == model::Language::Cuda &&
         std::ranges::none_of(shape.objects, [](const ir::Object& object) {
           return object.name.starts_with("gputest_mutants_") || object.name == ir::kStateVariable;
         });
}

// Returns the definitions that segments.c needs.
std::string definitions_of(const Segments& segments, ir::KernelShape& shape) {
  std::string text = "#define GPUTEST_SEGMENTS(DO)";
  for (unsigned i = 0; i < segments.count; ++i)
    text += fmt::format(" DO({})", i);
  if (segments.junctions > 0) {
    text += fmt::format("\n#define GPUTEST_FIRST_JUNCTION {}\n#define GPUTEST_JUNCTIONS(DO)",
                        segments.count);
    for (unsigned i = 0; i < segments.junctions; ++i)
      text += fmt::format(" DO({})", segments.count + i);
  }
  text += fmt::format("\n#define GPUTEST_ARGUMENTS {}\n", shape.arguments_size / 128 + 1);
  if (segments.independent && is_program_as_it_is(shape))
    text += "#define GPUTEST_INDEPENDENT 1\n";
  shape.has_barriers = segments.count > 1; // other barriers were in unreachable code
  shape.warps = shape.warps && shape.has_barriers;
  if (shape.warps)
    text += "#define GPUTEST_WARPS 1\n";
  return text;
}

// Estimated seconds of Effort::Full for each instruction.
constexpr double kFullPerInstruction = 5e-5;

// Returns the number in `to` of each object of `from`; -1: it has none.
std::vector<int> numbers_in(const ir::KernelShape& from, const ir::KernelShape& to) {
  std::vector<int> numbers;
  for (const ir::Object& object : from.objects) {
    const auto same = std::ranges::find_if(to.objects, [&](const ir::Object& other) {
      return other.kind == object.kind &&
             (object.kind == ir::Object::Kind::Argument ? other.parameter == object.parameter
                                                        : other.name == object.name);
    });
    numbers.push_back(same == to.objects.end() ? -1 : static_cast<int>(same - to.objects.begin()));
  }
  return numbers;
}

} // namespace

GroupAccesses accesses_in(llvm::Module& module, const std::string& kernel,
                          const ir::KernelShape& shape) {
  ir::KernelShape own = ir::lower(module, kernel, ir::Keep::Everything, ir::Spins::Stop);
  ir::define_variables(module);
  leave_out_orders(module);
  llvm::Function& item = *module.getFunction(ir::kItemFunction);
  ir::note_changes(item);
  ir::simplify(item);
  GroupAccesses accesses = group_accesses(item, own);
  const std::vector<int> numbers = numbers_in(own, shape);
  for (GroupAccess& access : accesses.accesses)
    if (access.object >= 0)
      access.object = numbers.at(static_cast<std::size_t>(access.object));
  return accesses;
}

Code make_code(llvm::Module& module, const CodeVariant& variant, ir::Effort effort) {
  Code code;
  code.shape = ir::lower(module, variant.kernel, keep_of(variant),
                         variant.interleaved ? ir::Spins::Run : ir::Spins::Stop);
  refuse_large_variables(*module.getFunction(ir::kItemFunction), variant.kernel);
  if (!variant.checks.has("uninitialized"))
    ir::define_variables(module);
  if (model::row_of(code.shape.language).traps_misaligned && !variant.checks.any() &&
      !variant.interleaved)
    ir::trap_misaligned(module);
  if (!variant.checks.has("arithmetic"))
    ir::define_large_quotients(module);
  std::string text;
  if (variant.ordered)
    text += "#define GPUTEST_ORDERED 1\n";
  if (!variant.checks.has("races"))
    leave_out_orders(module);
  if (variant.checks.any())
    text += add_checks(*module.getFunction(ir::kItemFunction), variant.checks, code);
  if (variant.interleaved || (code.shape.in_turns && !variant.checks.any()))
    separate_groups(*module.getFunction(ir::kItemFunction), code.shape);
  if (variant.interleaved)
    mark_visits(*module.getFunction(ir::kItemFunction), code.shape);
  ir::note_changes(*module.getFunction(ir::kItemFunction));
  if (variant.interleaved || ir::is_rearrangeable(module))
    effort = ir::Effort::Full;
  const bool is_plain =
      !variant.ordered && !variant.checks.any() && !variant.interleaved && !code.shape.in_turns;
  if (is_plain) {
    llvm::Function& item = *module.getFunction(ir::kItemFunction);
    ir::simplify(item);
    if (effort == ir::Effort::Full)
      code.accesses = group_accesses(item, code.shape);
  }
  if (variant.counts_steps)
    count_steps(module);
  std::optional<Segments> segments;
  if (is_plain)
    segments = make_segments(module, code.shape);
  if (segments) {
    text += definitions_of(*segments, code.shape);
  } else if (code.shape.has_barriers) {
    make_coroutine(module, code.shape);
  }
  std::optional<std::string_view> file;
  if (variant.interleaved)
    file = embedded::step_c;
  else if (segments)
    file = embedded::segments_c;
  std::string functions;
  for (const Check* check : variant.checks)
    functions += check->text;
  link_groups(module, code.shape,
              {.definitions = std::move(text), .file = file, .functions = std::move(functions)});
  if (effort == ir::Effort::Quick)
    code.full_seconds = static_cast<double>(module.getInstructionCount()) * kFullPerInstruction;
  code.object = ir::machine_code(module, effort);
  return code;
}

} // namespace gputest::simulator
