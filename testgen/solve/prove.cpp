#include "testgen/solve/prove.h"

#include "ir/analysis_managers.h"
#include "ir/builtins.h"
#include "ir/error.h"
#include "ir/lower.h"
#include "simulator/execute/guard.h"
#include "templates/state.h"
#include "testgen/concolic/prepare.h"
#include "testgen/solve/invariants.h"
#include "testgen/solve/smtlib.h"
#include "testgen/solve/statics.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <optional>
#include <set>
#include <utility>

namespace gputest::testgen {

struct Prover::Parts {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  simulator::KernelShape shape;
  llvm::Function* item = nullptr;
  std::optional<Statics> statics;
  std::vector<Label> required;
  bool has_invariants = false;

  // What every input has; of small launches, too.
  std::vector<Label> allowed(bool small);
  Proof outcome(unsigned bit, bool small, Z3Process& z3, const ProofLimits& limits);
};

namespace {

// Loops of few iterations that are always as many are none any more: coverage.cl clears its words
// in one, and of the variables of loops nothing would be known.
void unroll(llvm::Function& item) {
  simulator::AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass()));
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::ADCEPass());
  passes.run(item, analyses.functions);
}

// Whole numbers wrap around here, as mutants have it (passes/equivalence/compiled_text.h) and
// devices do: what C leaves undefined proves nothing.
void define_overflow(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.hasPoisonGeneratingFlags())
        instruction.dropPoisonGeneratingFlags();
}

// The kernel with its work-item's function, nothing optimised that decides.
void build(const simulator::Source& source, const std::string& kernel, llvm::LLVMContext& context,
           std::unique_ptr<llvm::Module>& module, simulator::KernelShape& shape) {
  module = std::move(simulator::compile(source, context).module);
  simulator::link_builtins(*module, source.cl_std, false);
  define_overflow(*module);
  shape = simulator::lower(*module, kernel, simulator::Keep::Nothing);
  prepare(*module->getFunction(simulator::kItemFunction), shape);
  unroll(*module->getFunction(simulator::kItemFunction));
  llvm::removeUnreachableBlocks(*module->getFunction(simulator::kItemFunction));
}

// Where a bit of a word may come from: at a block, or on a way between two, if `set` holds.
struct Contribution {
  Label condition = 0;
  bool known = true; // false: it cannot be said when
};

class Contributions {
public:
  Contributions(Statics& statics, unsigned bit) : statics_(statics), bit_(bit) {}

  std::vector<Contribution> of(const llvm::Value* word) {
    std::vector<const llvm::Value*> work{word};
    while (!work.empty()) {
      const llvm::Value* const value = work.back();
      work.pop_back();
      if (!seen_.insert(value).second)
        continue;
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(value)) {
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          part(phi->getIncomingValue(i), work, [&] {
            const llvm::BasicBlock& from = *phi->getIncomingBlock(i);
            return both(statics_.reached(from), statics_.taken(from, *phi->getParent()));
          });
      } else if (instruction && instruction->getOpcode() == llvm::Instruction::Or) {
        for (const llvm::Value* operand : instruction->operand_values())
          part(operand, work, [&] { return statics_.reached(*instruction->getParent()); });
      } else if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(value)) {
        const Label reached = statics_.reached(*select->getParent());
        const Label condition = statics_.value(select->getCondition());
        part(select->getTrueValue(), work,
             [&] { return condition ? both(reached, condition) : reached; });
        part(select->getFalseValue(), work, [&] {
          return condition ? both(reached, statics_.table.negation(condition)) : reached;
        });
      } else {
        part(value, work, [&] { return statics_.table.constant(1, 1); });
      }
    }
    return std::move(found_);
  }

private:
  Label both(Label a, Label b) { return statics_.table.make(Op::And, 1, a, b); }

  template <typename When>
  void part(const llvm::Value* value, std::vector<const llvm::Value*>& work, When&& when) {
    if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      if (number->getValue().extractBitsAsZExtValue(1, bit_) != 0)
        found_.push_back({when()});
      return;
    }
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && (llvm::isa<llvm::PHINode>(value) || llvm::isa<llvm::SelectInst>(value) ||
                        instruction->getOpcode() == llvm::Instruction::Or)) {
      work.push_back(value);
      return;
    }
    const Label label = statics_.value(value);
    if (!label || !instruction || llvm::isa<llvm::LoadInst>(value)) {
      found_.push_back({0, false});
      return;
    }
    found_.push_back({both(both(when(), statics_.reached(*instruction->getParent())),
                           statics_.table.make(Op::Extract, 1, label, 0, 0, bit_))});
  }

  Statics& statics_;
  unsigned bit_;
  std::set<const llvm::Value*> seen_;
  std::vector<Contribution> found_;
};

