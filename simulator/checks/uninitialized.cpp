// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds uses of uninitialized values with LLVM's MemorySanitizer (Stepanov, Serebryany:
// MemorySanitizer: fast detector of uninitialized memory use in C++, CGO 2015). It tracks a value
// until it decides a branch, becomes an address, or is stored to global memory.
#include "embedded/uninitialized_c.h"
#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/error.h"
#include "ir/host.h"
#include "ir/optimise.h"
#include "ir/places.h"
#include "ir/protected.h"
#include "simulator/checks/check.h"
#include "simulator/checks/definedness_memory.h"
#include "simulator/checks/unwritten.h"
#include "simulator/checks/value_sources.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <map>
#include <set>
#include <utility>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char *kOutput = "gputest_output.", *kUpdated = "gputest_updated.";

llvm::Function* function_of_type(llvm::Module& module, const std::string& prefix,
                                 llvm::FunctionType* type, llvm::Type* value) {
  std::string name = prefix;
  llvm::raw_string_ostream stream(name);
  value->print(stream);
  return llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
}

// Stores to global memory are a kernel's output. The fourth component of a vector of three does not
// count.
void mark_outputs(llvm::Function& item) {
  std::vector<llvm::StoreInst*> stores;
  for (llvm::BasicBlock& block : item)
    for (llvm::Instruction& instruction : block)
      if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          store && store->getPointerAddressSpace() == ir::kGlobalSpace)
        stores.push_back(store);
  for (llvm::StoreInst* store : stores) {
    Builder builder(store);
    llvm::Value* value = store->getValueOperand();
    if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
        shuffle && shuffle->getShuffleMask().size() == 4 && has_no_fourth(*shuffle))
      value = builder.CreateShuffleVector(value, llvm::ArrayRef<int>{0, 1, 2});
    auto* const type = llvm::FunctionType::get(builder.getVoidTy(), {value->getType()}, false);
    llvm::Function* const output =
        function_of_type(*item.getParent(), kOutput, type, value->getType());
    builder.CreateCall(output, {value})->addParamAttr(0, llvm::Attribute::NoUndef);
    output->addParamAttr(0, llvm::Attribute::NoUndef);
  }
}

// MemorySanitizer treats values read by atomic functions as initialized. Adds loads for it only.
std::vector<llvm::LoadInst*> mark_atomics(llvm::Function& item) {
  std::vector<llvm::Instruction*> updates;
  for (llvm::BasicBlock& block : item)
    for (llvm::Instruction& instruction : block) {
      const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      const bool looks =
          !update || update->getOperation() != llvm::AtomicRMWInst::Xchg || !update->use_empty();
      if ((update && looks) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction))
        updates.push_back(&instruction);
    }
  std::vector<llvm::LoadInst*> loads;
  for (llvm::Instruction* update : updates) {
    Builder builder(update);
    const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(update);
    llvm::LoadInst* const load = builder.CreateAlignedLoad(
        exchange ? exchange->getCompareOperand()->getType() : update->getType(),
        update->getOperand(0), llvm::Align(1));
    auto* const type = llvm::FunctionType::get(builder.getVoidTy(), {load->getType()}, false);
    llvm::Function* const output =
        function_of_type(*item.getParent(), kUpdated, type, load->getType());
    builder.CreateCall(output, {load})->addParamAttr(0, llvm::Attribute::NoUndef);
    output->addParamAttr(0, llvm::Attribute::NoUndef);
    loads.push_back(load);
  }
  return loads;
}

llvm::Value* beside(Builder& builder, llvm::Value* pointer) {
  return builder.CreateIntToPtr(
      builder.CreateXor(builder.CreatePtrToInt(pointer, builder.getInt64Ty()), kShadowBits),
      builder.getPtrTy());
}

// Other checks leave what is done with shadows alone. It is outside of the kernel's memory.
template <typename Made> Made* of_shadow(Made* made) {
  made->setMetadata(ir::kBeside, llvm::MDNode::get(made->getContext(), {}));
  return made;
}

// Replaces MemorySanitizer's calls.
class Calls {
public:
  Calls(llvm::Function& item, ir::KernelShape& shape) : item_(item), shape_(shape) {}

