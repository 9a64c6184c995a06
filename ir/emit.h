// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Clang action that makes a module and records the included files.
#pragma once

#include "frontend/cuda/kept_header.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/Utils.h>

#include <memory>
#include <string>
#include <vector>

namespace gputest::ir {

class EmitModule : public clang::EmitLLVMOnlyAction {
public:
  explicit EmitModule(llvm::LLVMContext& context)
      : clang::EmitLLVMOnlyAction(&context),
        dependencies_(std::make_shared<clang::DependencyCollector>()) {}

  // Before a kept header is read, of whose files it also learns.
  bool BeginInvocation(clang::CompilerInstance& compiler) override {
    compiler.addDependencyCollector(dependencies_);
    return clang::EmitLLVMOnlyAction::BeginInvocation(compiler);
  }

  // Returns the included files, without those that exist only in memory: in /gputest/, and `text`.
  std::vector<std::string> dependencies(const std::string& text = "") const {
    std::vector<std::string> files;
    for (const std::string& file : dependencies_->getDependencies())
      if (!file.starts_with("/gputest/") && file != text &&
          !frontend::cuda::is_of_kept_header(file))
        files.push_back(file);
    return files;
  }

private:
  std::shared_ptr<clang::DependencyCollector> dependencies_;
};

} // namespace gputest::ir
