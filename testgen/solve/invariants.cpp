// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/invariants.h"

#include "testgen/concolic/operations.h"

#include <algorithm>
#include <bit>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <map>
#include <set>
#include <utility>

namespace gputest::testgen {
namespace {

constexpr std::size_t kMostBounds = 12;  // of one variable
constexpr std::size_t kMostGuesses = 96; // of all variables
constexpr unsigned kMostQuestions = 80;

// A guess: `phi op bound` or `bound op phi`. With a counter, which begins at 0 and grows by 1, the
// guess is the variable's value in each iteration: `phi == bound + counter * step` (Op::Add), or
// `phi == bound >> counter * step` (Op::LShr).
struct Guess {
  const llvm::PHINode* phi = nullptr;
  Op op = Op::ULessEqual;
  bool first = true; // the variable is the first operand
  Label bound = 0;
  const llvm::PHINode* counter = nullptr;
  std::uint64_t step = 0;
};

// How a variable changes in each iteration: by an Add of `step`, or an LShr; Input: otherwise.
struct Change {
  Op op = Op::Input;
  std::uint64_t step = 0;
};

Change change_of(const llvm::PHINode& phi, const llvm::Value& next) {
  const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&next);
  if (!operation || operation->getOperand(0) != &phi)
    return {};
  const auto* const by = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  if (!by || by->getBitWidth() > 64)
    return {};
  const std::uint64_t number = by->getZExtValue();
  switch (operation->getOpcode()) {
  case llvm::Instruction::Add:
    return {Op::Add, number};
  case llvm::Instruction::Sub:
    return {Op::Add, 0 - number};
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return {Op::LShr, number};
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
    if (std::has_single_bit(number))
      return {Op::LShr, static_cast<std::uint64_t>(std::countr_zero(number))};
    return {};
  default:
    return {};
  }
}

class Finder {
public:
  Finder(Statics& statics, const Ask& ask, double seconds)
      : statics_(statics), ask_(ask), steps_left_(seconds * kStepsOfSecond) {}

  void run() {
    for (const llvm::PHINode* phi : statics_.loop_variables())
      guess_by_counters(*phi);
    for (const llvm::PHINode* phi : statics_.loop_variables())
      guess(*phi);
    for (bool fewer = true; fewer;) {
      const std::size_t before = guesses_.size();
      for (const llvm::BasicBlock* header : headers())
        settle(*header);
      fewer = guesses_.size() != before;
    }
    tell();
  }

private:
  // Keeps what stays of one loop, so that later loops are asked about with what is true of it. What
  // its variables begin with does not depend on guesses about them.
  void settle(const llvm::BasicBlock& header) {
    tell();
    for (const llvm::BasicBlock* from : llvm::predecessors(&header))
      if (!statics_.is_back(*from, header))
        keep_what_stays(header, *from);
    for (bool fewer = true; fewer;) {
      tell();
      const std::size_t before = guesses_.size();
      for (const llvm::BasicBlock* from : llvm::predecessors(&header))
        if (statics_.is_back(*from, header))
          keep_what_stays(header, *from);
      fewer = guesses_.size() != before;
    }
  }

  Label text_of(const Guess& guess, Label variable, Label counter) const {
    if (guess.counter)
      return counted(guess, variable, counter);
    return statics_.table.make(guess.op, 1, guess.first ? variable : guess.bound,
                               guess.first ? guess.bound : variable);
  }

  Label counted(const Guess& guess, Label variable, Label counter) const {
    Table& table = statics_.table;
    const auto number = [&](std::uint64_t value) { return table.constant(value, 64); };
    const auto wide = [&](Label label) {
      return table[label].bits == 64 ? label : table.make(Op::ZExt, 64, label);
    };
    const unsigned bits = table[variable].bits;
    const Label times = guess.step == 1
                            ? wide(counter)
                            : table.make(Op::Mul, 64, wide(counter), number(guess.step));
    const Label value = table.make(guess.op, 64, wide(guess.bound), times);
    const Label same =
        table.make(Op::Equal, 1, variable, bits == 64 ? value : table.make(Op::Trunc, bits, value));
    return guess.op == Op::Add
               ? same
               : table.make(Op::And, 1, same,
                            table.make(Op::ULess, 1, wide(counter), number(64 / guess.step)));
  }

