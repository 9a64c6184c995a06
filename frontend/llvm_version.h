// What the versions of LLVM and Clang that this project builds with do differently. 19 and 22 are
// tested.
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
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Triple.h>

#include <string>
#include <utility>
#include <vector>

namespace gputest::llvm_version {

// What names a target in LLVM's functions.
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

// What GEPOperator::collectOffset() collects.
#if LLVM_VERSION_MAJOR >= 20
using Strides = llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4>;
#else
using Strides = llvm::MapVector<llvm::Value*, llvm::APInt>;
#endif

inline llvm::Function* intrinsic(llvm::Module& module, llvm::Intrinsic::ID id,
                                 llvm::ArrayRef<llvm::Type*> types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, types);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, types);
#endif
}

// The object whose life begins or ends. Up to LLVM 21 its size comes before it.
inline llvm::Value* alive(const llvm::IntrinsicInst& lifetime) {
  return lifetime.getArgOperand(lifetime.arg_size() - 1)->stripPointerCasts();
}

// An extent of reqd_work_group_size.
inline std::size_t extent(unsigned value, const clang::ASTContext&) {
  return value;
}
inline std::size_t extent(const clang::Expr* value, const clang::ASTContext& context) {
  return static_cast<std::size_t>(value->EvaluateKnownConstInt(context).getZExtValue());
}

// Clang 21 and later make two functions of a kernel `k` of OpenCL C: `k`, and
// __clang_ocl_kern_imp_k with its body, which `k` and other kernels call. This makes them one
// again.
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

// Before the compiler's arguments are read.
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

// Diagnostics by themselves, for what reads a driver's arguments.
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

// After that.
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

// Arguments that make Clang take every overflow of a pointer as wrapping, as -fwrapv does of
// integers.
inline std::vector<std::string> wrapping_pointers() {
#if LLVM_VERSION_MAJOR >= 20
  return {"-fwrapv-pointer"};
#else
  return {}; // -fwrapv includes it
#endif
}

// Of a pointer that a function is given: it keeps it nowhere.
inline llvm::Attribute captures_nothing(llvm::LLVMContext& context) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(context, llvm::CaptureInfo::none());
#else
  return llvm::Attribute::get(context, llvm::Attribute::NoCapture);
#endif
}

// A comparison whose predicate has changed no longer promises operands of one sign.
inline void forget_same_sign([[maybe_unused]] llvm::ICmpInst& compare) {
#if LLVM_VERSION_MAJOR >= 20
  compare.setSameSign(false);
#endif
}

} // namespace gputest::llvm_version
