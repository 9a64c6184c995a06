// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes a kernel's values by expressions without running the kernel.
//
// Arguments and sizes of the launch are variables. Each load from memory is a variable, and so is
// each loop variable, restricted only by invariants. So every run corresponds to an assignment of
// the variables, and a condition that no assignment satisfies holds in no run.
#pragma once

#include "ir/kernel.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/table.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::testgen {

class Statics {
public:
  // `item`: prepared (prepare.h). `source`: the kernel's text, for names.
  Statics(llvm::Function& item, const ir::KernelShape& shape, std::string_view source = {});

  Table table;
  std::vector<Unit> units;
  std::vector<std::string> names; // of units, as an author calls them
  std::vector<bool> naturals;     // by unit: its type has no sign

  // Return the variable of a number in the block of arguments (`offset` in bytes), or of a size of
  // the launch.
  Label argument(std::size_t parameter, std::uint64_t offset, unsigned bytes);
  Label size(Unit::Kind kind, unsigned dimension);
  // Returns the variable of a word of the launch's context (templates/simulator/context.h); 0: it
  // has none.
  Label context(std::uint64_t word) const;
  // Returns the variable for the product of a group's id and its size; 0: `product` is another.
  Label first_item(Label product) const;

  // Returns the expression of an instruction or argument; 0: its type is not supported.
  Label value(const llvm::Value* value) const;
  // The same for an operand, which may be a constant.
  Label operand(const llvm::Value* value);

  // Returns a condition that holds whenever `block` runs: the decisions that all paths to it take.
  // In a loop, also that the loop's condition holds with the initial values of its variables.
  Label reached(const llvm::BasicBlock& block);
  // The same, and that control goes from `from` to `to`.
  Label taken(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  // Returns facts about the variables in `expressions`. `quick`: without products and quotients of
  // sizes, which slow Z3 down and rarely matter.
  std::vector<Label> facts(std::vector<Label> expressions, bool quick = false);

  // Returns labels of the launch and the values that they have in the last of so many full groups
  // in one dimension, which make the slow facts true (replaced() in table.h).
  std::map<Label, Label> in_last_of(unsigned groups);

  // Returns the integer phis at the heads of loops.
  std::vector<const llvm::PHINode*> loop_variables() const;
  // Returns the expressions of these variables and what they are in the first iteration of all
  // loops around them. Variables whose first value has no expression are left out.
  std::map<Label, Label> first_iteration();
  // Returns whether `value` is computed outside the loop of such a variable.
  bool outside(const llvm::Value& value, const llvm::PHINode& variable) const;
  // Returns whether control comes to a loop's head from within the loop.
  bool is_back(const llvm::BasicBlock& from, const llvm::BasicBlock& head) const;
  // Adds an invariant of such a variable: it holds whenever the loop's head is reached
  // (invariants.h).
  void keep_always(const llvm::PHINode& variable, Label holds);
  void forget_always();
  void use_always(bool used); // whether facts() has the invariants; default: true

  // Returns the conditions that offset plus size is below 2^31 in each dimension, which kernels
  // that keep ids in an `int` take for granted.
  std::vector<Label> small_launch();

private:
  Label anything(unsigned bits, const std::string& name, bool natural = false);
  std::optional<std::string> text_of_index(const llvm::Value& index);
  void facts_of_launch();
  void facts_of_items(std::uint64_t sizes, const std::string& name);
  void facts_of_linear_id(Label items);
  Label translate(const llvm::Instruction& instruction);
  Label phi_fact(const llvm::PHINode& phi);
  Label first_taken(const llvm::BasicBlock& from, const llvm::BasicBlock& next);

  llvm::Function& item_;
  const ir::KernelShape& shape_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::map<const llvm::Value*, Label> values_;
  std::map<const llvm::BasicBlock*, Label> reached_;
  std::map<std::pair<std::uint64_t, unsigned>, Label> arguments_;
  std::map<std::uint64_t, Label> context_;
  std::map<Label, const llvm::Instruction*> made_by_; // by variable: its instruction
  std::map<Label, const llvm::PHINode*> phis_;        // by their variable
  std::map<const llvm::PHINode*, Label> phi_facts_;
  std::map<const llvm::PHINode*, Label> always_;
  bool uses_always_ = true;
  std::map<Label, Label> first_items_; // by group and local size: a variable for their product
  std::map<Label, Label>
      products_; // the same of the number of a group's work-items, and linear ids
  std::map<Label, std::vector<Label>> launch_facts_, slow_facts_; // by variable
};

} // namespace gputest::testgen
