// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/equivalence/canonical_code.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <vector>

namespace gputest::passes {
namespace {

bool write_metadata(const llvm::Metadata* metadata, llvm::raw_ostream& out) {
  if (!metadata) {
    out << "null ";
  } else if (const auto* constant = llvm::dyn_cast<llvm::ConstantAsMetadata>(metadata)) {
    constant->getValue()->printAsOperand(out);
  } else if (const auto* text = llvm::dyn_cast<llvm::MDString>(metadata)) {
    out << '"' << text->getString() << '"';
  } else if (const auto* node = llvm::dyn_cast<llvm::MDTuple>(metadata);
             node && !node->isDistinct()) {
    out << '{';
    for (const llvm::MDOperand& operand : node->operands()) {
      if (!write_metadata(operand.get(), out))
        return false;
      out << ' ';
    }
    out << '}';
  } else {
    return false;
  }
  return true;
}

// Names of structures do not tell their content.
void write_type(const llvm::Type& type, llvm::raw_ostream& out) {
  const auto* structure = llvm::dyn_cast<llvm::StructType>(&type);
  if (structure && !structure->isOpaque()) {
    out << (structure->isPacked() ? "<{" : "{");
    for (const llvm::Type* element : structure->elements())
      write_type(*element, out);
    out << '}';
  } else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    out << '[' << array->getNumElements() << ' ';
    write_type(*array->getElementType(), out);
    out << ']';
  } else {
    type.print(out, false, /*NoDetails=*/true);
  }
  out << ' ';
}

bool is_hint(unsigned kind) {
  return kind == llvm::LLVMContext::MD_dbg || kind == llvm::LLVMContext::MD_loop ||
         kind == llvm::LLVMContext::MD_prof || kind == llvm::LLVMContext::MD_unpredictable;
}

// Describes everything about the instruction except its operands.
bool describe(const llvm::Instruction& instruction, llvm::raw_ostream& out) {
  out << instruction.getOpcodeName() << ' ';
  write_type(*instruction.getType(), out);
  out << static_cast<unsigned>(instruction.getRawSubclassOptionalData()) << ' ';
  const auto atomic = [&](bool is_volatile, llvm::AtomicOrdering ordering,
                          llvm::SyncScope::ID scope) {
    out << is_volatile << ' ' << static_cast<unsigned>(ordering) << ' '
        << static_cast<unsigned>(scope) << ' ';
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    out << load->getAlign().value() << ' ';
    atomic(load->isVolatile(), load->getOrdering(), load->getSyncScopeID());
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    out << store->getAlign().value() << ' ';
    atomic(store->isVolatile(), store->getOrdering(), store->getSyncScopeID());
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    out << static_cast<unsigned>(update->getOperation()) << ' ' << update->getAlign().value()
        << ' ';
    atomic(update->isVolatile(), update->getOrdering(), update->getSyncScopeID());
  } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    out << exchange->isWeak() << ' ' << exchange->getAlign().value() << ' '
        << static_cast<unsigned>(exchange->getFailureOrdering()) << ' ';
    atomic(exchange->isVolatile(), exchange->getSuccessOrdering(), exchange->getSyncScopeID());
  } else if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    atomic(false, fence->getOrdering(), fence->getSyncScopeID());
  } else if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    write_type(*variable->getAllocatedType(), out);
    out << variable->getAlign().value() << ' ';
  } else if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    out << static_cast<unsigned>(compare->getPredicate()) << ' ';
  } else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    write_type(*address->getSourceElementType(), out);
  } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    if (call->hasOperandBundles())
      return false;
    call->getFunctionType()->print(out, false, true);
    out << ' ' << static_cast<unsigned>(call->getCallingConv()) << ' ';
    call->getAttributes().print(out);
  } else if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    for (const unsigned index : extract->indices())
      out << index << ' ';
  } else if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    for (const unsigned index : insert->indices())
      out << index << ' ';
  } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    for (const int index : shuffle->getShuffleMask())
      out << index << ' ';
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    for (const auto& one : choice->cases()) // operands no longer, from LLVM 22 on
      out << one.getCaseValue()->getValue() << ' ';
  } else if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::SelectInst,
                        llvm::FreezeInst, llvm::PHINode, llvm::ExtractElementInst,
                        llvm::InsertElementInst, llvm::BranchInst, llvm::ReturnInst,
                        llvm::UnreachableInst>(instruction)) {
    return false;
  }
  llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>, 4> metadata;
  instruction.getAllMetadataOtherThanDebugLoc(metadata);
  for (const auto& [kind, node] : metadata) {
    if (is_hint(kind))
      continue;
    out << '!' << kind << ' ';
    if (!write_metadata(node, out))
      return false;
  }
  return true;
}

enum class Kind { Value, Read, Effect };

// The visible result of an instruction: a value that depends only on its operands, a value that
// also depends on memory, or an effect that must happen at its place.
Kind kind_of(const llvm::Instruction& instruction) {
  if (instruction.isTerminator() || instruction.mayHaveSideEffects())
    return Kind::Effect;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isConvergent())
    return Kind::Effect;
  const bool reads = instruction.mayReadFromMemory() &&
                     !instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
  return reads ? Kind::Read : Kind::Value;
}

} // namespace