  void replace() {
    std::vector<llvm::CallInst*> calls;
    for (llvm::BasicBlock& block : item_)
      for (llvm::Instruction& instruction : block)
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledFunction())
          calls.push_back(call);
    // Reports name the uses that follow them, so these stay until all reports are written.
    for (const bool report : {true, false})
      for (llvm::CallInst*& call : calls)
        if (call && call->getCalledFunction()->getName().starts_with("__msan_warning") == report)
          replace(*std::exchange(call, nullptr), report);
  }

private:
  void replace(llvm::CallInst& call, bool is_report) {
    const llvm::StringRef name = call.getCalledFunction()->getName();
    Builder builder(&call);
    if (is_report) {
      report(builder, call);
    } else if (name == "__msan_memset") {
      llvm::Value* const to = call.getArgOperand(0);
      llvm::Value* const size = call.getArgOperand(2);
      builder.CreateMemSet(to, builder.CreateTrunc(call.getArgOperand(1), builder.getInt8Ty()),
                           size, {});
      of_shadow(builder.CreateMemSet(beside(builder, to), builder.getInt8(0), size, {}));
    } else if (name == "__msan_memcpy" || name == "__msan_memmove") {
      llvm::Value *const to = call.getArgOperand(0), *const from = call.getArgOperand(1);
      llvm::Value* const size = call.getArgOperand(2);
      of_shadow(builder.CreateMemMove(beside(builder, to), {}, beside(builder, from), {}, size));
      builder.CreateMemMove(to, {}, from, {}, size);
    } else if (!name.starts_with(kOutput) && !name.starts_with(kUpdated) &&
               !name.starts_with(kDecides)) {
      return;
    }
    if (!call.use_empty())
      call.replaceAllUsesWith(call.getArgOperand(0));
    call.eraseFromParent();
  }

  // With the element of an array that was read, if one read is all that the value comes from.
  void report(Builder& builder, const llvm::CallInst& at) {
    const auto [message, read] = report_of_use(at, shape_);
    std::vector<llvm::Value*> arguments{item_.getArg(0), builder.getInt32(ir::site_of(at, shape_)),
                                        builder.getInt32(message)};
    const llvm::Value* const begin = // of the array; the pointer may have been checked before
        read ? ir::origin_of(read->getPointerOperand(), shape_).begin : nullptr;
    if (begin && read->getType()->isSized() && order_.dominates(read, &at)) {
      const auto address = [&](const llvm::Value* pointer) {
        return builder.CreatePtrToInt(const_cast<llvm::Value*>(pointer), builder.getInt64Ty());
      };
      arguments.push_back(builder.CreateSub(address(read->getPointerOperand()), address(begin)));
      arguments.push_back(builder.getInt64(
          item_.getParent()->getDataLayout().getTypeAllocSize(read->getType()->getScalarType())));
    }
    ir::call_by_name(builder, arguments.size() == 3 ? "gputest_report" : "gputest_report_element",
                     builder.getVoidTy(), arguments);
  }

  llvm::Function& item_;
  ir::KernelShape& shape_;
  const llvm::DominatorTree order_{item_};
};

// A function that returns a value marked as uninitialized.
void give_body(llvm::Function& undefined) {
  llvm::Module& module = *undefined.getParent();
  Builder builder(llvm::BasicBlock::Create(module.getContext(), "", &undefined));
  if (llvm::GlobalVariable* const result = module.getGlobalVariable("__msan_retval_tls"))
    builder.CreateMemSet(result, builder.getInt8(0xff),
                         module.getDataLayout().getTypeStoreSize(undefined.getReturnType()),
                         llvm::MaybeAlign(8));
  builder.CreateRet(llvm::Constant::getNullValue(undefined.getReturnType()));
  undefined.addFnAttr(llvm::Attribute::AlwaysInline);
  undefined.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// Writes values that the check recognises. `number`: the variable's, so that no pass takes the
// value of one for that of another. `declared`: where the variable is, if that is known.
void store_undefined(Builder& builder, llvm::AllocaInst& variable,
                     const std::vector<ir::ValueInType>& values, std::size_t number,
                     const llvm::DebugLoc& declared) {
  llvm::Module& module = *variable.getModule();
  for (const ir::ValueInType& value : values) {
    llvm::Function* const undefined =
        function_of_type(module, kUndefined + std::to_string(number) + ".",
                         llvm::FunctionType::get(value.type, false), value.type);
    undefined->setDoesNotAccessMemory();
    undefined->setDoesNotThrow();
    undefined->addFnAttr(llvm::Attribute::WillReturn);
    llvm::CallInst* const begin = builder.CreateCall(undefined);
    set_variable(*begin, variable);
    begin->setDebugLoc(declared);
    builder.CreateAlignedStore(
        begin,
        value.offset == 0
            ? &variable
            : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &variable, value.offset),
        llvm::commonAlignment(variable.getAlign(), value.offset));
  }
}

