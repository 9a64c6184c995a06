// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/contraction.h"

#include "ir/analysis_managers.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::simulator {
namespace {

using llvm::Instruction;

bool may_be_contracted(const llvm::Value& value) {
  const auto* const operation = llvm::dyn_cast<llvm::FPMathOperator>(&value);
  return operation && operation->hasAllowContract() &&
         (value.getType()->isFloatTy() || value.getType()->isDoubleTy());
}

bool is_addition(const llvm::Value& value) {
  return llvm::isa<Instruction>(value) &&
         llvm::cast<Instruction>(value).getOpcode() == Instruction::FAdd &&
         may_be_contracted(value);
}

bool is_sum(const llvm::Value& value) {
  return is_addition(value) || (llvm::isa<Instruction>(value) &&
                                llvm::cast<Instruction>(value).getOpcode() == Instruction::FSub &&
                                may_be_contracted(value));
}

bool is_product(const llvm::Value& value) {
  return llvm::isa<Instruction>(value) &&
         llvm::cast<Instruction>(value).getOpcode() == Instruction::FMul &&
         may_be_contracted(value);
}

struct Signed {
  llvm::Value* value;
  bool negative = false;
};

Signed without_sign(llvm::Value* value) {
  Signed result{value};
  llvm::Value* negated = nullptr;
  while (llvm::PatternMatch::match(
      result.value, llvm::PatternMatch::m_FNeg(llvm::PatternMatch::m_Value(negated))))
    result = {negated, !result.negative};
  return result;
}

// Returns 1 / `number` if it is exact.
llvm::Constant* inverse_of(const llvm::Value& number) {
  const auto* const constant = llvm::dyn_cast<llvm::ConstantFP>(&number);
  llvm::APFloat inverse(0.0);
  return constant && constant->getValueAPF().getExactInverse(&inverse)
             ? llvm::ConstantFP::get(constant->getContext(), inverse)
             : nullptr;
}

// Which operand of a sum is contracted with it, maybe negated.
using Choices = llvm::DenseMap<const llvm::User*, unsigned>;

// Chooses the products of a basic block's sums.
class Choice {
public:
  Choice(llvm::BasicBlock& block, Choices& choices) : block_(block), choices_(choices) {}

  void run() {
    for (Instruction& instruction : llvm::reverse(block_))
      if (is_addition(instruction))
        choose_first(instruction);
    for (Instruction& instruction : block_)
      if (is_sum(instruction) && !choices_.contains(&instruction))
        choose_rarest(instruction);
  }

private:
  static constexpr unsigned kMostUses = 4;

  void choose_first(const Instruction& sum) {
    for (const unsigned operand : {0U, 1U}) {
      const llvm::Value& value = *sum.getOperand(operand);
      const std::optional<unsigned> uses = is_here(value) ? uses_in(value, is_addition) : 0;
      if (uses && *uses > 0 && *uses <= kMostUses) {
        choices_[&sum] = operand;
        return;
      }
    }
  }

  void choose_rarest(const Instruction& sum) {
    const llvm::Value* const first = without_sign(sum.getOperand(0)).value;
    const llvm::Value* const second = without_sign(sum.getOperand(1)).value;
    if (first == second)
      return;
    const std::optional<unsigned> of_first = uses_if_not_doubling(*first);
    const std::optional<unsigned> of_second = uses_if_not_doubling(*second);
    if (of_first && (!of_second || *of_first <= *of_second))
      choices_[&sum] = 0;
    else if (of_second)
      choices_[&sum] = 1;
  }

  std::optional<unsigned> uses_if_not_doubling(const llvm::Value& value) const {
    if (!is_here(value) || llvm::PatternMatch::match(llvm::cast<Instruction>(value).getOperand(1),
                                                     llvm::PatternMatch::m_SpecificFP(2)))
      return {};
    return uses_in(value, is_sum);
  }

