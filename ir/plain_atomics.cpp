// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/plain_atomics.h"

#include "frontend/mangled_name.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <optional>

namespace gputest::ir {
namespace {

using Operation = llvm::AtomicRMWInst::BinOp;

// Returns what atomic_<name> does; cmpxchg is another instruction.
std::optional<Operation> operation_of(llvm::StringRef name, bool is_signed) {
  if (name == "add" || name == "inc")
    return Operation::Add;
  if (name == "sub" || name == "dec")
    return Operation::Sub;
  if (name == "xchg")
    return Operation::Xchg;
  if (name == "and")
    return Operation::And;
  if (name == "or")
    return Operation::Or;
  if (name == "xor")
    return Operation::Xor;
  if (name == "min")
    return is_signed ? Operation::Min : Operation::UMin;
  if (name == "max")
    return is_signed ? Operation::Max : Operation::UMax;
  return std::nullopt;
}

// Gives the function the attributes that libclc's has. Nothing of the declaration stays: Clang
// gives it a place in the source, and code inlined from a function with a place does not get that
// of the call.
void set_attributes(llvm::Function& function) {
  function.clearMetadata();
  function.setAttributes({});
  function.setLinkage(llvm::GlobalValue::WeakODRLinkage);
  function.setDSOLocal(true);
  for (const llvm::Attribute::AttrKind kind :
       {llvm::Attribute::AlwaysInline, llvm::Attribute::MustProgress, llvm::Attribute::NoFree,
        llvm::Attribute::NoRecurse, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn})
    function.addFnAttr(kind);
  function.setOnlyAccessesArgMemory();
}

void define(llvm::Function& function) {
  frontend::MangledName parts = frontend::parts_of_mangled(function.getName());
  if (!function.isDeclaration() || !parts.name.consume_front("atomic_"))
    return;
  llvm::StringRef types = parts.parameters; // "PU3AS1Vjj"
  if (!types.consume_front("PU3AS1V") && !types.consume_front("PU3AS3V"))
    return;
  const char type = types.empty() ? ' ' : types.front();
  const auto is_integer = [](const llvm::Type* one) { return one->isIntegerTy(32); };
  if ((type != 'i' && type != 'j') || types.size() != function.arg_size() ||
      types.find_first_not_of(type) != llvm::StringRef::npos ||
      !is_integer(function.getReturnType()) || !function.getArg(0)->getType()->isPointerTy() ||
      !llvm::all_of(llvm::drop_begin(function.args()),
                    [&](const llvm::Argument& one) { return is_integer(one.getType()); }))
    return;
  const bool is_step = parts.name == "inc" || parts.name == "dec";
  const bool exchanges = parts.name == "cmpxchg";
  const std::optional<Operation> operation = operation_of(parts.name, type == 'i');
  if ((!exchanges && !operation) || function.arg_size() != (is_step ? 1 : exchanges ? 3 : 2))
    return;
  set_attributes(function);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  constexpr llvm::AtomicOrdering kOrder = llvm::AtomicOrdering::SequentiallyConsistent;
  llvm::Value* const place = function.getArg(0);
  if (exchanges)
    builder.CreateRet(builder.CreateExtractValue(
        builder.CreateAtomicCmpXchg(place, function.getArg(1), function.getArg(2), llvm::Align(4),
                                    kOrder, kOrder),
        0));
  else
    builder.CreateRet(builder.CreateAtomicRMW(
        *operation, place,
        is_step ? builder.getInt32(1) : static_cast<llvm::Value*>(function.getArg(1)),
        llvm::Align(4), kOrder));
}

} // namespace

void define_plain_atomics(llvm::Module& module) {
  for (llvm::Function& function : module)
    define(function);
}

} // namespace gputest::ir