// Variables declared without a value get one that the check recognises.
void mark_undefined(CheckedKernel& kernel) {
  llvm::Function& item = kernel.item;
  kernel.shape.uninitialized = true;
  define_padding(item);
  mark_choices(item);
  std::vector<std::pair<llvm::AllocaInst*, llvm::Instruction*>> begins; // null: the function's
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const std::size_t known = begins.size();
      for (llvm::User* user : variable->users())
        if (auto* const life = llvm::dyn_cast<llvm::IntrinsicInst>(user);
            life && life->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
          begins.emplace_back(variable, life);
      if (begins.size() == known)
        begins.emplace_back(variable, nullptr);
    }
  std::map<const llvm::AllocaInst*, std::vector<ir::ValueInType>> values;
  for (const auto& [variable, life] : begins)
    if (!values.contains(variable))
      values[variable] = values_of(*variable);
  std::map<const llvm::AllocaInst*, std::size_t> numbers;
  for (const auto& [variable, life] : begins) {
    // Allocas stay together, but those of arguments by value stand behind their addresses.
    llvm::Instruction* const first = &*item.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    const bool among_first =
        variable->getParent() == first->getParent() && variable->comesBefore(first);
    Builder builder(life ? life->getNextNode() : among_first ? first : variable->getNextNode());
    const std::size_t number = numbers.try_emplace(variable, numbers.size()).first->second;
    store_undefined(builder, *variable, values[variable], number,
                    life ? life->getDebugLoc() : llvm::DebugLoc());
    clear_padding(builder, *variable);
  }
}

