// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The differences between the versions of LLVM and Clang that this project builds with, behind one
// name each. Versions 19 and 22 are tested.
#pragma once

#include <clang/AST/Attr.h>
#include <clang/Frontend/CompilerInstance.h>
#if __has_include(<clang/Driver/CreateInvocationFromArgs.h>) // from 22
#include <clang/Driver/CreateInvocationFromArgs.h>
#else
#include <clang/Frontend/Utils.h> // createInvocation()
#endif
#include <llvm/ADT/MapVector.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Triple.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gputest::frontend::llvm_version {

// The type with which LLVM's functions name a target.
#if LLVM_VERSION_MAJOR >= 21
using TargetName = llvm::Triple;
#else
using TargetName = std::string;
#endif

#if LLVM_VERSION_MAJOR >= 21
using KernelAttr = clang::DeviceKernelAttr;
#else
using KernelAttr = clang::OpenCLKernelAttr;
#endif

// The variable offsets that GEPOperator::collectOffset() returns: each value with its factor in
// bytes.
#if LLVM_VERSION_MAJOR >= 20
using Strides = llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4>;
#else
using Strides = llvm::MapVector<llvm::Value*, llvm::APInt>;
#endif

// Whether the loop vectoriser analyses a block once for each path to it, where conditions are the
// same in all iterations. 32 conditions in a row, as in __fns(), took it more than 200 s.
constexpr bool kFollowsEachWay = LLVM_VERSION_MAJOR >= 22;

inline llvm::Function* intrinsic(llvm::Module& module, llvm::Intrinsic::ID id,
                                 llvm::ArrayRef<llvm::Type*> types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, types);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, types);
#endif
}

// Returns the CUDA kernels of a module, each with its largest block according to __launch_bounds__,
// in threads; 0 if there are no bounds.
inline std::map<const llvm::Function*, unsigned> cuda_kernels(const llvm::Module& module) {
  std::map<const llvm::Function*, unsigned> kernels;
#if LLVM_VERSION_MAJOR >= 21
  for (const llvm::Function& function : module) {
    unsigned threads = 0;
    // The attribute is "128" or "128,1,1".
    const llvm::StringRef sizes = function.getFnAttribute("nvvm.maxntid").getValueAsString();
    sizes.split(',').first.getAsInteger(10, threads);
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel && !function.isDeclaration())
      kernels.try_emplace(&function, threads);
  }
#else
  const llvm::NamedMDNode* const all = module.getNamedMetadata("nvvm.annotations");
  for (unsigned entry = 0; all && entry < all->getNumOperands(); ++entry) {
    const llvm::MDNode& node = *all->getOperand(entry);
    const auto* const function =
        llvm::mdconst::dyn_extract_or_null<llvm::Function>(node.getOperand(0));
    if (!function || function->isDeclaration())
      continue;
    for (unsigned i = 1; i + 1 < node.getNumOperands(); i += 2) {
      const auto* const key = llvm::dyn_cast<llvm::MDString>(node.getOperand(i));
      const auto* const number =
          llvm::mdconst::dyn_extract<llvm::ConstantInt>(node.getOperand(i + 1));
      if (key && number && key->getString() == "kernel")
        kernels.try_emplace(function, 0);
      if (key && number && key->getString() == "maxntidx") // all of the block
        kernels[function] = static_cast<unsigned>(number->getZExtValue());
    }
  }
#endif
  return kernels;
}

// Turns the function into a CUDA kernel. `threads`: its largest block; 0: no bound.
inline void make_cuda_kernel(llvm::Function& function, unsigned threads) {
#if LLVM_VERSION_MAJOR >= 21
  function.setCallingConv(llvm::CallingConv::PTX_Kernel);
  if (threads > 0)
    function.addFnAttr("nvvm.maxntid", std::to_string(threads));
#else
  llvm::LLVMContext& context = function.getContext();
  llvm::NamedMDNode* const all = function.getParent()->getOrInsertNamedMetadata("nvvm.annotations");
  const auto annotate = [&](const char* key, unsigned number) {
    all->addOperand(llvm::MDNode::get(
        context, {llvm::ValueAsMetadata::get(&function), llvm::MDString::get(context, key),
                  llvm::ConstantAsMetadata::get(
                      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number))}));
  };
  annotate("kernel", 1);
  if (threads > 0)
    annotate("maxntidx", threads);
