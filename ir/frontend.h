// OpenCL C to LLVM IR: Clang's front end inside this process.
#pragma once

#include "model/language.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gputest::simulator {

// What is compiled, as a device's compiler would be told.
struct Source {
  std::string name{}; // what messages call the text where no #line names a file
  std::string text{};
  std::vector<std::string> definitions{};         // "NAME" or "NAME=VALUE"
  std::vector<std::string> include_directories{}; // in the order in which they are searched
  // -cl-…, -w, -Werror, -fwrapv; others are refused; of CUDA the last
  std::vector<std::string> options{};
  std::string cl_std{};      // "CL1.2"; empty: that
  std::string device_code{}; // of CUDA: Clang's bitcode for NVPTX, instead of the text
  // Of CUDA: a kernel of a file, by itself. Dynamic __shared__ memory and the state of instrumented
  // code are its last arguments (cuda/by_itself.h).
  bool by_itself = false;
  std::string entry{}; // and what the device code calls it
  // Places in CUDA files whose names begin with the first are told with the second instead.
  std::pair<std::string, std::string> told{};
};

// The same kernel in another text, which is still to be compiled.
Source with_text(Source source, std::string text);

struct CompiledSource {
  std::unique_ptr<llvm::Module> module;
  std::vector<std::string> dependencies; // files included
};

// Compiles for NVPTX, whose address spaces and mangled names libclc's most portable library has;
// nothing is optimised yet, and every instruction knows its place. Throws SourceError with
// compiler-style messages, and InputError for an option that is not known.
CompiledSource compile(const Source& source, llvm::LLVMContext& context);

// Compiles C for the host: the simulator's own, which is linked with kernels. Throws
// SimulatorFailure.
std::unique_ptr<llvm::Module> compile_c(const std::string& text, llvm::LLVMContext& context);

} // namespace gputest::simulator