// Throws SimulatorFailure on machines for which MemorySanitizer's memory layout is not known.
void check_uninitialized(CheckedKernel& kernel) {
  llvm::Function& item = kernel.item;
  llvm::Module& module = *item.getParent();
  const llvm::Triple triple(module.getTargetTriple());
  if (triple.getArch() != llvm::Triple::x86_64 || !triple.isOSLinux())
    throw ir::SimulatorFailure("the check of uninitialized values works on Linux on x86-64 alone; "
                               "leave it out");
  for (llvm::Function& function : module)
    if (function.getName().starts_with(kUndefined))
      function.removeFnAttr(llvm::Attribute::Memory);
  leave_followed_choices(item);
  check_output_copies(item, kernel.shape);
  mark_outputs(item);
  const std::vector<llvm::LoadInst*> loads = mark_atomics(item);
  mark_uses(item);
  item.addFnAttr(llvm::Attribute::SanitizeMemory);
  std::set<const llvm::Instruction*> known;
  for (const llvm::Instruction& instruction : llvm::instructions(item))
    known.insert(&instruction);
  ir::run_memory_sanitizer(module);
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::MemIntrinsic>(instruction) &&
        !known.contains(&instruction))
      of_shadow(&instruction);
  item.removeFnAttr(llvm::Attribute::SanitizeMemory);
  Calls(item, kernel.shape).replace();
  for (llvm::LoadInst* load : loads)
    if (load->use_empty())
      load->eraseFromParent();
  for (llvm::GlobalVariable& variable : module.globals()) // one thread runs kernels
    if (variable.getName().starts_with("__msan_"))
      variable.setThreadLocal(false);
  for (const char* name : {"llvm.global_ctors", "llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* const list = module.getGlobalVariable(name, true))
      list->eraseFromParent();
  if (llvm::Function* const constructor = module.getFunction("msan.module_ctor"))
    constructor->eraseFromParent();
  for (llvm::Function& function : module)
    if (function.getName().starts_with(kUndefined) && function.isDeclaration())
      give_body(function);
}

class UninitializedWatch : public Watch {
public:
  explicit UninitializedWatch(const WatchedLaunch& launch) : launch_(launch) {
    if (!model::row_of(launch.shape.language).keeps_memory || launch.shape.by_itself)
      memory_.emplace();
  }

  void begin_unwritten(const std::vector<Region>& regions) override {
    for (const Region& region : regions)
      DefinednessMemory::forget(region.begin, region.size);
  }

  void begin_group() override {
    const ir::KernelShape& shape = launch_.shape;
    for (std::size_t i = 0; i < launch_.context.object_count; ++i)
      if (const ir::Object& object = shape.objects[i];
          object.kind == ir::Object::Kind::LocalVariable ||
          (object.kind == ir::Object::Kind::Argument &&
           shape.parameters[object.parameter].kind == ir::Parameter::Kind::Local))
        forget(launch_.context.objects[i], object.bytes);
  }

  void continue_group() override {} // nothing: its memory has not changed

  void end_launch() override {
    if (!memory_)
      return;
    const gputest_context& context = launch_.context;
    std::vector<std::span<std::byte>> used;
    for (const Region& region : launch_.arena.regions())
      if (region.begin != launch_.nowhere.begin || launch_.findings.any())
        used.emplace_back(region.begin, region.size);
    if (context.frames) {
      const auto& local = context.enqueued_local_size;
      used.emplace_back(reinterpret_cast<std::byte*>(context.frames),
                        (local[0] * local[1] * local[2] + 63) / 64 * 64 * context.frame_size);
    }
    memory_->end(used);
  }

  void copied(const Copy& copy, unsigned site, std::uint64_t index) override {
    const std::byte* const from = copy.from + index * copy.from_stride * copy.size;
    if (DefinednessMemory::copy(copy.to + index * copy.to_stride * copy.size, from, copy.size) ||
        copy.to_local) // false: it is output
      return;
    if (Finding* const finding = launch_.findings.add("uninitialized", site, 0))
      finding->message = fmt::format(
          "the copy of group {} stores a value to global memory that nobody has "
          "written: byte {} of what it reads",
          text_of(running_item(launch_.context).group, launch_.dimensions), from - copy.from);
  }

private:
  // `bytes`: which bytes of an element are those of values; "": all.
  static void forget(const gputest_context::gputest_object& object, const std::string& bytes) {
    DefinednessMemory::forget(object.begin, object.size);
    for (std::size_t at = 0; !bytes.empty() && at < object.size; ++at)
      if (bytes[at % bytes.size()] != static_cast<char>(ir::ByteOf::Value))
        DefinednessMemory::define(object.begin + at, 1);
  }

  WatchedLaunch launch_;
  std::optional<DefinednessMemory> memory_;
};

// Memory in which MemorySanitizer's code passes the shadows of arguments and results.
struct Sanitizer {
  alignas(16) std::uint64_t parameters[128], result[128];
};
Sanitizer sanitizer; // NOLINT

} // namespace

const Check& uninitialized_check() {
  static const Check kCheck{
      .name = "uninitialized",
      .needs = {.branches = true},
      .passes = {{Stage::Written, mark_undefined}, {Stage::Values, check_uninitialized}},
      .text = embedded::uninitialized_c,
      .natives = {{"__msan_param_tls", sanitizer.parameters},
                  {"__msan_retval_tls", sanitizer.result},
                  {"__msan_va_arg_tls", sanitizer.parameters},
                  {"__msan_va_arg_overflow_size_tls", sanitizer.result}},
      .watch = [](const WatchedLaunch& launch) -> std::unique_ptr<Watch> {
        return std::make_unique<UninitializedWatch>(launch);
      }};
  return kCheck;
}

} // namespace gputest::simulator
