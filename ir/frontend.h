// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles OpenCL C to LLVM IR with Clang's front end in this process.
#pragma once

#include "model/language.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gputest::ir {

// A source and its compile options.
struct Source {
  std::string name{}; // the text's name in messages, unless #line names a file
  std::string text{};
  std::vector<std::string> definitions{};         // "NAME" or "NAME=VALUE"
  std::vector<std::string> include_directories{}; // in the order of the search
  // -cl-…, -w, -Werror and -fwrapv; others are refused. CUDA takes only -fwrapv.
  std::vector<std::string> options{};
  std::string cl_std{};      // "CL2.0"; empty: "CL1.2"
  std::string device_code{}; // CUDA: a container (cuda/container.h), in place of the text
  // CUDA: a kernel of a file, launched by itself. Dynamic __shared__ memory and the state of
  // instrumented code are its last arguments (cuda/by_itself.h).
  bool by_itself = false;
  std::string entry{}; // with by_itself: the kernel's mangled name
  // File names of places in CUDA files: a beginning `first` is replaced by `second`.
  std::pair<std::string, std::string> told{};
};

// Returns the source with another text, which is not compiled yet.
Source with_text(Source source, std::string text);

struct CompiledSource {
  std::unique_ptr<llvm::Module> module;
  std::vector<std::string> dependencies; // included files
};

// Compiles for NVPTX, whose address spaces and mangled names match libclc's most portable library.
// The module is not optimised, and every instruction has its place. Throws SourceError with
// compiler-style messages, and InputError for an unknown option.
CompiledSource compile(const Source& source, llvm::LLVMContext& context);

// Compiles the simulator's own C code, which is linked with kernels, for the host. Throws
// SimulatorFailure.
std::unique_ptr<llvm::Module> compile_c(const std::string& text, llvm::LLVMContext& context);

} // namespace gputest::ir