// What is published of a word of outcomes: `atomic_or` into the state buffer, the last argument.
// nullopt: something is published of which it cannot be said where.
std::optional<std::vector<const llvm::AtomicRMWInst*>>
published(const llvm::Function& item, const simulator::KernelShape& shape, unsigned word) {
  std::vector<const llvm::AtomicRMWInst*> found;
  const llvm::DataLayout& layout = item.getParent()->getDataLayout();
  for (const llvm::Instruction& instruction : llvm::instructions(item)) {
    const auto* const atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    if (!atomic || atomic->getOperation() != llvm::AtomicRMWInst::Or)
      continue;
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        atomic->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    const auto* const load =
        llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(atomic->getPointerOperand(), 0));
    if (!load) {
      if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(
              llvm::getUnderlyingObject(atomic->getPointerOperand(), 0)))
        continue; // the kernel's own
      return std::nullopt;
    }
    llvm::APInt place(64, 0);
    const llvm::Value* const block =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, place, true);
    if (block == item.getArg(0)) // __local memory
      continue;
    if (block != item.getArg(1) || (place.getZExtValue() == shape.parameters.back().offset &&
                                    base != load)) // loaded from memory, or at any place
      return std::nullopt;
    if (place.getZExtValue() == shape.parameters.back().offset &&
        offset.getZExtValue() == 4 * (GPUTEST_STATE_HEADER_WORDS + std::uint64_t{word}))
      found.push_back(atomic);
  }
  return found;
}

Verdict ask(const Table& table, const std::vector<Label>& conditions, Z3Process& z3,
            const ProofLimits& limits, double& seconds) {
  Verdict verdict;
  for (const Theory theory : {Theory::BitVectors, Theory::FloatingPoint}) {
    Script script = script_of(table, conditions, theory, true);
    if (theory == Theory::FloatingPoint && !script.floating)
      break;
    script.question.seconds = limits.seconds;
    script.question.megabytes = limits.megabytes;
    verdict = z3.ask(script.question);
    seconds += verdict.seconds;
    if (verdict.kind == Verdict::Kind::Unsatisfiable || verdict.kind == Verdict::Kind::Missing ||
        !limits.floating)
      break;
  }
  return verdict;
}

} // namespace

Prover::Prover(const simulator::Source& coverage, const std::string& kernel)
    : parts_(std::make_unique<Parts>()) {
  simulator::on_large_stack([&] {
    build(coverage, kernel, parts_->context, parts_->module, parts_->shape);
    parts_->item = parts_->module->getFunction(simulator::kItemFunction);
    parts_->statics.emplace(*parts_->item, parts_->shape);
  });
}

Prover::Prover(Prover&&) noexcept = default;
Prover::~Prover() = default;

const simulator::KernelShape& Prover::shape() const {
  return parts_->shape;
}
Table& Prover::table() {
  return parts_->statics->table;
}

Label Prover::argument(const std::string& name) {
  for (std::size_t i = 0; i < parts_->shape.parameters.size(); ++i) {
    const simulator::Parameter& parameter = parts_->shape.parameters[i];
    if (parameter.name == name && parameter.kind == simulator::Parameter::Kind::Value &&
        (parameter.size == 1 || parameter.size == 2 || parameter.size == 4 || parameter.size == 8))
      return parts_->statics->argument(i, 0, static_cast<unsigned>(parameter.size));
  }
  return 0;
}

Label Prover::size(Unit::Kind kind, unsigned dimension) {
  return parts_->statics->size(kind, dimension);
}

Label Prover::number(const std::string& name) {
  const Label label = argument(name);
  const auto parameter =
      std::ranges::find(parts_->shape.parameters, name, &simulator::Parameter::name);
  if (!label || parameter->type == "float" || parameter->type == "double")
    return 0;
  // "uint", "unsigned int", "size_t"; bool is 0 or 1.
  const bool with_sign =
      !parameter->type.starts_with("u") && parameter->type != "size_t" && parameter->type != "bool";
  return table().make(with_sign ? Op::SExt : Op::ZExt, 64, label);
}

