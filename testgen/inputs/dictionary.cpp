// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/dictionary.h"

#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <set>

namespace gputest::testgen {
namespace {

constexpr std::size_t kMostConstants = 128; // of each kind

class Collector {
public:
  void collect(llvm::Module& module) {
    for (llvm::Function& function : module)
      collect(function);
    for (llvm::GlobalVariable& variable : module.globals())
      if (variable.hasInitializer())
        add(variable.getInitializer());
  }

  // Collects from the functions that a kernel calls, and from the module's variables that they
  // name.
  void collect_from(llvm::Function& kernel) {
    std::vector<llvm::Function*> work{&kernel};
    std::set<const llvm::Value*> seen{&kernel};
    while (!work.empty()) {
      llvm::Function& function = *work.back();
      work.pop_back();
      collect(function);
      for (llvm::Instruction& instruction : llvm::instructions(function))
        for (llvm::Use& use : instruction.operands()) {
          llvm::Value* const named = use->stripInBoundsConstantOffsets();
          if (!llvm::isa<llvm::GlobalObject>(named) || !seen.insert(named).second)
            continue;
          if (auto* const called = llvm::dyn_cast<llvm::Function>(named))
            work.push_back(called);
          else if (auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(named);
                   variable && variable->hasInitializer() && function.getSubprogram())
            add(variable->getInitializer());
        }
    }
  }

  Dictionary dictionary;
  std::set<std::int64_t> integers;
  std::set<double> reals;

private:
  void collect(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction()) {
        const llvm::StringRef name = call->getCalledFunction()->getName();
        dictionary.launch_sizes |= tells_launch_size(name);
        dictionary.warps |= name == "gputest_warp";
      }
      if (function.getSubprogram()) // not of a compiler's headers, which have no places
        collect(instruction);
    }
  }

  static bool tells_launch_size(llvm::StringRef name) {
    return std::ranges::any_of(std::array{"get_global_size", "get_local_size", "get_num_groups",
                                          "get_enqueued_local_size", "get_global_offset"},
                               [&](const char* function) { return name.contains(function); });
  }

  void collect(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::AllocaInst>(instruction) || llvm::isa<llvm::IntrinsicInst>(instruction) ||
        llvm::isa<llvm::GetElementPtrInst>(instruction))
      return;
    if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (const llvm::Function* const called = call->getCalledFunction()) {
        collect_built_in_variable(called->getName());
        if (is_work_item_function(called->getName())) {
          if (const auto* const which = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)))
            add_dimension(which->getZExtValue());
          return;
        }
      }
    if (const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      for (const auto& one : choice->cases()) // operands no longer, from LLVM 22 on
        add(one.getCaseValue());
    for (const llvm::Use& use : instruction.operands())
      if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(use))
        add(constant);
  }

  void add_dimension(std::uint64_t index) {
    dictionary.dimensions = std::max(dictionary.dimensions,
                                     static_cast<unsigned>(std::min<std::uint64_t>(index, 2)) + 1);
  }

  // CUDA: `name` is Clang's function that reads threadIdx.x or the like.
  void collect_built_in_variable(llvm::StringRef name) {
    constexpr llvm::StringRef kFetch = "__fetch_builtin_";
    const std::size_t at = name.find(kFetch);
    if (at == llvm::StringRef::npos || at + kFetch.size() >= name.size())
      return;
    if (const char letter = name[at + kFetch.size()]; letter >= 'x' && letter <= 'z')
      add_dimension(static_cast<std::uint64_t>(letter - 'x'));
  }

  static bool is_work_item_function(llvm::StringRef name) {
    return std::ranges::any_of(std::array{"get_global_id", "get_local_id", "get_group_id",
                                          "get_global_size", "get_local_size", "get_num_groups",
                                          "get_global_offset"},
                               [&](const char* function) { return name.contains(function); });
  }

  void add(const llvm::Constant* constant) {
    if (const auto* const integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
      if (integer->getBitWidth() > 1 && integer->getBitWidth() <= 64 &&
          integers.size() < kMostConstants)
        integers.insert(integer->getSExtValue());
    } else if (const auto* const real = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
      bool inexact = false;
      llvm::APFloat value = real->getValueAPF();
      value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      if (value.isFinite() && reals.size() < kMostConstants)
        reals.insert(value.convertToDouble());
    } else if (const auto* const data = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
      for (unsigned i = 0; i < std::min<std::uint64_t>(data->getNumElements(), 16); ++i)
        add(data->getElementAsConstant(i));
    } else if (llvm::isa<llvm::ConstantAggregate>(constant)) {
      for (unsigned i = 0; i < std::min(constant->getNumOperands(), 16u); ++i)
        if (const auto* const part = llvm::dyn_cast<llvm::Constant>(constant->getOperand(i)))
          add(part);
    }
  }
};

} // namespace

Dictionary dictionary_of(llvm::Function& kernel, bool by_itself) {
  Collector collector;
  if (by_itself)
    collector.collect_from(kernel);
  else
    collector.collect(*kernel.getParent());
  collector.dictionary.integers.assign(collector.integers.begin(), collector.integers.end());
  collector.dictionary.reals.assign(collector.reals.begin(), collector.reals.end());
  return std::move(collector.dictionary);
}

} // namespace gputest::testgen