#endif
}

// The names of CUDA's block barriers: __syncthreads(), __syncthreads_count(), __syncthreads_or()
// and __syncthreads_and(). From LLVM 22 on, their first argument is the barrier's number, which is
// 0, and the last two return an i1.
#if LLVM_VERSION_MAJOR >= 22
constexpr const char *kBlockBarrier = "llvm.nvvm.barrier.cta.sync.aligned.all",
                     *kBlockCount = "llvm.nvvm.barrier.cta.red.popc.aligned.all",
                     *kBlockAny = "llvm.nvvm.barrier.cta.red.or.aligned.all",
                     *kBlockAll = "llvm.nvvm.barrier.cta.red.and.aligned.all";
#else
constexpr const char *kBlockBarrier = "llvm.nvvm.barrier0",
                     *kBlockCount = "llvm.nvvm.barrier0.popc", *kBlockAny = "llvm.nvvm.barrier0.or",
                     *kBlockAll = "llvm.nvvm.barrier0.and";
#endif

// Whether `call` is a block barrier whose number is not 0.
inline bool is_numbered_barrier([[maybe_unused]] const llvm::CallInst& call) {
#if LLVM_VERSION_MAJOR >= 22
  if (!call.getCalledFunction()->getName().starts_with("llvm.nvvm.barrier.cta."))
    return false;
  const auto* const number = llvm::dyn_cast<llvm::Constant>(call.getArgOperand(0));
  return !number || !number->isNullValue();
#else
  return false;
#endif
}

// Turns uinc_wrap and udec_wrap with the largest bound, which libclc 22 has in atomic_inc() and
// atomic_dec(), into additions and subtractions of 1, which wrap at the same place.
inline void count_plainly(llvm::Module& module) {
  using Operation = llvm::AtomicRMWInst;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const update = llvm::dyn_cast<Operation>(&instruction);
      const bool up = update && update->getOperation() == Operation::UIncWrap;
      if (!up && !(update && update->getOperation() == Operation::UDecWrap))
        continue;
      const auto* const most = llvm::dyn_cast<llvm::ConstantInt>(update->getValOperand());
      if (!most || !most->isMinusOne())
        continue;
      update->setOperation(up ? Operation::Add : Operation::Sub);
      update->setOperand(1, llvm::ConstantInt::get(most->getType(), 1));
    }
}

// Returns the object whose lifetime begins or ends: the last argument, after a size up to LLVM 21.
inline llvm::Value* alive(const llvm::IntrinsicInst& lifetime) {
  return lifetime.getArgOperand(lifetime.arg_size() - 1)->stripPointerCasts();
}

// Returns an extent of reqd_work_group_size.
inline std::size_t extent(unsigned value, const clang::ASTContext&) {
  return value;
}
inline std::size_t extent(const clang::Expr* value, const clang::ASTContext& context) {
  return static_cast<std::size_t>(value->EvaluateKnownConstInt(context).getZExtValue());
}