  bool is_here(const llvm::Value& value) const {
    return is_product(value) && llvm::cast<Instruction>(value).getParent() == &block_;
  }

  // Returns the number of uses of a product that are not contracted with it. None: one is something
  // else than what `is_wanted` accepts, or in another block.
  template <typename Wanted>
  std::optional<unsigned> uses_in(const llvm::Value& product, const Wanted& is_wanted) const {
    unsigned count = 0;
    for (const llvm::Use& use : product.uses()) {
      const auto& user = llvm::cast<Instruction>(*use.getUser());
      const auto chosen = choices_.find(&user);
      if (chosen != choices_.end() && chosen->second == use.getOperandNo())
        continue;
      if (chosen != choices_.end() || user.getParent() != &block_)
        return {};
      if (user.getOpcode() == Instruction::FNeg && is_wanted == is_sum) {
        const std::optional<unsigned> more = uses_in(user, is_wanted);
        if (!more)
          return {};
        count += *more;
      } else if (is_wanted(user)) {
        ++count;
      } else {
        return {};
      }
    }
    return count;
  }

  llvm::BasicBlock& block_;
  Choices& choices_;
};

// Optimises the function about as nvcc does, as far as it matters which instruction uses which
// product in which basic block.
void optimise(llvm::Function& function) {
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::ReassociatePass()); // also orders the operands of sums
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::InstCombinePass()); // also moves products to the block that uses them
  passes.run(function, analyses.functions);
}

struct Contraction {
  Instruction* sum;
  unsigned operand; // of the sum, which is the product
  llvm::BinaryOperator* product;
  bool negative; // the operand is the product, negated
};

// What a product multiplies, in a fixed order, and its sign.
struct Factors {
  std::pair<const llvm::Value*, const llvm::Value*> values;
  bool negative = false;
};

// Finds what is contracted in a function by looking at an optimised copy. Operands in the copy are
// found again in the function, where they may be read from a variable.
class Contractions {
public:
  explicit Contractions(llvm::Function& function)
      : function_(function), copy_(llvm::CloneFunction(&function, values_)) {
    optimise(*copy_);
  }

  ~Contractions() {
    values_.clear();
    copy_->eraseFromParent();
  }
  Contractions(const Contractions&) = delete;
  Contractions& operator=(const Contractions&) = delete;

