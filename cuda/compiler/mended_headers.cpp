// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/mended_headers.h"

#include "model/files.h"

#include <string_view>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

struct Fault {
  std::string_view header;
  std::string_view behind; // the fault is after this text
  std::string_view wrong, right;
};

constexpr Fault kFaults[]{
    // Thrust to 2.2: optional<T&> has no construct(), and emplace() returns nothing.
    {"thrust/optional.h", "class optional<T &>", "this->construct(std::forward<Args>(args)...);",
     "m_value = addressof(args...); return *m_value;"},
    // Thrust and CUB to 1.17 wait in kernels for those that they have launched, which CUDA 12 has
    // removed. They launch none where device code is not relocatable.
    {"thrust/system/cuda/config.h", "", "__CUDA_ARCH__>= 350 && defined(__CUDACC_RDC__)", "0"},
    {"cub/util_arch.cuh", "", "__CUDA_ARCH__>= 350 && defined(__CUDACC_RDC__)", "0"},
};

constexpr const char* kSystemFolders[]{"/usr/local/include", "/usr/include"};

} // namespace

std::map<fs::path, std::string> mended_headers(const std::vector<std::string>& folders) {
  std::vector<fs::path> all(folders.begin(), folders.end());
  all.insert(all.end(), std::begin(kSystemFolders), std::end(kSystemFolders));
  std::map<fs::path, std::string> mended;
  for (const fs::path& folder : all)
    for (const auto& [header, behind, wrong, right] : kFaults) {
      const fs::path file = fs::absolute(folder / header).lexically_normal();
      std::string text = model::read_text(file).value_or("");
      const std::size_t begin = text.find(behind),
                        at = begin == std::string::npos ? begin : text.find(wrong, begin);
      if (at != std::string::npos)
        mended[file] = text.replace(at, wrong.size(), right);
    }
  return mended;
}

} // namespace gputest::cuda::compiler