CanonicalCode::Id CanonicalCode::id(const std::string& key) {
  return ids_.try_emplace(key, static_cast<Id>(ids_.size())).first->second;
}

class CanonicalCode::Function {
public:
  Function(CanonicalCode& code, const llvm::Function& function)
      : code_(code), function_(function) {}

  // Returns false if an instruction is not known.
  bool write(std::string& out) {
    const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function_);
    for (const llvm::BasicBlock* block : order)
      blocks_.try_emplace(block, static_cast<unsigned>(blocks_.size()));
    for (const llvm::Argument& argument : function_.args())
      values_[&argument] = code_.id("argument " + std::to_string(argument.getArgNo()));
    for (const llvm::BasicBlock* block : order)
      for (const llvm::PHINode& phi : block->phis())
        values_[&phi] =
            code_.id("phi " + std::to_string(blocks_[block]) + ' ' + std::to_string(phis_++));
    for (const llvm::BasicBlock* block : order)
      if (!write(*block, out))
        return false;
    for (const llvm::BasicBlock* block : order)
      for (const llvm::PHINode& phi : block->phis())
        write(phi, out);
    return true;
  }

private:
  Id of(const llvm::Value& value) {
    const auto [entry, is_new] = values_.try_emplace(&value, 0);
    if (is_new) { // a constant; everything else is there before its uses
      std::string key;
      llvm::raw_string_ostream stream(key);
      if (const auto* block = llvm::dyn_cast<llvm::BasicBlock>(&value))
        stream << "block " << blocks_[block];
      else
        value.printAsOperand(stream, true, function_.getParent());
      return values_[&value] = code_.id(key);
    }
    return entry->second;
  }

  // The state of memory at the beginning of `block`: the state at the end of its predecessors, if
  // they agree.
  Id memory_before(const llvm::BasicBlock& block) {
    std::optional<Id> all;
    for (const llvm::BasicBlock* before : llvm::predecessors(&block)) {
      const auto found = memory_.find(before);
      if (found == memory_.end()) {
        if (!blocks_.contains(before))
          continue; // never executed
        all.reset();
        break;
      }
      if (all && *all != found->second) {
        all.reset();
        break;
      }
      all = found->second;
    }
    return all ? *all : code_.id("memory " + std::to_string(blocks_[&block]));
  }

  bool write(const llvm::BasicBlock& block, std::string& out) {
    Id memory = memory_before(block);
    unsigned effects = 0;
    out += "block\n";
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::PHINode>(instruction))
        continue;
      std::string key;
      llvm::raw_string_ostream stream(key);
      if (!describe(instruction, stream))
        return false;
      write_operands(instruction, stream);
      const Kind kind = kind_of(instruction);
      if (kind == Kind::Read)
        stream << 'm' << memory;
      if (llvm::isa<llvm::AllocaInst>(instruction))
        stream << 'n' << allocas_++; // each is an object of its own
      if (kind == Kind::Effect) {
        out += std::to_string(code_.id(key)) + '\n';
        key = "effect " + std::to_string(blocks_[&block]) + ' ' + std::to_string(effects++);
        if (instruction.mayWriteToMemory() || instruction.mayReadFromMemory())
          memory = code_.id("memory after " + key);
      }
      values_[&instruction] = code_.id(key);
    }
    memory_[&block] = memory;
    return true;
  }

  void write_operands(const llvm::Instruction& instruction, llvm::raw_ostream& out) {
    std::vector<Id> operands;
    for (const llvm::Use& operand : instruction.operands())
      operands.push_back(of(*operand));
    if (instruction.isCommutative() && operands.size() == 2)
      std::ranges::sort(operands);
    for (const Id operand : operands)
      out << operand << ' ';
  }

  void write(const llvm::PHINode& phi, std::string& out) {
    std::vector<std::pair<unsigned, Id>> incoming;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (const auto from = blocks_.find(phi.getIncomingBlock(i)); from != blocks_.end())
        incoming.emplace_back(from->second, of(*phi.getIncomingValue(i)));
    std::ranges::sort(incoming);
    out += "phi";
    for (const auto& [block, value] : incoming)
      out += ' ' + std::to_string(block) + ' ' + std::to_string(value);
    out += '\n';
  }

  CanonicalCode& code_;
  const llvm::Function& function_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, Id> memory_; // at the end
  llvm::DenseMap<const llvm::Value*, Id> values_;
  unsigned phis_ = 0, allocas_ = 0;
};

std::optional<std::string> CanonicalCode::text(const llvm::Module& module) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  for (const llvm::GlobalVariable& variable : module.globals()) {
    variable.print(stream);
    stream << '\n';
  }
  for (const llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    stream << function.getName() << '\n';
    if (!Function(*this, function).write(result))
      return std::nullopt;
  }
  return result;
}

} // namespace gputest::passes
