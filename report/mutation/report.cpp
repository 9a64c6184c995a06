// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/mutation/report.h"

#include "report/common/mutant_text.h"
#include "report/common/text.h"
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
  into.indistinct += other.indistinct;
  for (const auto& [verdict, count] : other.count)
    into.count[verdict] += count;
}

// Results of several kernels share one file, in which names are keys.
void make_names_differ(std::vector<model::Mutation>& kernels) {
  std::map<std::string, unsigned> seen;
  for (model::Mutation& kernel : kernels)
    if (const unsigned earlier = seen[kernel.name]++; earlier > 0)
      kernel.name += fmt::format("-{}", earlier + 1);
}

} // namespace

MutationReport read_mutation_report(const std::vector<fs::path>& files, std::string title) {
  std::vector<model::Mutation> parts;
  for (const fs::path& file : files)
    std::ranges::move(model::read_mutations(file), std::back_inserter(parts));
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
  report.title = title.empty() ? title_of("Mutants", report.kernels) : std::move(title);
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
  return tallies.total - tallies.scored() - tallies.of(Verdict::NotRun);
}

std::vector<std::string> without_oracle(const MutationReport& report) {
  std::vector<std::string> sentences;
  for (const model::Mutation& kernel : report.kernels)
    if (model::lacks_oracle(kernel))
      sentences.push_back(
          fmt::format("{}: this test has no oracle: nothing notices what the mutants that were "
                      "reached compute (judged by: {})",
                      clean(label_of(kernel)), clean(kernel.oracle)));
  return sentences;
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

std::vector<std::vector<const Entry*>> unnoticed(std::span<const Entry* const> entries) {
  // The key that mutants of one expression share. Launches are no expressions.
  const auto key_of = [](const Entry& entry) {
    const model::Mutant& mutant = entry.result->mutant;
    return std::tuple(entry.kernel, entry.place.key, mutant.line, mutant.column, mutant.end_line,
                      mutant.end_column,
                      mutant.kind == model::MutantKind::Launch ? mutant.id : std::string());
  };
  const auto is_missed = [](const Entry& entry) {
    return !model::is_indistinct(*entry.result) && (entry.result->verdict == Verdict::Survived ||
                                                    entry.result->verdict == Verdict::Undecided);
  };
  struct Expression {
    bool all = true; // that count survived
    std::size_t group = 0;
  };
  std::map<decltype(key_of(*entries.front())), Expression> expressions;
  for (const Entry* entry : entries) {
    Tallies one;
    model::add(one, *entry->result);
    Expression& expression = expressions[key_of(*entry)];
    expression.all &= one.scored() == 0 || entry->result->verdict == Verdict::Survived;
  }
  std::vector<std::vector<const Entry*>> groups;
  for (const Entry* entry : entries) {
    if (!is_missed(*entry))
      continue;
    Expression& expression = expressions[key_of(*entry)];
    if (expression.all && expression.group > 0) {
      groups[expression.group - 1].push_back(entry);
      continue;
    }
    groups.push_back({entry});
    expression.group = groups.size();
  }
  return groups;
}

Told told_of(const std::vector<const Entry*>& mutants, std::size_t width) {
  const model::MutantResult& first = *mutants.front()->result;
  if (mutants.size() == 1) {
    auto [before, after] = change_text(first.mutant, width);
    return {operators_text(first.mutant), std::move(before), std::move(after), outcome_text(first)};
  }
  model::Mutant all = first.mutant;
  all.replacement.clear();
  all.operators.clear();
  for (const Entry* entry : mutants)
    for (const std::string& name : entry->result->mutant.operators)
      if (std::ranges::find(all.operators, name) == all.operators.end())
        all.operators.push_back(name);
  return {operators_text(all), change_text(all, width).first, "",
          fmt::format("each of {} mutants {}", mutants.size(), outcome_text(first)),
          mutants.size()};
}

} // namespace gputest::report