void Prover::require(Label condition) {
  parts_->required.push_back(condition);
}

void Prover::find_invariants(Z3Process& z3, const ProofLimits& limits) {
  if (std::exchange(parts_->has_invariants, true) || limits.invariant_seconds <= 0)
    return;
  simulator::on_large_stack([&] {
    Statics& statics = *parts_->statics;
    statics.use_always(true);
    const ProofLimits quick{
        .seconds = std::min(limits.seconds, 0.5), .megabytes = limits.megabytes, .floating = false};
    const std::vector<Label> allowed = parts_->allowed(true);
    double seconds = 0;
    testgen::find_invariants(
        statics,
        [&](std::vector<Label> conditions) {
          conditions.insert(conditions.end(), allowed.begin(), allowed.end());
          const std::vector<Label> facts = statics.facts(conditions, true);
          conditions.insert(conditions.end(), facts.begin(), facts.end());
          return statics.table.full() ? Verdict{}
                                      : ask(statics.table, conditions, z3, quick, seconds);
        },
        limits.invariant_seconds);
    if (statics.table.full())
      statics.forget_always();
  });
}

std::vector<Label> Prover::Parts::allowed(bool small) {
  std::vector<Label> all = required;
  if (small) {
    const std::vector<Label> launch = statics->small_launch();
    all.insert(all.end(), launch.begin(), launch.end());
  }
  return all;
}

Proof Prover::Parts::outcome(unsigned bit, bool small, Z3Process& z3, const ProofLimits& limits) {
  Proof proof;
  statics->use_always(small);
  const auto stores = published(*item, shape, bit / 32);
  if (!stores) {
    proof.reason = "where outcomes are published cannot be followed";
    return proof;
  }
  std::vector<Contribution> all;
  for (const llvm::AtomicRMWInst* store : *stores) {
    if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(store->getValOperand())) {
      if (number->getValue().extractBitsAsZExtValue(1, bit % 32) != 0)
        all.push_back({statics->reached(*store->getParent())});
      continue;
    }
    const std::vector<Contribution> some =
        Contributions(*statics, bit % 32).of(store->getValOperand());
    all.insert(all.end(), some.begin(), some.end());
  }
  std::string reasons;
  for (const Contribution& one : all) {
    if (!one.known) {
      proof.reason = "where the outcome comes from cannot be followed";
      return proof;
    }
    const std::string text = text_of(statics->table, one.condition, statics->names);
    std::vector<Label> conditions = allowed(small);
    conditions.push_back(one.condition);
    if (statics->table.full()) {
      proof.reason = "there are more expressions than the limit allows";
      return proof;
    }
    const Node& node = statics->table[one.condition];
    if (node.op == Op::Constant && node.number == 0)
      continue;
    if (node.op == Op::Constant) {
      proof.reason = "nothing stands in its way";
      return proof;
    }
    Verdict verdict;
    std::size_t before = 0;
    for (const bool quick : {true, false}) {
      const std::vector<Label> facts = statics->facts(conditions, quick);
      if (facts.size() == before && !quick)
        break; // there are no more
      before = facts.size();
      std::vector<Label> all_of_them = conditions;
      all_of_them.insert(all_of_them.end(), facts.begin(), facts.end());
      verdict = ask(statics->table, all_of_them, z3, limits, proof.z3_seconds);
      if (verdict.kind == Verdict::Kind::Unsatisfiable || verdict.kind == Verdict::Kind::Missing)
        break;
    }
    if (verdict.kind != Verdict::Kind::Unsatisfiable) {
      proof.reason = verdict.kind == Verdict::Kind::Satisfiable
                         ? fmt::format("it may happen where {}", text)
                         : verdict.reason;
      proof.unknown = verdict.kind == Verdict::Kind::Unknown;
      return proof;
    }
    if (reasons.find(text) == std::string::npos)
      reasons += (reasons.empty() ? "" : ", nor ") + text;
  }
  proof.kind = Proof::Kind::Impossible;
  proof.reason = reasons.empty()
                     ? "no statement that can run records it"
                     : fmt::format("no values{} satisfy {}{}",
                                   required.empty() ? "" : " that are allowed", reasons,
                                   small ? ", in launches of fewer than 2^31 work-items in each "
                                           "dimension"
                                         : "");
  return proof;
}

