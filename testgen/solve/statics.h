// A kernel's values as expressions of what is known before it runs.
//
// Arguments and sizes of the launch are variables; what memory holds, and what a loop makes of its
// variables, is anything. So every run is one assignment of the variables, and what no assignment
// satisfies, no run does.
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

  // What is certain while a block runs: the decisions that all ways there take.
  Label reached(const llvm::BasicBlock& block);
  // And one of its ways out is taken.
  Label taken(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  // What else holds of the variables that the expressions are made of.
  std::vector<Label> facts(std::vector<Label> expressions);

private:
  Label anything(unsigned bits, const std::string& name);
  Label context(std::uint64_t word);
  void facts_of_launch();
  Label translate(const llvm::Instruction& instruction);
  Label phi_fact(const llvm::PHINode& phi);
  Label operand(const llvm::Value* value);

  llvm::Function& item_;
  const simulator::KernelShape& shape_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::map<const llvm::Value*, Label> values_;
  std::map<const llvm::BasicBlock*, Label> reached_;
  std::map<std::pair<std::uint64_t, unsigned>, Label> arguments_;
  std::map<std::uint64_t, Label> context_;
  std::map<Label, const llvm::PHINode*> phis_; // by their variable
  std::map<const llvm::PHINode*, Label> phi_facts_;
  std::map<Label, std::vector<Label>> launch_facts_; // by the variable that they are about
};

} // namespace gputest::testgen
