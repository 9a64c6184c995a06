// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/variant.h"

#include "model/name_below.h"
#include "model/sources.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string_view>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kNames{"coverage", "mutants"};

// Makes a name relative, so that it does not depend on the project's folder.
std::string relative(const std::string& file, const std::string& root) {
  const std::string path = fs::absolute(file).lexically_normal().string();
  return root.empty() ? path : model::name_below(path, root).value_or(path);
}

} // namespace

fs::path instrumenter(const Toolkit& toolkit) {
  return toolkit.simulator.parent_path() / "gputest-passes";
}

InstrumentedSource::InstrumentedSource(const Command& command, std::string of, std::string file)
    : name(std::move(of)), source(std::move(file)), source_root(command.source_root),
      relocatable(command.relocatable) {
  if (std::ranges::find(kNames, name) == kNames.end())
    throw std::runtime_error("--gputest-variant: '" + name + "' is not known");
  if (command.variant_folder.empty())
    throw std::runtime_error("--gputest-variant needs --gputest-folder");
  for (const char letter : fs::path(source).stem().string())
    unit += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  unit += "_" + model::digest_of(relative(source, source_root) + "\n" + command.output);
  folder = fs::path(command.variant_folder) / unit;
}

fs::path InstrumentedSource::text() const {
  return folder / (name + ".cu");
}

fs::path InstrumentedSource::host_text() const {
  return folder / (name + "-host.cu");
}

std::vector<std::string> InstrumentedSource::making(const Toolkit& toolkit,
                                                    const std::vector<std::string>& reading) const {
  std::vector<std::string> command{instrumenter(toolkit),
                                   "cuda",
                                   "--variant",
                                   name,
                                   "--source",
                                   source,
                                   "--unit",
                                   unit,
                                   "--output",
                                   folder.string(),
                                   "--source-root",
                                   source_root};
  if (relocatable)
    command.emplace_back("--relocatable");
  command.emplace_back("--");
  command.insert(command.end(), reading.begin(), reading.end());
  return command;
}

} // namespace gputest::cuda::compiler
