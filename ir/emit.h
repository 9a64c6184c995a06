// A Clang action that makes a module and records the included files.
#pragma once

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/Utils.h>

#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator {

class EmitModule : public clang::EmitLLVMOnlyAction {
public:
  explicit EmitModule(llvm::LLVMContext& context)
      : clang::EmitLLVMOnlyAction(&context),
        dependencies_(std::make_shared<clang::DependencyCollector>()) {}

  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    dependencies_->attachToPreprocessor(compiler.getPreprocessor());
    return clang::EmitLLVMOnlyAction::BeginSourceFileAction(compiler);
  }

  // Returns the included files, without those that exist only in memory: in /gputest/, and `text`.
  std::vector<std::string> dependencies(const std::string& text = "") const {
    std::vector<std::string> files;
    for (const std::string& file : dependencies_->getDependencies())
      if (!file.starts_with("/gputest/") && file != text)
        files.push_back(file);
    return files;
  }

private:
  std::shared_ptr<clang::DependencyCollector> dependencies_;
};

} // namespace gputest::simulator
