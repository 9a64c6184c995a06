// Instrumentation of what reads and writes memory, and of addresses.
#pragma once

#include "testgen/concolic/labels.h"

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

  // What a call may have written is concrete.
  void forget_outputs(llvm::CallInst& call);
  // Gives bytes a label, or none.
  void fill(Builder& builder, llvm::Value* to, llvm::Value* label, llvm::Value* bytes);

private:
  // The label of what is about to be read.
  llvm::Value* loaded(llvm::Instruction& where, llvm::Value* pointer, llvm::Type& type);
  // Where something is about to be written.
  void written_at(llvm::Instruction& where, llvm::Value* pointer, std::uint64_t bytes);
  void put(Builder& builder, llvm::Value* pointer, llvm::Value* label, std::uint64_t bytes);
  // The context and the block of arguments are the simulator's.
  bool has_shadow(const llvm::Value* pointer) const;
  // Of where it points, for accesses of the kernel's own.
  llvm::Value* place_label_of(const llvm::Value* pointer) const;
};

} // namespace gputest::testgen
