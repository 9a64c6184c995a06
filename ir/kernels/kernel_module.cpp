// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/kernel_module.h"

#include "frontend/file_names.h"
#include "ir/cuda/by_itself.h"
#include "ir/cuda/compile.h"
#include "ir/kernels/device_code.h"
#include "ir/kernels/shift_amounts.h"
#include "ir/spirv/translate.h"
#include "ir/sub_group_size.h"
#include "model/language.h"
#include "model/launches/lock_step.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace gputest::ir {

CompiledSource compile_for(const std::string& kernel, const Source& source,
                           llvm::LLVMContext& context) {
  if (source.by_itself) {
    CompiledCuda compiled{source.device_code, source.entry, {}};
    if (compiled.device_code.empty())
      compiled = compile_cuda(source, kernel);
    CompiledSource result{device_kernel(compiled.device_code, compiled.kernel, context),
                          std::move(compiled.dependencies)};
    be_by_itself(*result.module, compiled.kernel, kernel);
    return result;
  }
  if (!source.device_code.empty())
    return {device_kernel(source.device_code, kernel, context), {}};
  if (const std::optional<std::string> spirv = model::spirv_of_text(source.text)) {
    std::unique_ptr<llvm::Module> module = translate_spirv(*spirv, source.name, context);
    choose_sub_group_size(*module, source.definitions);
    choose_lock_step(*module, source.definitions);
    mark_masked_shifts(*module, MadeBy::AnyCompiler);
    return {std::move(module), {}};
  }
  CompiledSource compiled = compile(source, context);
  mark_masked_shifts(*compiled.module, MadeBy::Clang);
  return compiled;
}

Source source_by_itself(const frontend::SourceOptions& options, std::string text) {
  namespace fs = std::filesystem;
  Source source{.name = frontend::FileNames(options.source_root).name(options.file),
                .text = std::move(text),
                .cl_std = options.cl_std};
  if (model::row_of(model::language_of(options.file)).variants_are_flat) {
    // The text has no macros any more. These are for the simulator.
    std::ranges::copy_if(options.definitions, std::back_inserter(source.definitions),
                         [](const std::string& definition) {
                           return definition.starts_with(std::string(kSubGroupSize) + "=") ||
                                  definition.starts_with(std::string(model::kLockStepMacro) + "=");
                         });
    return source;
  }
  const auto folder = [](const fs::path& path) { return path.empty() ? "" : path.string() + "/"; };
  const fs::path file = fs::absolute(options.file).lexically_normal();
  source.told =
      options.source_root.empty()
          ? std::pair{folder(file.parent_path()), folder(fs::path(options.file).parent_path())}
          : std::pair{folder(fs::absolute(options.source_root).lexically_normal()), ""};
  source.name = file.string();
  source.definitions = options.definitions;
  source.include_directories = options.include_directories;
  source.by_itself = true;
  return source;
}

} // namespace gputest::ir