  std::vector<Contraction> find() {
    for (llvm::BasicBlock& block : *copy_)
      Choice(block, choices_).run();
    for (Instruction& instruction : llvm::instructions(function_))
      if (auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
        if (const auto factors = factors_of(*binary))
          products_[factors->values].push_back({binary, factors->negative});
    const llvm::DominatorTree tree(function_);
    std::vector<Contraction> found;
    for (Instruction& instruction : llvm::instructions(function_))
      if (is_sum(instruction))
        if (const auto contraction = find(instruction, tree))
          found.push_back(*contraction);
    return found;
  }

private:
  struct Product {
    llvm::BinaryOperator* operation;
    bool negative; // as its factors are
  };

  // The value of the copy, without its sign. Its value is null if the copy has none any more.
  Signed in_copy(llvm::Value* value) const {
    const Signed here = without_sign(value);
    const auto found = values_.find(here.value);
    llvm::Value* const there =
        found == values_.end() ? here.value : static_cast<llvm::Value*>(found->second);
    if (!there)
      return {nullptr};
    Signed result = without_sign(there);
    result.negative = result.negative != here.negative;
    if (const auto* const number = llvm::dyn_cast<llvm::ConstantFP>(result.value);
        number && number->isNegative())
      result = {llvm::ConstantFP::get(number->getContext(), llvm::abs(number->getValueAPF())),
                !result.negative};
    return result;
  }

  // Returns what a product of the function or its copy multiplies. x / 4 is x * 0.25.
  std::optional<Factors> factors_of(llvm::BinaryOperator& binary) const {
    const bool divides = binary.getOpcode() == Instruction::FDiv && may_be_contracted(binary);
    llvm::Constant* const inverse = divides ? inverse_of(*binary.getOperand(1)) : nullptr;
    if (!is_product(binary) && !inverse)
      return {};
    const Signed first = in_copy(binary.getOperand(0));
    const Signed second = in_copy(inverse ? inverse : binary.getOperand(1));
    if (!first.value || !second.value)
      return {};
    return Factors{std::minmax<const llvm::Value*>(first.value, second.value),
                   first.negative != second.negative};
  }

  std::optional<Contraction> find(Instruction& sum, const llvm::DominatorTree& tree) const {
    const Signed copy = in_copy(&sum);
    const auto* const user = llvm::dyn_cast_or_null<llvm::User>(copy.value);
    const auto chosen = user && !copy.negative ? choices_.find(user) : choices_.end();
    if (chosen == choices_.end())
      return {};
    auto* const wanted =
        llvm::cast<llvm::BinaryOperator>(without_sign(user->getOperand(chosen->second)).value);
    const std::optional<Factors> factors = factors_of(*wanted);
    const auto products = factors ? products_.find(factors->values) : products_.end();
    if (products == products_.end())
      return {};
    for (const unsigned operand : {0U, 1U}) {
      const Signed here = without_sign(sum.getOperand(operand));
      for (const Product& product : products->second)
        if (product.operation == here.value)
          return Contraction{&sum, operand, product.operation, here.negative};
      const Signed there = in_copy(here.value);
      if (there.value != wanted)
        continue;
      for (const Product& product : products->second)
        if (tree.dominates(product.operation, &sum))
          return Contraction{&sum, operand, product.operation,
                             (here.negative != there.negative) !=
                                 (product.negative != factors->negative)};
    }
    return {};
  }

  llvm::Function& function_;
  llvm::ValueToValueMapTy values_;
  llvm::Function* copy_;
  Choices choices_;
  std::map<std::pair<const llvm::Value*, const llvm::Value*>, std::vector<Product>> products_;
};

void contract(const Contraction& contraction) {
  Instruction& sum = *contraction.sum;
  const bool subtracts = sum.getOpcode() == Instruction::FSub;
  llvm::IRBuilder<> builder(&sum);
  llvm::Value* first = contraction.product->getOperand(0);
  llvm::Value* second = contraction.product->getOperand(1);
  if (contraction.product->getOpcode() == Instruction::FDiv)
    second = inverse_of(*second);
  llvm::Value* added = sum.getOperand(1 - contraction.operand);
  if (contraction.negative != (subtracts && contraction.operand == 1))
    first = builder.CreateFNeg(first);
  if (subtracts && contraction.operand == 0)
    added = builder.CreateFNeg(added);
  llvm::Value* const result =
      builder.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()}, {first, second, added});
  result->takeName(&sum);
  sum.replaceAllUsesWith(result);
  sum.eraseFromParent();
}

bool has_sums_and_products(llvm::Function& function) {
  const auto has = [&](bool (*is_wanted)(const llvm::Value&)) {
    return std::ranges::any_of(llvm::instructions(function), [&](const Instruction& instruction) {
      return is_wanted(instruction);
    });
  };
  return has(is_sum) && (has(is_product) || has([](const llvm::Value& value) {
                           return llvm::isa<Instruction>(value) &&
                                  llvm::cast<Instruction>(value).getOpcode() == Instruction::FDiv;
                         }));
}

} // namespace

void contract_products(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && has_sums_and_products(function))
      functions.push_back(&function);
  for (llvm::Function* function : functions)
    for (const Contraction& contraction : Contractions(*function).find())
      contract(contraction);
  for (llvm::Function& function : module)
    forbid_contraction(function);
}

void forbid_contraction(llvm::Function& function) {
  for (Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::FPMathOperator>(instruction))
      instruction.setHasAllowContract(false);
}

} // namespace gputest::simulator
