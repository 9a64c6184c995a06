// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/compile.h"

#include "frontend/clang_run.h"
#include "frontend/cuda/compilation.h"
#include "frontend/cuda/named_kernel.h"
#include "frontend/cuda/own_toolkit.h"
#include "frontend/cuda/toolkit.h"
#include "ir/cuda/container.h"
#include "ir/cuda/contraction.h"
#include "ir/cuda/warp_size.h"
#include "ir/emit.h"
#include "ir/error.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>

#include <algorithm>
#include <filesystem>

namespace gputest::ir {
namespace {

namespace fs = std::filesystem;

// Returns the mangled name of the kernel to which the code at the end refers.
class KernelFinder : public clang::ASTConsumer {
public:
  explicit KernelFinder(std::string& mangled) : mangled_(mangled) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (const clang::FunctionDecl* const kernel = frontend::referenced_kernel(context))
      mangled_ = frontend::mangled_name(*kernel);
  }

private:
  std::string& mangled_;
};

class EmitDeviceCode : public EmitModule {
public:
  using EmitModule::EmitModule;

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<KernelFinder>(kernel));
    consumers.push_back(EmitModule::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  std::string kernel;
};

std::string place(clang::SourceLocation location, const clang::SourceManager& sources) {
  const clang::PresumedLoc at = sources.getPresumedLoc(sources.getFileLoc(location));
  return at.isInvalid() ? ""
                        : fmt::format("{}:{}:{}", at.getFilename(), at.getLine(), at.getColumn());
}

class Compilation {
public:
  explicit Compilation(const Source& source) : source_(source) {
    const bool is_file = fs::path(source.name).is_absolute();
    auto options = frontend::cuda_options({.file = is_file ? source.name : "/gputest/kernel.cu",
                                           .appended = {},
                                           .definitions = source.definitions,
                                           .include_directories = source.include_directories,
                                           .cl_std = source.cl_std,
                                           .device_macros = {},
                                           .source_root = {}});
    if (!options)
      throw SourceError(llvm::toString(options.takeError()));
    options_ = std::move(*options);
    for (const std::string& argument : frontend::cuda::arguments_for_bitcode())
      options_.arguments.push_back(argument);
    for (const std::string& option : source.options) // all others are for OpenCL C
      if (option == "-fwrapv" || option == "-ffp-contract=off")
        options_.arguments.push_back(option);
      else if (option == "-fmad=false" || option == "--fmad=false")
        options_.arguments.emplace_back("-ffp-contract=off");
    options_.arguments.emplace_back("-fdebug-compilation-dir=.");
    if (std::ranges::none_of(source.definitions, [](const std::string& definition) {
          return definition.starts_with("GPUTEST_WARP_SIZE=");
        })) {
      const unsigned wanted = wanted_warp_size();
      options_.arguments.push_back(fmt::format("-DGPUTEST_WARP_SIZE={}", wanted ? wanted : 32));
    }
    if (!source.told.first.empty())
      options_.arguments.push_back(
          fmt::format("-fdebug-prefix-map={}={}", source.told.first, source.told.second));
  }

  const std::string& headers() const { return options_.headers; }
  const std::string& file() const { return options_.file; }

  // Returns the compiler's messages, or "".
  std::string run(const std::string& more, clang::FrontendAction& action) const {
    frontend::CudaOptions options = options_;
    const std::string text = source_.text + more;
    return llvm::toString(frontend::read_as_nvcc(options, &text, [&]() -> llvm::Error {
      auto arguments = frontend::compiler_arguments(options);
      if (!arguments)
        return arguments.takeError();
      frontend::Messages messages(place);
      return frontend::run_clang(*arguments, frontend::in_place_of_file(options, text), messages,
                                 action);
    }));
  }

private:
  const Source& source_;
  frontend::CudaOptions options_;
};

} // namespace

CompiledCuda compile_cuda(const Source& source, const std::string& kernel) {
  const Compilation compilation(source);
  llvm::LLVMContext context;
  EmitDeviceCode action(context);
  const std::string wrong = compilation.run(frontend::reference_to(kernel), action);
  if (!wrong.empty() || action.kernel.empty()) {
    std::string unknown;
    frontend::ParseAction look([&](clang::ASTContext& tree) {
      unknown = frontend::no_such_kernel(tree, source.name, kernel, wrong);
    });
    const std::string without = compilation.run("", look);
    if (!without.empty())
      throw SourceError(without);
    throw InputError(unknown);
  }
  const std::unique_ptr<llvm::Module> module = action.takeModule();
  std::string code;
  llvm::raw_string_ostream stream(code);
  llvm::WriteBitcodeToFile(*module, stream);
  stream.flush();
  return {
      cuda::bytes_of({.flags = 0, .simulator = "", .headers = compilation.headers(), .code = code}),
      action.kernel, action.dependencies(compilation.file())};
}

std::unique_ptr<llvm::Module> compile_cuda_functions(const std::string& text,
                                                     llvm::LLVMContext& context) {
  const Source source{.name = "functions.cu", .text = text};
  const Compilation compilation(source);
  EmitModule action(context);
  if (const std::string wrong = compilation.run("", action); !wrong.empty())
    throw SourceError(wrong);
  std::unique_ptr<llvm::Module> module = action.takeModule();
  for (llvm::Function& function : *module)
    forbid_contraction(function);
  return module;
}

} // namespace gputest::ir
