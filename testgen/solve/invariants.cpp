#include "testgen/solve/invariants.h"

#include "model/clock.h"
#include "testgen/concolic/operations.h"

#include <algorithm>
#include <chrono>
#include <llvm/IR/InstIterator.h>
#include <set>

namespace gputest::testgen {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostBounds = 12;  // of one variable
constexpr std::size_t kMostGuesses = 96; // of all variables

// `phi op bound`, or `bound op phi`.
struct Guess {
  const llvm::PHINode* phi = nullptr;
  Op op = Op::ULessEqual;
  bool first = true; // the variable is the first operand
  Label bound = 0;
};

class Finder {
public:
  Finder(Statics& statics, const Refutes& refutes, double seconds)
      : statics_(statics), refutes_(refutes), until_(Clock::now() + clock_duration(seconds)) {}

  void run() {
    for (const llvm::PHINode* phi : statics_.loop_variables())
      guess(*phi);
    for (bool fewer = true; fewer;) {
      tell();
      fewer = std::erase_if(guesses_, [&](const Guess& one) { return !stays(one); }) != 0;
    }
  }

private:
  Label text_of(const Guess& guess, Label variable) const {
    return statics_.table.make(guess.op, 1, guess.first ? variable : guess.bound,
                               guess.first ? guess.bound : variable);
  }

  // Bounds: what it begins with, and what the kernel compares numbers of its width with.
  void guess(const llvm::PHINode& phi) {
    const Label variable = statics_.value(&phi);
    const unsigned bits = width_of(*phi.getType());
    std::vector<Label> bounds{statics_.table.constant(0, bits), statics_.table.constant(1, bits)};
    const auto add = [&](const llvm::Value* value) {
      const Label label = statics_.outside(*value, phi) ? statics_.operand(value) : 0;
      if (label && label != variable && bounds.size() < kMostBounds &&
          std::ranges::find(bounds, label) == bounds.end())
        bounds.push_back(label);
    };
    for (const llvm::Value* incoming : phi.incoming_values())
      add(incoming);
    for (const llvm::Instruction& instruction : llvm::instructions(*phi.getFunction()))
      if (const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
          compare && compare->getOperand(0)->getType() == phi.getType())
        for (const llvm::Value* operand : compare->operand_values())
          add(operand);
    for (const Label bound : bounds)
      for (const Op op : {Op::ULessEqual, Op::SLessEqual})
        for (const bool first : {true, false})
          if (guesses_.size() < kMostGuesses)
            guesses_.push_back({&phi, op, first, bound});
  }

  void tell() const {
    statics_.forget_always();
    for (const Guess& one : guesses_)
      statics_.keep_always(*one.phi, text_of(one, statics_.value(one.phi)));
  }

  // Whether it holds on every way to the variable.
  bool stays(const Guess& guess) const {
    const llvm::BasicBlock& block = *guess.phi->getParent();
    for (unsigned i = 0; i < guess.phi->getNumIncomingValues(); ++i) {
      const llvm::BasicBlock& from = *guess.phi->getIncomingBlock(i);
      const Label value = statics_.operand(guess.phi->getIncomingValue(i));
      if (!value || Clock::now() > until_)
        return false;
      const Label holds = text_of(guess, value);
      if (const Node& node = statics_.table[holds]; node.op == Op::Constant) {
        if (node.number == 0)
          return false;
        continue;
      }
      if (!refutes_({statics_.reached(from), statics_.taken(from, block),
                     statics_.table.negation(holds)}))
        return false;
    }
    return true;
  }

  Statics& statics_;
  const Refutes& refutes_;
  Clock::time_point until_;
  std::vector<Guess> guesses_;
};

} // namespace

void find_invariants(Statics& statics, const Refutes& refutes, double seconds) {
  Finder(statics, refutes, seconds).run();
}

} // namespace gputest::testgen
