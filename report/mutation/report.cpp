#include "report/mutation/report.h"

#include "report/coverage/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

using model::Tallies;
using model::Verdict;

void add(Tallies& into, const Tallies& other) {
  into.total += other.total;
  for (const auto& [verdict, count] : other.count)
    into.count[verdict] += count;
}

std::string title_for(const std::vector<model::Mutation>& kernels) {
  if (kernels.size() == 1)
    return fmt::format("Mutants of {}", label_of(kernels.front()));
  return fmt::format("Mutants of {} kernels", kernels.size());
}

// Results of several kernels share a file by name.
void make_names_differ(std::vector<model::Mutation>& kernels) {
  std::map<std::string, unsigned> seen;
  for (model::Mutation& kernel : kernels)
    if (const unsigned earlier = seen[kernel.name]++; earlier > 0)
      kernel.name += fmt::format("-{}", earlier + 1);
}

} // namespace

MutationReport read_mutation_report(const std::vector<fs::path>& files, std::string title) {
  std::vector<model::Mutation> parts;
  for (const fs::path& file : files) {
    try {
      std::ranges::move(model::read_mutations(file), std::back_inserter(parts));
    } catch (const model::FormatError& error) {
      throw InputError(error.what());
    }
  }
  return make_mutation_report(std::move(parts), std::move(title));
}

MutationReport make_mutation_report(std::vector<model::Mutation> parts, std::string title) {
  std::map<std::tuple<std::string, std::string, std::string>, model::Mutation> kernels;
  for (model::Mutation& part : parts) {
    const auto key = std::tuple(part.name, part.kernel, part.source);
    if (const auto kernel = kernels.find(key); kernel != kernels.end())
      model::merge(kernel->second, part);
    else
      kernels.emplace(key, std::move(part));
  }
  MutationReport report;
  for (auto& [key, kernel] : kernels)
    report.kernels.push_back(std::move(kernel));
  make_names_differ(report.kernels);
  report.title = title.empty() ? title_for(report.kernels) : std::move(title);
  return report;
}

void add_sources(MutationReport& report, const SourceTree& sources) {
  for (model::Mutation& kernel : report.kernels)
    for (const model::MutantResult& result : kernel.results) {
      const std::string& name = result.mutant.file.empty() ? kernel.source : result.mutant.file;
      if (kernel.sources.contains(name))
        continue;
      if (const auto lines = sources.lines_of(name))
        kernel.sources.emplace(name, fmt::format("{}\n", fmt::join(*lines, "\n")));
    }
}

Tallies tally(const MutationReport& report) {
  Tallies all;
  for (const model::Mutation& kernel : report.kernels)
    add(all, model::tally(kernel.results));
  return all;
}

model::Tally score_of(const Tallies& tallies) {
  return {.covered = tallies.detected(), .total = tallies.scored()};
}

std::uint64_t not_scored(const Tallies& tallies) {
  return tallies.total - tallies.scored();
}

std::string label_of(const model::Mutation& kernel) {
  if (kernel.name.empty() || kernel.name == kernel.kernel)
    return kernel.kernel;
  return fmt::format("{} ({})", kernel.kernel, kernel.name);
}

std::vector<Entry> entries_of(const MutationReport& report) {
  const model::Places places(report.kernels);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < report.kernels.size(); ++i)
    for (const model::MutantResult& result : report.kernels[i].results)
      entries.push_back(
          {.kernel = &report.kernels[i], .result = &result, .place = places.of(i, result.mutant)});
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return std::tie(a.place.key, a.place.line, a.place.column) <
           std::tie(b.place.key, b.place.line, b.place.column);
  });
  return entries;
}

} // namespace gputest::report