Proof Prover::outcome(unsigned bit, Z3Process& z3, const ProofLimits& limits) {
  Proof proof;
  const auto attempt = [&](bool small) {
    simulator::on_large_stack([&] {
      const double before = proof.z3_seconds;
      proof = parts_->outcome(bit, small, z3, limits);
      proof.z3_seconds += before;
    });
  };
  if (limits.all_launches)
    attempt(false);
  if (proof.kind == Proof::Kind::Impossible || limits.invariant_seconds <= 0 ||
      solver_program().empty())
    return proof;
  find_invariants(z3, limits);
  attempt(true);
  return proof;
}

EqualityProof prove_equal(const std::string& type, const std::string& parameters,
                          const std::string& first, const std::string& second, Z3Process& z3,
                          const ProofLimits& limits) {
  EqualityProof proof;
  simulator::on_large_stack([&] {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module;
    simulator::KernelShape shape;
    build({.name = "equal.cl",
           .text = fmt::format("kernel void k(global {0}* gputest_first, global {0}* "
                               "gputest_second, {1}) {{ *gputest_first = ({2}); "
                               "*gputest_second = ({3}); }}",
                               type, parameters, first, second),
           .definitions = {},
           .include_directories = {},
           .options = {},
           .cl_std = ""},
          "k", context, module, shape);
    llvm::Function& item = *module->getFunction(simulator::kItemFunction);
    Statics statics(item, shape);
    std::vector<const llvm::StoreInst*> stores;
    for (const llvm::Instruction& instruction : llvm::instructions(item))
      if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        stores.push_back(store);
    const auto stored = [&](const llvm::StoreInst& store) {
      const llvm::Value* const value = store.getValueOperand();
      if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(value))
        return statics.table.constant(number->getZExtValue(), number->getBitWidth());
      if (const auto* const number = llvm::dyn_cast<llvm::ConstantFP>(value))
        return statics.table.constant(number->getValueAPF().bitcastToAPInt().getZExtValue(),
                                      number->getType()->getScalarSizeInBits());
      return statics.value(value);
    };
    const Label a = stores.size() == 2 ? stored(*stores[0]) : 0;
    const Label b = stores.size() == 2 ? stored(*stores[1]) : 0;
    if (!a || !b) {
      proof.reason = "one of them is not followed";
      return;
    }
    if (a == b) {
      proof = {EqualityProof::Kind::Equal, "both are " + text_of(statics.table, a, statics.names)};
      return;
    }
    Label same = statics.table.make(Op::Equal, 1, a, b);
    if (llvm::Type* const kind = stores[0]->getValueOperand()->getType(); kind->isFloatingPointTy())
      same = statics.table.make(Op::Or, 1, same,
                                statics.table.make(Op::And, 1,
                                                   statics.table.make(Op::FUnordered, 1, a, a),
                                                   statics.table.make(Op::FUnordered, 1, b, b)));
    std::vector<Label> conditions{statics.table.negation(same)};
    const std::vector<Label> facts = statics.facts(conditions);
    conditions.insert(conditions.end(), facts.begin(), facts.end());
    double seconds = 0;
    const Script script = script_of(statics.table, conditions, Theory::FloatingPoint, true);
    const Verdict verdict = ask(statics.table, conditions, z3, limits, seconds);
    if (verdict.kind == Verdict::Kind::Unsatisfiable) {
      proof = {EqualityProof::Kind::Equal,
               fmt::format("proved by Z3 for all values of {}", parameters)};
    } else if (verdict.kind == Verdict::Kind::Satisfiable && script.exact) {
      std::string values;
      for (const auto& [name, value] : verdict.values)
        values += fmt::format("{}{} = {}", values.empty() ? "" : ", ",
                              statics.names[std::stoull(name.substr(1))], value);
      proof = {EqualityProof::Kind::Different, values};
    } else {
      proof.reason = verdict.kind == Verdict::Kind::Satisfiable
                         ? "they call functions that Z3 knows nothing of, or divide by 0"
                         : verdict.reason;
    }
  });
  return proof;
}

} // namespace gputest::testgen
