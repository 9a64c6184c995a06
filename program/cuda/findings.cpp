// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/findings.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace gputest::program {

CudaFindings read_cuda_findings(const std::filesystem::path& file) {
  CudaFindings found;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (json.is_discarded()) // the program was killed while writing
      continue;
    if (json.contains("launches")) {
      found.launches += json["launches"].get<std::uint64_t>();
      found.library_calls += json.value("library_calls", std::uint64_t{0});
    } else
      found.findings.push_back(json.get<model::Finding>());
  }
  return found;
}

} // namespace gputest::program
