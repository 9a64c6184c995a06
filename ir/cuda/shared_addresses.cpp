#include "ir/cuda/shared_addresses.h"

#include "ir/call.h"
#include "ir/host.h"

#include <vector>

namespace gputest::simulator {
namespace {

constexpr const char* kSharedAt = "gputest_shared_at";
constexpr std::uint64_t kMostShared = 256 << 10; // bytes of dynamic memory, and more

// Whether the address lies in the variable, and the pointer with the variable's upper bits.
std::pair<llvm::Value*, llvm::Value*> within(llvm::IRBuilder<>& builder,
                                             llvm::GlobalVariable& variable, llvm::Value* address) {
  const llvm::DataLayout& layout = variable.getParent()->getDataLayout();
  const std::uint64_t size = variable.isDeclaration()
                                 ? kMostShared
                                 : layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
  llvm::Value* const offset = builder.CreateSub(
      address, builder.CreateTrunc(builder.CreatePtrToInt(&variable, builder.getInt64Ty()),
                                   builder.getInt32Ty()));
  return {builder.CreateICmpULT(offset, builder.getInt32(static_cast<unsigned>(size))),
          builder.CreateGEP(builder.getInt8Ty(), &variable,
                            builder.CreateSExt(offset, builder.getInt64Ty()))};
}

} // namespace

llvm::Value* shared_at(llvm::IRBuilder<>& builder, llvm::Value* address) {
  llvm::CallInst* const call = call_by_name(
      builder, kSharedAt, llvm::PointerType::get(builder.getContext(), kLocalSpace), {address});
  call->setDoesNotAccessMemory();
  return call;
}

void find_shared_addresses(llvm::Module& module) {
  llvm::Function* const function = module.getFunction(kSharedAt);
  if (!function)
    return;
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == kLocalSpace && !variable.use_empty()) {
      // Dynamic memory comes last: its size is not known.
      variables.insert(variable.isDeclaration() ? variables.end() : variables.begin(), &variable);
    }
  std::vector<llvm::CallInst*> calls;
  for (llvm::User* user : function->users())
    calls.push_back(llvm::cast<llvm::CallInst>(user));
  for (llvm::CallInst* call : calls) {
    llvm::IRBuilder<> builder(call);
    llvm::Value* pointer = nullptr;
    for (auto variable = variables.rbegin(); variable != variables.rend(); ++variable) {
      const auto [is_there, place] = within(builder, **variable, call->getArgOperand(0));
      pointer = pointer ? builder.CreateSelect(is_there, place, pointer) : place;
    }
    // Nobody has an address of memory that is not there.
    call->replaceAllUsesWith(pointer ? pointer : llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

} // namespace gputest::simulator
