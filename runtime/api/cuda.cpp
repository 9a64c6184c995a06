// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/cuda.h"

#include "gputest/error.h"

#include <cctype>
#include <fmt/format.h>

namespace gputest::runtime {

using detail::KernelArgument;

void expect_of_cuda(const RunOptions& options, const MachineKind& machine,
                    const std::vector<KernelArgument>& given, const std::string& what) {
  const auto refuse = [&](bool is_given, const char* option, const char* instead) {
    if (is_given)
      throw UsageError(fmt::format("{}: {} is for OpenCL C; {}", what, option, instead));
  };
  refuse(!machine.runs(model::Language::Cuda), "this device",
         "set device to simulator, or to gpu for a GPU of CUDA's");
  refuse(!options.global_offset.empty(), "global_offset", "leave it out");
  refuse(!options.build_options.empty(), "build_options", "leave it out");
  const std::string_view standards = model::row_of(model::Language::Cuda).standards;
  refuse(standards.find(options.cl_std + ' ') == std::string_view::npos, "cl_std",
         "give a version of C++, such as c++20, or leave it out");
  for (const KernelArgument& argument : given) {
    refuse(argument.kind == KernelArgument::Kind::Local, "gputest::local",
           "give bytes of __shared__ memory with shared_memory");
    refuse(argument.kind == KernelArgument::Kind::Image ||
               argument.kind == KernelArgument::Kind::Sampler,
           "an image or a sampler", "CUDA's kernels have no such arguments");
  }
}

std::string as_file_name(std::string_view kernel) {
  std::string name;
  for (const char letter : kernel)
    if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '_')
      name += letter;
    else
      name += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  return name;
}

} // namespace gputest::runtime
