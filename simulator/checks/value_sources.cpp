// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/value_sources.h"

#include "ir/accesses.h"
#include "ir/host.h"
#include "ir/places.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Analysis/ValueTracking.h>

namespace gputest::simulator {
namespace {

constexpr const char* kVariable = "gputest.variable";
constexpr std::size_t kMostLines = 6; // of a way

} // namespace

std::string name_of(const llvm::AllocaInst& variable) {
  const std::string name = variable.getName().split('.').first.str();
  for (const char* own : {"tmp", "ref", "agg", "retval", "coerce", "cond", "cleanup", "saved"})
    if (name == own)
      return "";
  return name;
}

void set_variable(llvm::Instruction& value, const llvm::AllocaInst& variable) {
  llvm::LLVMContext& context = value.getContext();
  if (const std::string name = name_of(variable); !name.empty())
    value.setMetadata(kVariable, llvm::MDNode::get(context, {llvm::MDString::get(context, name)}));
}

ValueSources::ValueSources(const std::vector<const llvm::Value*>& values,
                           const llvm::Instruction& use, ir::KernelShape& shape)
    : use_(use) {
  std::vector<Source> global;
  bool may_be_global = true; // no variable without a name is among the sources
  std::vector<const llvm::Value*> queue = values;
  for (const llvm::Value* value : values)
    next_[value] = &use;
  const auto add = [](std::vector<Source>& sources, const std::string& name,
                      const llvm::Instruction& begin) {
    if (!name.empty() && std::ranges::find(sources, name, &Source::name) == sources.end())
      sources.push_back({name, &begin});
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(queue[i]);
    if (!instruction)
      continue;
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(instruction);
    if (call && call->getCalledFunction() &&
        call->getCalledFunction()->getName().starts_with(kUndefined))
      may_be_global = false;
    if (const llvm::MDNode* const named = instruction->getMetadata(kVariable)) {
      add(sources_, llvm::cast<llvm::MDString>(named->getOperand(0))->getString().str(),
          *instruction);
      continue;
    }
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      const llvm::Value* const base = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
      if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
        add(sources_, name_of(*variable), *load);
        may_be_global = false;
      } else if (const int object = ir::origin_of(load->getPointerOperand(), shape).object;
                 object >= 0) {
        const ir::Object& from = shape.objects[static_cast<unsigned>(object)];
        const bool on_chip = from.kind == ir::Object::Kind::LocalVariable ||
                             load->getPointerAddressSpace() == ir::kLocalSpace;
        if (on_chip)
          add(sources_, from.name, *load);
        else if (from.kind == ir::Object::Kind::Argument)
          add(global, from.name, *load);
      }
      continue;
    }
    for (const llvm::Value* operand : instruction->operand_values())
      if (next_.try_emplace(operand, instruction).second)
        queue.push_back(operand);
  }
  if (sources_.empty() && may_be_global)
    sources_ = std::move(global);
}

std::vector<std::string> ValueSources::names() const {
  std::vector<std::string> names;
  for (const Source& source : sources_)
    names.push_back(source.name);
  return names;
}

// The lines between the source and the use.
std::string ValueSources::way(const Source& source) const {
  const model::CodePlace end = ir::place_of(use_);
  std::vector<unsigned> lines;
  const llvm::Instruction* at = source.begin;
  for (std::size_t steps = 0; at && at != &use_ && steps < 256; ++steps) {
    const model::CodePlace place = ir::place_of(*at);
    const bool is_begin = at == source.begin && !llvm::isa<llvm::LoadInst>(*at);
    if (place.line != 0 && !is_begin && place.file == end.file && place.line != end.line &&
        (lines.empty() || lines.back() != place.line))
      lines.push_back(place.line);
    const auto found = next_.find(at);
    at = found == next_.end() ? nullptr : found->second;
  }
  if (lines.empty() || lines.size() > kMostLines)
    return "";
  return fmt::format("by way of line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

std::string ValueSources::text() const {
  if (sources_.size() != 1)
    return "";
  const Source& source = sources_.front();
  const model::CodePlace begin = ir::place_of(*source.begin);
  const std::string by = way(source);
  const bool declared = !llvm::isa<llvm::LoadInst>(*source.begin) && begin.line != 0;
  if (declared)
    return fmt::format("; '{}' is declared at {}{}", source.name, place_text(begin),
                       by.empty() ? "" : ", and its value comes here " + by);
  return by.empty() ? "" : "; it comes here " + by;
}

std::string ValueSources::cause() const {
  if (sources_.empty())
    return "";
  std::string all;
  for (const Source& source : sources_) {
    const model::CodePlace begin = ir::place_of(*source.begin);
    const bool declared = !llvm::isa<llvm::LoadInst>(*source.begin) && begin.line != 0;
    all += fmt::format("{}'{}'{}", all.empty() ? "" : " or ", source.name,
                       declared ? fmt::format(" of line {}", begin.line) : "");
  }
  return fmt::format("uses of {}, which nobody has written", all);
}

const llvm::LoadInst* ValueSources::read() const {
  const auto* const load =
      sources_.size() == 1 ? llvm::dyn_cast<llvm::LoadInst>(sources_.front().begin) : nullptr;
  if (!load)
    return nullptr;
  const llvm::Value* const base = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
  const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(base);
  return !variable || variable->getAllocatedType()->isArrayTy() ? load : nullptr;
}

} // namespace gputest::simulator
