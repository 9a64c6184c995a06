// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of Clang's front end inside this process.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/FrontendAction.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <functional>
#include <string>
#include <vector>

namespace gputest::frontend {

// Gathers diagnostics as lines `file:line:column: error: text`.
class Messages : public clang::DiagnosticConsumer {
public:
  // Names a place as "file:line:column". Empty if there is no place to name.
  using Locate = std::function<std::string(clang::SourceLocation, const clang::SourceManager&)>;
  explicit Messages(Locate locate) : locate_(std::move(locate)) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override;

  const std::string& errors() const { return errors_; } // with their notes
  llvm::Error as_error() const;

private:
  Locate locate_;
  std::string errors_;
  bool last_was_error_ = false;
};

// Calls `use` with the syntax tree, unless the source has errors.
class ParseAction : public clang::ASTFrontendAction {
public:
  explicit ParseAction(std::function<void(clang::ASTContext&)> use) : use_(std::move(use)) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override;

private:
  std::function<void(clang::ASTContext&)> use_;
};

// Runs `action` with `arguments` of `clang -cc1`. Fails with the diagnostics if there is an error.
llvm::Error run_clang(const std::vector<std::string>& arguments,
                      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, Messages& messages,
                      clang::FrontendAction& action);

// Returns a file system that holds `text` as a file and OpenCL C's own header. Appends the
// arguments that name both, the file last.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> as_file(llvm::StringRef text,
                                                        std::vector<std::string>& arguments);

// Returns arguments for a target with the data layout of 64-bit devices, where every extension is
// known.
std::vector<std::string> common_arguments(const std::string& cl_std);

} // namespace gputest::frontend
