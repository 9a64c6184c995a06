// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/survivors.h"

#include "model/files.h"
#include "program/child.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>
#include <vector>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

} // namespace

std::map<fs::path, model::MutantTable>
compare_mutants_of(const std::map<fs::path, std::set<std::string>>& ids, const fs::path& passes,
                   const fs::path& scratch) {
  fs::create_directories(scratch);
  const auto file = [&](std::size_t number, const char* ending) {
    return scratch / fmt::format("{}.{}", number, ending);
  };
  std::map<fs::path, model::MutantTable> tables;
  std::vector<fs::path> folders;
  for (const auto& [folder, of] : ids)
    folders.push_back(folder);
  Children children;
  const std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t next = 0; next < folders.size() || children.count() > 0;) {
    for (; next < folders.size() && children.count() < jobs; ++next) {
      model::write_atomically(file(next, "ids"),
                              fmt::format("{}\n", fmt::join(ids.at(folders[next]), "\n")));
      ChildSettings child;
      child.command = {passes.string(), "cuda-compare",    "--folder", folders[next].string(),
                       "--mutants",     file(next, "ids"), "--output", file(next, "json")};
      child.output = file(next, "output");
      children.start(next, child);
    }
    const auto [number, result] = children.wait();
    model::MutantTable& table = tables[folders[number]];
    if (result.succeeded()) {
      table = model::read_mutant_table(file(number, "json"));
      continue;
    }
    table = model::read_mutant_table(folders[number] / "mutants.json");
    const std::string said = model::read_text(file(number, "output")).value_or("");
    const std::string why = said.substr(0, said.find('\n'));
    table.not_mutated = {model::not_compared(table.source, why.empty() ? result.text() : why)};
  }
  return tables;
}

} // namespace gputest::program
