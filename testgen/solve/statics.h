// A kernel's values as expressions of what is known before it runs.
//
// Arguments and sizes of the launch are variables; what memory holds is anything, and so is what a
// loop makes of its variables, but for what is said to hold in every iteration. So every run is one
// assignment of the variables, and what no assignment satisfies, no run does.
#pragma once

#include "ir/kernel.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/table.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <map>
#include <string>
#include <vector>

namespace gputest::testgen {

class Statics {
public:
  // `item`: prepared (prepare.h).
  Statics(llvm::Function& item, const simulator::KernelShape& shape);

  Table table;
  std::vector<Unit> units;
  std::vector<std::string> names; // of units

  // A number in the block of arguments, or one of the launch: a variable.
  Label argument(std::size_t parameter, std::uint64_t offset, unsigned bytes);
  Label size(Unit::Kind kind, unsigned dimension);

  // 0: of a type that is not followed.
  Label value(const llvm::Value* value) const;
  // The same of what an instruction uses, numbers among it.
  Label operand(const llvm::Value* value);

  // What is certain while a block runs: the decisions that all ways there take, and in a loop, that
  // its first iteration came: with what its variables begin with, its condition holds.
  Label reached(const llvm::BasicBlock& block);
  // And one of its ways out is taken.
  Label taken(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  // What else holds of the variables that the expressions are made of. `quick`: without products
  // and quotients of sizes, which take Z3 long and matter seldom.
  std::vector<Label> facts(std::vector<Label> expressions, bool quick = false);

  // Whole numbers that loops change, at their loops' beginnings.
  std::vector<const llvm::PHINode*> loop_variables() const;
  // Whether `value` is there before the loop of such a variable, and stays what it is.
  bool outside(const llvm::Value& value, const llvm::PHINode& variable) const;
  // It holds of such a variable whenever its loop's beginning is reached (invariants.h).
  void keep_always(const llvm::PHINode& variable, Label holds);
  void forget_always();
  void use_always(bool used); // facts() has it; so from the beginning on

  // Launches have fewer than 2^31 work-items in each dimension, from 0 on with their offsets: what
  // ids that are kept in an `int` take for granted.
  std::vector<Label> small_launch();

private:
  Label anything(unsigned bits, const std::string& name);
  Label context(std::uint64_t word);
  void facts_of_launch();
  Label translate(const llvm::Instruction& instruction);
  Label phi_fact(const llvm::PHINode& phi);
  Label first_taken(const llvm::BasicBlock& from, const llvm::BasicBlock& next);

  llvm::Function& item_;
  const simulator::KernelShape& shape_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::map<const llvm::Value*, Label> values_;
  std::map<const llvm::BasicBlock*, Label> reached_;
  std::map<std::pair<std::uint64_t, unsigned>, Label> arguments_;
  std::map<std::uint64_t, Label> context_;
  std::map<Label, const llvm::Instruction*> made_by_; // by variable: what is known of it
  std::map<Label, const llvm::PHINode*> phis_;        // by their variable
  std::map<const llvm::PHINode*, Label> phi_facts_;
  std::map<const llvm::PHINode*, Label> always_;
  bool uses_always_ = true;
  std::map<Label, Label> first_items_; // by product of group and local size: a variable for it
  std::map<Label, std::vector<Label>> launch_facts_, slow_facts_; // by what they are about
};

} // namespace gputest::testgen