  // coverage.cl counts iterations, and other variables may depend on the count: `for (i = 0; i <
  // 31; ++i)` never iterates just once.
  void guess_by_counters(const llvm::PHINode& phi) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const Change change = change_of(phi, *phi.getIncomingValue(i));
      if (phi.getNumIncomingValues() != 2 || change.op == Op::Input || change.step == 0)
        continue;
      const llvm::Value& begin = *phi.getIncomingValue(1 - i);
      if (change.op == Op::LShr && (change.step > 32 || !llvm::isa<llvm::ConstantInt>(begin)))
        continue; // which is nothing that Z3 knows quickly
      const Label bound = statics_.outside(begin, phi) ? statics_.operand(&begin) : 0;
      const llvm::BasicBlock &before = *phi.getIncomingBlock(1 - i),
                             &within = *phi.getIncomingBlock(i);
      const bool itself = counts(phi, before, within);
      for (const llvm::PHINode& counter : phi.getParent()->phis()) {
        if (&counter == &phi) {
          if (itself) // of two counters, one follows from the other
            break;
          continue;
        }
        if (bound && counter.getType()->isIntegerTy() && statics_.value(&counter) &&
            counts(counter, before, within))
          guesses_.push_back({.phi = &phi,
                              .op = change.op,
                              .bound = bound,
                              .counter = &counter,
                              .step = change.step});
      }
    }
  }

  static bool counts(const llvm::PHINode& phi, const llvm::BasicBlock& before,
                     const llvm::BasicBlock& within) {
    const auto* const begin =
        llvm::dyn_cast<llvm::ConstantInt>(phi.getIncomingValueForBlock(&before));
    const Change change = change_of(phi, *phi.getIncomingValueForBlock(&within));
    return begin && begin->isZero() && change.op == Op::Add && change.step == 1;
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

  void tell() {
    statics_.forget_always();
    told_.clear();
    for (const Guess& one : guesses_) {
      ++told_[one.phi];
      const Label counter = one.counter ? statics_.value(one.counter) : 0;
      statics_.keep_always(*one.phi, text_of(one, statics_.value(one.phi), counter));
    }
  }

  std::vector<const llvm::BasicBlock*> headers() const { // in order, each once
    std::vector<const llvm::BasicBlock*> all;
    for (const Guess& one : guesses_)
      if (std::ranges::find(all, one.phi->getParent()) == all.end())
        all.push_back(one.phi->getParent());
    return all;
  }

  // Returns the guess for the value that comes from `from`; 0: it cannot be expressed.
  Label held(const Guess& guess, const llvm::BasicBlock& from) const {
    const Label value = statics_.operand(guess.phi->getIncomingValueForBlock(&from));
    const Label counter =
        guess.counter ? statics_.operand(guess.counter->getIncomingValueForBlock(&from)) : 0;
    return value && (counter || !guess.counter) ? text_of(guess, value, counter) : 0;
  }

  // Keeps the guesses about a loop's variables that hold when the loop is reached from `from`. One
  // question asks about all of them; if Z3 does not come to its end, one about each follows.
  void keep_what_stays(const llvm::BasicBlock& header, const llvm::BasicBlock& from) {
    const Label reached = statics_.reached(from), taken = statics_.taken(from, header);
    std::vector<Label> open;
    drop(header, from, [&](Label holds) {
      if (holds && !is(holds, 0) && !is(holds, 1) && std::ranges::find(open, holds) == open.end())
        open.push_back(holds);
      return !holds || is(holds, 0);
    });
    Held& known = held_[{&from, &header}];
    if (known.is_valid(told_))
      std::erase_if(open, [&](Label doubt) { return known.doubts.contains(doubt); });
    if (open.empty())
      return;
    Answer all = answer({reached, taken}, open);
    drop(header, from, [&](Label holds) { return all.wrong.contains(holds); });
    if (all.complete) {
      known = {.doubts = {open.begin(), open.end()}, .used = told_of(reached, taken, open)};
      std::erase_if(known.doubts, [&](Label doubt) { return all.wrong.contains(doubt); });
      return;
    }
    drop(header, from, [&](Label holds) {
      if (is(holds, 1))
        return false;
      const Answer one = answer({reached, taken}, {holds});
      return !one.complete || !one.wrong.empty();
    });
  }

  // How many guesses are told about each variable. They only become fewer.
  using Told = std::map<const llvm::PHINode*, std::size_t>;

  // What the latest answer about a way into a loop said, with what was told then.
  struct Held {
    std::set<Label> doubts{}; // that hold
    Told used{};              // of the variables in the question

    bool is_valid(const Told& told) const {
      return std::ranges::all_of(used, [&](const auto& one) {
        const auto now = told.find(one.first);
        return one.second == (now == told.end() ? 0 : now->second);
      });
    }
  };

  Told told_of(Label reached, Label taken, std::vector<Label> labels) {
    labels.insert(labels.end(), {reached, taken});
    const std::vector<Label> facts = statics_.facts(labels, true);
    labels.insert(labels.end(), facts.begin(), facts.end());
    const std::vector<Label> parts = parts_of(statics_.table, labels);
    Told used;
    for (const llvm::PHINode* phi : statics_.loop_variables())
      if (std::ranges::binary_search(parts, statics_.value(phi)))
        used[phi] = told_.contains(phi) ? told_.at(phi) : 0;
    return used;
  }

  template <typename Drops>
  void drop(const llvm::BasicBlock& header, const llvm::BasicBlock& from, Drops&& drops) {
    std::erase_if(guesses_, [&](const Guess& one) {
      return one.phi->getParent() == &header && drops(held(one, from));
    });
  }

  bool is(Label label, std::uint64_t number) const {
    const Node& node = statics_.table[label];
    return node.op == Op::Constant && node.number == number;
  }

  struct Answer {
    bool complete = false; // all doubts hold but those that are wrong
    std::set<Label> wrong{};
  };

  Answer answer(const std::vector<Label>& conditions, const std::vector<Label>& doubts) {
    if (++questions_ > kMostQuestions || steps_left_ <= 0)
      return {};
    const Verdict verdict = ask_(conditions, doubts);
    steps_left_ -= verdict.steps;
    Answer found{.complete = verdict.kind == Verdict::Kind::Unsatisfiable};
    for (const std::size_t wrong : verdict.wrong)
      found.wrong.insert(doubts.at(wrong));
    return found;
  }

  Statics& statics_;
  const Ask& ask_;
  double steps_left_; // of Z3
  unsigned questions_ = 0;
  std::vector<Guess> guesses_;
  Told told_;
  std::map<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, Held> held_;
};

} // namespace

void find_invariants(Statics& statics, const Ask& ask, double seconds) {
  Finder(statics, ask, seconds).run();
}

} // namespace gputest::testgen
