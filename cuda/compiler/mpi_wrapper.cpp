// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/mpi_wrapper.h"

#include "cuda/compiler/process.h"
#include "model/files.h"
#include "process/scratch_folder.h"

#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace gputest::cuda::compiler {

bool is_mpi_wrapper(const std::string& compiler) {
  return std::filesystem::path(compiler).filename().string().find("mpi") != std::string::npos;
}

std::vector<std::string> options_of_mpi_wrapper(const std::string& compiler) {
  const process::ScratchFolder folder("gputest-cuda");
  const std::string file = (folder.path() / "shown").string();
  const int failed = start_quietly({compiler, "-show"}, file, false);
  std::istringstream shown(model::read_text(file).value_or(""));
  std::vector<std::string> words;
  for (std::string word; shown >> word;)
    words.push_back(word);
  if (failed != 0 || words.empty())
    throw std::runtime_error("-ccbin: '" + compiler + " -show' does not say what it calls");
  words.erase(words.begin());
  return words;
}

} // namespace gputest::cuda::compiler
