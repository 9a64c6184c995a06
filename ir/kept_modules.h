// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process compiles again and again, kept as bitcode: reading it takes a tenth of the time.
#pragma once

#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace gputest::ir {

// Returns the bitcode of `module`.
std::string bitcode_of(const llvm::Module& module);

// Returns the module of that bitcode. Bodies of functions are read when something asks for them.
std::unique_ptr<llvm::Module> read_bitcode(const std::string& bitcode, llvm::LLVMContext& context);

// Modules by the text that they are made from.
class KeptModules {
public:
  using Make = std::function<std::unique_ptr<llvm::Module>(llvm::LLVMContext&)>;

  // Calls `make`, in a context of its own, for the first module of `text`. Each one that it returns
  // is read from bitcode, also the first: what is made of it does not depend on what was before.
  std::unique_ptr<llvm::Module> get(const std::string& text, llvm::LLVMContext& context,
                                    const Make& make);

private:
  static constexpr std::size_t kMost = 64;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const std::string>> kept_;
};

} // namespace gputest::ir
