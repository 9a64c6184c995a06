// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of pointers that may point into one of several objects: `p = c ? a : b`, a pointer out of
// a loop, a function, a struct or a table. Such a pointer's bounds travel with it. Beside a phi or
// a select of pointers there is one of their bounds, and beside a private variable that holds
// pointers there is one that holds their bounds.
#pragma once

#include "ir/kernel.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace gputest::simulator {

// Returns the values that a pointer is computed from by steps, casts, phis and selects: variables,
// and what is loaded, called or an argument.
llvm::SmallVector<llvm::Value*, 4> leaves_of(llvm::Value* pointer);

// Whether the pointer may be to one of several private variables, or to a constant, so that the
// optimiser could take an access outside of them for one that never happens.
// `holds_pointers`: the work-item stores pointers to memory.
bool is_chosen(llvm::Value* pointer, bool holds_pointers);

// Whether `item` stores pointers to memory or reads them from constants.
bool stores_pointers(const llvm::Function& item);

class ChosenBounds {
public:
  // `item`: before accesses get checks.
  ChosenBounds(llvm::Function& item, ir::KernelShape& shape);

  // Whether bounds of the pointer can be known in a run.
  bool any_known(llvm::Value* pointer);

  // The bounds in a run. The size is ~0 if they are not known; then `object` is ~0, too.
  struct Bounds {
    llvm::Value *begin, *size, *object;
  };
  // `write`: the size is that for writes.
  Bounds of(llvm::Value* pointer, bool write);

  // Adds what keeps the bounds of pointers that the work-item stores or copies. Call it last.
  void follow_stores();

private:
  enum Part : unsigned { kBegin, kReadable, kWritable, kObject, kSlots };
  static constexpr unsigned kParts = 5;
  using Builder = llvm::IRBuilder<>;

  llvm::Type* type_of(Part part) const;
  llvm::Value* unknown(Part part) const;
  llvm::Value* part_of(llvm::Value* pointer, Part part);
  llvm::Value* part_of_phi(llvm::PHINode& phi, Part part);
  llvm::Value* part_of_leaf(llvm::Value* leaf, Part part);
  llvm::Value* part_of_loaded(llvm::LoadInst& load, Part part);
  llvm::Value* slots_of(llvm::Value* leaf);

  // The entry for the place to which `pointer` points. `none`: what stands for it outside.
  llvm::Value* entry_of(Builder& builder, llvm::Value* pointer, llvm::Value* none);
  llvm::Value* field(Builder& builder, llvm::Value* entry, unsigned index) const;
  llvm::GlobalVariable* table_of(const llvm::GlobalVariable& constant);

  void find_holders();
  bool any_leaf(llvm::Value* pointer, llvm::function_ref<bool(llvm::Value*)> wanted);
  bool may_hold(llvm::Value* pointer);
  bool has_slots(llvm::Value* pointer);
  void keep(llvm::StoreInst& store);
  void keep(llvm::MemTransferInst& copy);

  llvm::Function& item_;
  llvm::Module& module_;
  ir::KernelShape& shape_;
  const llvm::DataLayout& layout_;
  llvm::Type *pointer_, *word_;

  // What the work-item does with pointers in memory, with addresses as the author wrote them.
  llvm::DenseMap<llvm::LoadInst*, llvm::Value*> loads_;
  std::vector<std::pair<llvm::StoreInst*, llvm::Value*>> stores_;
  struct Transfer {
    llvm::MemTransferInst* copy;
    llvm::Value *to, *from;
  };
  std::vector<Transfer> transfers_;

  std::set<llvm::Value*> holders_;                   // variables that may hold pointers
  std::map<llvm::Value*, llvm::AllocaInst*> beside_; // and what holds the bounds
  std::map<const llvm::GlobalVariable*, llvm::GlobalVariable*> tables_; // the same for constants
  std::map<std::pair<llvm::Value*, unsigned>, llvm::Value*> parts_;
  std::map<llvm::LoadInst*, std::pair<llvm::Value*, llvm::Value*>> entries_; // and if it is valid
  llvm::AllocaInst* sink_ = nullptr;
};

} // namespace gputest::simulator
