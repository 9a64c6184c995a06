// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang_run.h"

#include "embedded/intel_sub_groups_h.h"
#include "embedded/opencl_c_base_h.h"
#include "frontend/flat_file.h"
#include "frontend/llvm_version.h"
#include "frontend/source_options.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/ADT/SmallString.h>

namespace gputest::frontend {

void Messages::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                const clang::Diagnostic& diagnostic) {
  clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  using Level = clang::DiagnosticsEngine::Level;
  const bool error = level == Level::Error || level == Level::Fatal;
  if (!error && !(level == Level::Note && last_was_error_)) {
    last_was_error_ = false;
    return;
  }
  last_was_error_ = true;
  llvm::SmallString<200> text;
  diagnostic.FormatDiagnostic(text);
  std::string place;
  if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid())
    place = locate_(diagnostic.getLocation(), diagnostic.getSourceManager());
  if (!place.empty())
    errors_ += place + ": ";
  errors_ += error ? "error: " : "note: ";
  errors_ += text.str().str() + "\n";
}

llvm::Error Messages::as_error() const {
  llvm::StringRef text = errors_;
  if (text.empty())
    text = "error: Clang failed without saying why";
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text.rtrim('\n'));
}

std::unique_ptr<clang::ASTConsumer> ParseAction::CreateASTConsumer(clang::CompilerInstance&,
                                                                   llvm::StringRef) {
  class Consumer : public clang::ASTConsumer {
  public:
    explicit Consumer(const std::function<void(clang::ASTContext&)>& use) : use_(use) {}
    void HandleTranslationUnit(clang::ASTContext& context) override {
      if (!context.getDiagnostics().hasErrorOccurred())
        use_(context);
    }

  private:
    const std::function<void(clang::ASTContext&)>& use_;
  };
  return std::make_unique<Consumer>(use_);
}

llvm::Error run_clang(const std::vector<std::string>& arguments,
                      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, Messages& messages,
                      clang::FrontendAction& action) {
  std::vector<const char*> raw;
  raw.reserve(arguments.size());
  for (const std::string& argument : arguments)
    raw.push_back(argument.c_str());

  clang::CompilerInstance compiler;
  llvm_version::create_diagnostics(compiler, files, messages);
  if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), raw,
                                                 compiler.getDiagnostics()))
    return messages.as_error();
  llvm_version::apply_warning_options(compiler, *files);
  compiler.getDiagnosticOpts().ShowCarets = 0;
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getCodeGenOpts().VerifyModule = false; // as Clang's releases have it
  llvm_version::create_sources(compiler, std::move(files));
  const bool ok = compiler.ExecuteAction(action);
  if (!ok || messages.getNumErrors() > 0)
    return messages.as_error();
  return llvm::Error::success();
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> as_file(llvm::StringRef text,
                                                        std::vector<std::string>& arguments) {
  const std::string file = kFlatFile, resources = "/gputest/clang";
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(file, 0, llvm::MemoryBuffer::getMemBufferCopy(text, file));
  std::string base(embedded::opencl_c_base_h);
  if (text.contains("intel_sub_group_"))
    base += embedded::intel_sub_groups_h;
  memory->addFile(resources + "/include/opencl-c-base.h", 0,
                  llvm::MemoryBuffer::getMemBufferCopy(base));
  arguments.insert(arguments.end(), {"-finclude-default-header", "-fdeclare-opencl-builtins",
                                     "-fno-caret-diagnostics", "-resource-dir", resources,
                                     "-internal-isystem", resources + "/include", file});
  return memory;
}

std::vector<std::string> common_arguments(const std::string& cl_std) {
  return {"-triple",
          "spir64-unknown-unknown",
          "-x",
          is_cpp_for_opencl(cl_std) ? "clcpp" : "cl",
          "-cl-std=" + cl_std,
          "-cl-ext=+all",
          "-w",
          "-ferror-limit",
          "50"};
}

} // namespace gputest::frontend