// Joins the two functions that Clang 21 and later emit for an OpenCL kernel `k`: `k`, and
// __clang_ocl_kern_imp_k with its body, which `k` and other kernels call.
inline void join_kernels([[maybe_unused]] llvm::Module& module) {
#if LLVM_VERSION_MAJOR >= 21
  constexpr llvm::StringRef prefix("__clang_ocl_kern_imp_");
  std::vector<llvm::Function*> entries;
  for (llvm::Function& body : module) {
    llvm::Function* const entry = body.getName().starts_with(prefix)
                                      ? module.getFunction(body.getName().drop_front(prefix.size()))
                                      : nullptr;
    if (!entry)
      continue;
    llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>> metadata;
    entry->getAllMetadata(metadata);
    for (const auto& [kind, node] : metadata)
      if (kind != llvm::LLVMContext::MD_dbg)
        body.setMetadata(kind, node);
    entry->deleteBody();
    entry->replaceAllUsesWith(&body);
    body.setCallingConv(entry->getCallingConv());
    for (llvm::User* const user : body.users())
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(user))
        call->setCallingConv(body.getCallingConv());
    body.removeFnAttr(llvm::Attribute::AlwaysInline);
    body.takeName(entry);
    entries.push_back(entry);
  }
  for (llvm::Function* const entry : entries)
    entry->eraseFromParent();
#endif
}

// Creates the diagnostics. Call it before the compiler reads its arguments.
inline void create_diagnostics(clang::CompilerInstance& compiler,
                               const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>& files,
                               clang::DiagnosticConsumer& consumer) {
#if LLVM_VERSION_MAJOR >= 22
  compiler.setVirtualFileSystem(files);
  compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
#elif LLVM_VERSION_MAJOR >= 20
  compiler.createDiagnostics(*files, &consumer, /*ShouldOwnClient=*/false);
#else
  static_cast<void>(files);
  compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
#endif
}

// Applies the warning options of the invocation to the diagnostics, which were created before it.
inline void apply_warning_options(clang::CompilerInstance& compiler, llvm::vfs::FileSystem& files) {
#if LLVM_VERSION_MAJOR >= 20
  clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts(), files);
#else
  static_cast<void>(files);
  clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts());
#endif
}

// Creates diagnostics without a compiler instance, for code that reads a driver's arguments.
inline llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine>
diagnostics_engine(clang::DiagnosticConsumer& consumer) {
#if LLVM_VERSION_MAJOR >= 21
  static clang::DiagnosticOptions options;
  return clang::CompilerInstance::createDiagnostics(*llvm::vfs::getRealFileSystem(), options,
                                                    &consumer, /*ShouldOwnClient=*/false);
#elif LLVM_VERSION_MAJOR >= 20
  return clang::CompilerInstance::createDiagnostics(*llvm::vfs::getRealFileSystem(),
                                                    new clang::DiagnosticOptions, &consumer,
                                                    /*ShouldOwnClient=*/false);
#else
  return clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, &consumer,
                                                    /*ShouldOwnClient=*/false);
#endif
}

// Creates the file and source managers. Call it after create_diagnostics().
inline void create_sources(clang::CompilerInstance& compiler,
                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
#if LLVM_VERSION_MAJOR >= 22
  static_cast<void>(files);
  compiler.createFileManager();
  compiler.createSourceManager();
#else
  compiler.createFileManager(std::move(files));
  compiler.createSourceManager(compiler.getFileManager());
#endif
}

// Arguments with which pointer arithmetic wraps on overflow, as integers do with -fwrapv.
inline std::vector<std::string> wrapping_pointers() {
#if LLVM_VERSION_MAJOR >= 20
  return {"-fwrapv-pointer"};
#else
  return {}; // -fwrapv includes it
#endif
}

// Returns the attribute of a pointer parameter that the function does not store anywhere.
inline llvm::Attribute captures_nothing(llvm::LLVMContext& context) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(context, llvm::CaptureInfo::none());
#else
  return llvm::Attribute::get(context, llvm::Attribute::NoCapture);
#endif
}

// Call it when a comparison's predicate has changed: `samesign` may no longer hold.
inline void forget_same_sign([[maybe_unused]] llvm::ICmpInst& compare) {
#if LLVM_VERSION_MAJOR >= 20
  compare.setSameSign(false);
#endif
}

} // namespace gputest::frontend::llvm_version
