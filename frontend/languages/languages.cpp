// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/languages/languages.h"

#include "frontend/clang_run.h"
#include "frontend/cuda/device_functions.h"
#include "frontend/cuda/own_toolkit.h"
#include "frontend/file_names.h"
#include "frontend/flatten.h"
#include "frontend/spirv/declarations.h"
#include "model/files.h"
#include "model/interface.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace gputest::frontend {
namespace {

using Use = std::function<llvm::Error(const Tree&)>;

struct Reader {
  Language language;
  llvm::Expected<FlatSource> (*read)(const SourceOptions&);
  llvm::Error (*parse)(const FlatSource&, const SourceOptions&, const Use&);
};

llvm::Expected<FlatSource> read_cuda_file(const SourceOptions& options) {
  auto cuda = cuda_options(options);
  return cuda ? read_cuda(*cuda) : cuda.takeError();
}

llvm::Error parse_cuda_file(const FlatSource& source, const SourceOptions& options,
                            const Use& use) {
  auto cuda = cuda_options(options);
  return cuda ? parse_cuda(source, *cuda, use) : cuda.takeError();
}

llvm::Error parse_cpp_for_opencl(const FlatSource& source, const SourceOptions& options,
                                 const Use& use) {
  std::vector<std::string> arguments = common_arguments(options.cl_std);
  arguments.emplace_back("-fsyntax-only");
  const auto files = as_file(source.text, arguments);
  return parse_with(source, arguments, files, [&](clang::ASTContext& context) {
    return use(Tree(context, source, Language::OpenCLCpp, device_functions(context), {}));
  });
}

// A module has no text that can be edited. What is compiled is the module itself.
llvm::Expected<FlatSource> read_spirv(const SourceOptions& options) {
  const std::string name = FileNames(options.source_root).name(options.file);
  const std::optional<std::string> bytes = model::read_text(options.file);
  if (!bytes)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: error: cannot be read",
                                   options.file.c_str());
  try {
    const model::SpirvModule module(*bytes, name);
  } catch (const model::FormatError& error) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", error.what());
  }
  FlatSource source;
  source.text = model::text_of_spirv(*bytes);
  source.files = {name};
  source.paths = source.dependencies = {options.file};
  return source;
}

llvm::Error parse_spirv(const FlatSource& source, const SourceOptions& options, const Use& use) {
  const std::string name = source.files.front();
  const model::SpirvModule module(model::spirv_of_text(source.text).value_or(""), name);
  SourceOptions as_opencl = options;
  as_opencl.cl_std = "CL2.0"; // which knows all types that parameters may have
  as_opencl.text = declarations_of(module, name);
  auto declared = flatten(as_opencl);
  return declared ? parse(*declared, as_opencl, use) : declared.takeError();
}

constexpr std::array kReaders{Reader{Language::OpenCL, flatten, parse},
                              Reader{Language::OpenCLCpp, flatten, parse_cpp_for_opencl},
                              Reader{Language::Spirv, read_spirv, parse_spirv},
                              Reader{Language::Cuda, read_cuda_file, parse_cuda_file}};

const Reader& reader_of(const SourceOptions& options) {
  return *std::ranges::find(kReaders, model::language_of(options.file), &Reader::language);
}

} // namespace

llvm::Expected<FlatSource> read_file(const SourceOptions& options) {
  return reader_of(options).read(options);
}

llvm::Error parse_file(const FlatSource& source, const SourceOptions& options, const Use& use) {
  return reader_of(options).parse(source, options, use);
}

} // namespace gputest::frontend
