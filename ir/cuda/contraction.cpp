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

namespace gputest::ir {
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

// For each sum, the number of the operand that is contracted with it, maybe negated.
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

// Turns variables into values. Does not rewrite arithmetic.
void promote(llvm::Function& function) {
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.run(function, analyses.functions);
}

// Optimises a promoted function about as nvcc does, as far as it matters which instruction uses
// which product in which basic block.
void optimise(llvm::Function& function) {
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
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

// Finds what is contracted in a function by looking at an optimised copy. The optimisation moves
// signs and makes new products. So values are found again by what they were before it, and products
// also by what they multiply.
class Contractions {
public:
  explicit Contractions(llvm::Function& function)
      : function_(function), copy_(llvm::CloneFunction(&function, values_)) {
    promote(*copy_);
    remember();
    optimise(*copy_);
  }

  ~Contractions() {
    values_.clear();
    early_.clear();
    copy_->eraseFromParent();
  }
  Contractions(const Contractions&) = delete;
  Contractions& operator=(const Contractions&) = delete;

  std::vector<Contraction> find() {
    for (llvm::BasicBlock& block : *copy_)
      Choice(block, choices_).run();
    for (Instruction& instruction : llvm::instructions(*copy_))
      if (is_product(instruction)) {
        const Factors factors = factors_in_copy(instruction);
        copies_.try_emplace(factors.values, Signed{&instruction, factors.negative});
      }
    const llvm::DominatorTree tree(function_);
    std::vector<Contraction> found;
    for (Instruction& instruction : llvm::instructions(function_))
      if (is_sum(instruction))
        if (const auto contraction = find(instruction, tree))
          found.push_back(*contraction);
    return found;
  }

private:
  // What a value of the function was in the promoted copy, without its sign.
  struct Early {
    const llvm::Value* then; // may be gone; two values were equal if these are
    llvm::WeakTrackingVH now;
    bool negative;
  };
  struct Product {
    llvm::BinaryOperator* operation;
    bool negative; // of what it was in the promoted copy
  };

  void remember() {
    const auto add = [&](llvm::Value& value) {
      const auto found = values_.find(&value);
      if (found == values_.end() || !found->second)
        return;
      const Signed there = without_sign(found->second);
      early_.try_emplace(&value, Early{there.value, there.value, there.negative});
      auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(&value);
      if (binary && (is_product(*binary) || divides_exactly(*binary)))
        products_[there.value].push_back({binary, there.negative});
    };
    for (llvm::Argument& argument : function_.args())
      add(argument);
    for (Instruction& instruction : llvm::instructions(function_))
      if (instruction.getType()->isFloatTy() || instruction.getType()->isDoubleTy())
        add(instruction);
  }

  // x / 4 is x * 0.25 in the copy.
  static bool divides_exactly(const llvm::BinaryOperator& binary) {
    return binary.getOpcode() == Instruction::FDiv && may_be_contracted(binary) &&
           inverse_of(*binary.getOperand(1));
  }

  static Signed positive(Signed value) {
    const auto* const number = llvm::dyn_cast<llvm::ConstantFP>(value.value);
    if (!number || !number->isNegative())
      return value;
    return {llvm::ConstantFP::get(number->getContext(), llvm::abs(number->getValueAPF())),
            !value.negative};
  }

  static Factors factors(const Signed& first, const Signed& second) {
    return {std::minmax<const llvm::Value*>(first.value, second.value),
            first.negative != second.negative};
  }

  static Factors factors_in_copy(const Instruction& product) {
    return factors(positive(without_sign(product.getOperand(0))),
                   positive(without_sign(product.getOperand(1))));
  }

  // The value in the optimised copy, without its sign. Its value is null if the copy has none.
  Signed in_copy(llvm::Value* value) const {
    const Signed here = without_sign(value);
    if (llvm::isa<llvm::Constant>(here.value))
      return positive(here);
    const auto early = early_.find(here.value);
    if (early == early_.end())
      return {nullptr};
    Signed result{nullptr};
    if (early->second.now) {
      result = positive(without_sign(early->second.now));
    } else if (const auto same = products_.find(early->second.then); same != products_.end()) {
      const Product& product = same->second.front();
      const std::optional<Factors> factors = factors_of(*product.operation);
      const auto copy = factors ? copies_.find(factors->values) : copies_.end();
      if (copy == copies_.end())
        return {nullptr};
      result = {copy->second.value,
                (factors->negative != copy->second.negative) != product.negative};
    } else {
      return {nullptr};
    }
    result.negative = (result.negative != early->second.negative) != here.negative;
    return result;
  }

  std::optional<Factors> factors_of(const llvm::BinaryOperator& product) const {
    llvm::Value* const second = product.getOperand(1);
    const bool divides = product.getOpcode() == Instruction::FDiv;
    const Signed one = in_copy(product.getOperand(0));
    const Signed other = in_copy(divides ? inverse_of(*second) : second);
    if (!one.value || !other.value)
      return {};
    return factors(one, other);
  }

  std::optional<Contraction> find(Instruction& sum, const llvm::DominatorTree& tree) const {
    const Signed copy = in_copy(&sum);
    const auto* const user = llvm::dyn_cast_or_null<llvm::User>(copy.value);
    const auto chosen = user ? choices_.find(user) : choices_.end();
    if (chosen == choices_.end())
      return {};
    const auto& wanted =
        llvm::cast<Instruction>(*without_sign(user->getOperand(chosen->second)).value);
    const Factors factors = factors_in_copy(wanted);
    for (const unsigned operand : {0U, 1U}) {
      const Signed here = without_sign(sum.getOperand(operand));
      const auto early = early_.find(here.value);
      const auto products =
          early == early_.end() ? products_.end() : products_.find(early->second.then);
      if (products == products_.end())
        continue;
      for (const Product& product : products->second)
        if (const auto own = factors_of(*product.operation);
            own && own->values == factors.values && tree.dominates(product.operation, &sum))
          return Contraction{&sum, operand, product.operation,
                             (here.negative != early->second.negative) != product.negative};
    }
    return {};
  }

  using Pair = std::pair<const llvm::Value*, const llvm::Value*>;

  llvm::Function& function_;
  llvm::ValueToValueMapTy values_;
  llvm::Function* copy_;
  Choices choices_;
  std::map<const llvm::Value*, Early> early_;
  std::map<const llvm::Value*, std::vector<Product>> products_; // by what they were
  std::map<Pair, Signed> copies_;                               // products of the optimised copy
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

} // namespace gputest::ir
