// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/languages/languages.h"

#include "frontend/clang_run.h"
#include "frontend/cuda/device_functions.h"
#include "frontend/cuda/own_toolkit.h"
#include "frontend/flatten.h"

#include <algorithm>
#include <array>

namespace gputest::passes {
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

constexpr std::array kReaders{Reader{Language::OpenCL, flatten, parse},
                              Reader{Language::OpenCLCpp, flatten, parse_cpp_for_opencl},
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

} // namespace gputest::passes
