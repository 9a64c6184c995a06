// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments memory accesses and the computation of addresses.
#pragma once

#include "testgen/concolic/labels.h"
#include "testgen/concolic/relevance.h"

#include <llvm/IR/IntrinsicInst.h>

namespace gputest::testgen {

class MemoryLabels : protected Labels {
protected:
  using Labels::Labels;

  void visit(llvm::LoadInst& load);
  void visit(llvm::StoreInst& store);
  void visit(llvm::GetElementPtrInst& gep);
  void visit(llvm::MemIntrinsic& memory);
  void visit(llvm::AtomicRMWInst& operation);
  void visit(llvm::AtomicCmpXchgInst& exchange);

  // Clears the labels of memory that a call may have written.
  void forget_outputs(llvm::CallInst& call);
  // Gives `bytes` bytes at `to` a label, or 0.
  void fill(Builder& builder, llvm::Value* to, llvm::Value* label, llvm::Value* bytes);

  // Whether anybody asks for the labels of what is there.
  bool keeps_labels(const llvm::Value* pointer) const {
    return relevant_.is_read(memory_place(pointer, item_));
  }

  Relevant relevant_;

private:
  // Returns the label of the value that `where` is about to read.
  llvm::Value* loaded(llvm::Instruction& where, llvm::Value* pointer, llvm::Type& type);
  // Whether reads of this type are followed. If not, notes that `where` is not.
  bool is_read(llvm::Instruction& where, llvm::Type& type);
  // Records the place that `where` is about to access.
  void accessed_at(llvm::Instruction& where, llvm::Value* pointer, llvm::Type& type, bool write);
  std::uint64_t bytes_of(llvm::Type& type) const {
    return layout_.getTypeStoreSize(&type).getFixedValue();
  }
  void put(Builder& builder, llvm::Value* pointer, llvm::Value* label, std::uint64_t bytes);
  // The context and the block of arguments have no shadow: they are the simulator's.
  bool has_shadow(const llvm::Value* pointer) const;
  // Returns the address's label if the access is the kernel's own, else 0.
  llvm::Value* place_label_of(const llvm::Value* pointer) const;
};

} // namespace gputest::testgen
