#include "driver/cuda/survivors.h"

#include "driver/run/layer_file.h"
#include "model/files.h"
#include "program/child.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// What a child said first.
std::string first_line(const fs::path& file) {
  const std::string text = model::read_text(file).value_or("");
  return text.substr(0, text.find('\n'));
}

} // namespace

std::map<fs::path, model::MutantTable>
compare_mutants_of(const std::map<fs::path, std::set<std::string>>& ids, const fs::path& scratch) {
  fs::create_directories(scratch);
  const auto file = [&](std::size_t number, const char* ending) {
    return scratch / fmt::format("{}.{}", number, ending);
  };
  std::map<fs::path, model::MutantTable> tables;
  std::vector<fs::path> folders;
  for (const auto& [folder, of] : ids)
    folders.push_back(folder);
  program::Children children;
  const std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t next = 0; next < folders.size() || children.count() > 0;) {
    for (; next < folders.size() && children.count() < jobs; ++next) {
      model::write_atomically(file(next, "ids"),
                              fmt::format("{}\n", fmt::join(ids.at(folders[next]), "\n")));
      program::ChildSettings child;
      child.command = {own_file().parent_path() / "gputest-passes",
                       "cuda-compare",
                       "--folder",
                       folders[next].string(),
                       "--mutants",
                       file(next, "ids"),
                       "--output",
                       file(next, "json")};
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
    const std::string why = first_line(file(number, "output"));
    table.not_mutated = {{.file = table.source,
                          .line = 1,
                          .column = 1,
                          .function = "",
                          .construct = "equivalent mutants",
                          .reason = "not looked for: " + (why.empty() ? result.text() : why)}};
  }
  return tables;
}

} // namespace gputest::driver
