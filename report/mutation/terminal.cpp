// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/time/over.h"
#include "report/common/mutant_text.h"
#include "report/common/painter.h"
#include "report/common/text.h"
#include "report/mutation/outputs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace gputest::report {
namespace {

using model::Tallies;
using model::Verdict;

constexpr std::size_t kTableWidth = 104; // of what is no terminal: enough for each operator
constexpr std::size_t kTableGap = 2;     // between columns
constexpr std::size_t kListedFully = 100, kListedBriefly = 20;

struct Column {
  std::string title;
  std::uint64_t (*value)(const Tallies&);
  Style style;
  bool is_optional; // shown only if there is one
};

std::uint64_t of_timeout(const Tallies& tallies) {
  return tallies.of(Verdict::Timeout);
}

const std::array<Column, 6> kColumns{
    Column{"survived", [](const Tallies& t) { return t.of(Verdict::Survived); }, Style::Yellow,
           false},
    Column{"no coverage", [](const Tallies& t) { return t.of(Verdict::NoCoverage); }, Style::Red,
           false},
    Column{"undecided", [](const Tallies& t) { return t.of(Verdict::Undecided); }, Style::Yellow,
           true},
    Column{"timeout", of_timeout, Style::Plain, true},
    Column{"not run", [](const Tallies& t) { return t.of(Verdict::NotRun); }, Style::Yellow, true},
    Column{"not scored", not_scored, Style::Dim, true}};

struct OperatorRow {
  std::string label;
  Tallies tallies;
};

// "9/10  90 %"
std::string score_cell(const Tallies& tallies) {
  const model::Tally score = score_of(tallies);
  if (score.total == 0)
    return percent_text(score);
  return fmt::format("{}/{} {:>5}", score.covered, score.total, percent_text(score));
}

// Both tables share their columns.
class Table {
public:
  Table(const std::vector<OperatorRow>& first, const std::vector<OperatorRow>& second,
        const Painter& paint, std::optional<std::size_t> columns)
      : paint_(paint) {
    const std::size_t width = columns.value_or(kTableWidth);
    std::vector<OperatorRow> all = first;
    all.insert(all.end(), second.begin(), second.end());
    score_width_ = width_of("killed");
    label_width_ = width_of("operator");
    for (const OperatorRow& row : all) {
      score_width_ = std::max(score_width_, width_of(score_cell(row.tallies)));
      label_width_ = std::max(label_width_, width_of(row.label));
    }
    std::size_t taken = score_width_ + kTableGap;
    for (const Column& column : kColumns) {
      std::uint64_t most = 0;
      for (const OperatorRow& row : all)
        most = std::max(most, column.value(row.tallies));
      if (most == 0 && column.is_optional)
        continue;
      columns_.emplace_back(&column, std::max(column.title.size(), std::to_string(most).size()));
      taken += columns_.back().second + kTableGap;
    }
    label_width_ = std::min(label_width_, std::max<std::size_t>(8, width - std::min(width, taken)));
  }

  std::string text(const std::string& title, const std::vector<OperatorRow>& rows) const {
    std::string heading = title + padding(title, label_width_) +
                          padding("killed", score_width_ + kTableGap) + "killed";
    for (const auto& [column, width] : columns_)
      heading += padding(column->title, width + kTableGap) + column->title;
    std::string text = paint_(Style::Bold, heading) + '\n';
    for (const OperatorRow& row : rows)
      text += line(row);
    return text;
  }

private:
  std::string line(const OperatorRow& row) const {
    const std::string label = elide_middle(row.label, label_width_),
                      score = score_cell(row.tallies);
    std::string text = label + padding(label, label_width_) +
                       padding(score, score_width_ + kTableGap) +
                       paint_(style_of(score_of(row.tallies)), score);
    for (const auto& [column, width] : columns_) {
      const std::uint64_t value = column->value(row.tallies);
      const std::string number = std::to_string(value);
      text += padding(number, width + kTableGap) +
              paint_(value == 0 ? Style::Dim : column->style, number);
    }
    return text + '\n';
  }

  const Painter& paint_;
  std::size_t score_width_ = 0, label_width_ = 0;
  std::vector<std::pair<const Column*, std::size_t>> columns_;
};

std::string not_scored_text(const Tallies& tallies) {
  std::vector<std::string> parts;
  for (const auto& [verdict, said] :
       {std::pair{Verdict::Equivalent, "equivalent (proved)"},
        std::pair{Verdict::Duplicate, "duplicate (proved)"}, std::pair{Verdict::Ignored, "ignored"},
        std::pair{Verdict::CompileError, "rejected by the device's compiler"}})
    if (tallies.of(verdict) > 0)
      parts.push_back(fmt::format("{} {}", tallies.of(verdict), said));
  if (tallies.indistinct > 0)
    parts.push_back(fmt::format("{} of fences that no test told apart", tallies.indistinct));
  return parts.empty() ? "" : fmt::format("not scored: {}\n", fmt::join(parts, ", "));
}

std::string run_text(const model::Mutation& kernel, bool is_only) {
  std::string text = is_only ? "" : clean(label_of(kernel)) + ": ";
  text += fmt::format("{}, {}", plural(kernel.results.size(), "mutant"),
                      plural(kernel.cases.size(), "test case"));
  if (kernel.executed > 0)
    text += fmt::format("; {} run in {:.3g} s", kernel.executed, kernel.seconds);
  if (const std::uint64_t left = model::tally(kernel.results).of(Verdict::NotRun); left > 0)
    text += fmt::format("; {} not run: {}", left, model::over_text(kernel.time_limit));
  if (!kernel.since.empty())
    text += fmt::format("; of lines changed since {}", clean(kernel.since));
  if (!kernel.device.empty())
    text += fmt::format("; device: {}", clean(kernel.device));
  if (!kernel.oracle.empty())
    text += fmt::format("; oracle: {}", clean(kernel.oracle));
  text += '\n';
  const Tallies tallies = model::tally(kernel.results);
  const auto interval = model::confidence(tallies, kernel.population);
  if (kernel.sample_seed && interval)
    text += fmt::format("{}a sample of {} of {} mutants (seed {}): score {:.1f} %, and with 95 % "
                        "confidence {:.1f} to {:.1f} % of all\n",
                        is_only ? "" : clean(label_of(kernel)) + ": ", kernel.results.size(),
                        kernel.population, *kernel.sample_seed, tallies.score().value_or(0),
                        interval->low, interval->high);
  return text;
}

std::string summary(const MutationReport& report) {
  std::string text = not_scored_text(tally(report));
  for (const model::Mutation& kernel : report.kernels)
    text += run_text(kernel, report.kernels.size() == 1);
  return text;
}

// Warnings that put the score itself in doubt.
std::string warnings(const MutationReport& report, const Painter& paint) {
  std::string text;
  for (const model::Mutation& kernel : report.kernels) {
    const auto score = model::tally(kernel.results).score();
    if (!kernel.deterministic)
      text += fmt::format("{}: {} the kernel itself does not compute the same each time; "
                          "comparisons allow for that\n",
                          clean(label_of(kernel)), paint(Style::Yellow, "warning:"));
    if (kernel.threshold && score && *score < *kernel.threshold)
      text += fmt::format("{}: {} the score of {:.4g} % is below the threshold of {:g} %\n",
                          clean(label_of(kernel)), paint(Style::Red, "error:"), *score,
                          *kernel.threshold);
  }
  return text;
}

// Lines of a list, and how many were left out.
class List {
public:
  List(std::size_t limit, std::string what, const Painter& paint)
      : limit_(limit), what_(std::move(what)), paint_(paint) {}

  void add(const std::string& file, unsigned line, unsigned column, const std::string& said) {
    if (++count_ <= limit_)
      text_ +=
          paint_(Style::Bold, fmt::format("{}:{}:{}: ", clean(file), line, column)) + said + '\n';
  }

  std::string text() const {
    if (count_ <= limit_)
      return text_;
    return text_ + paint_(Style::Dim, fmt::format("and {} more {}; see the HTML report (--html "
                                                  "FILE)\n",
                                                  count_ - limit_, what_));
  }

private:
  std::size_t limit_;
  std::string what_;
  const Painter& paint_;
  std::size_t count_ = 0;
  std::string text_;
};

// "relational_replacement: 'a < b' → 'a <= b' survived".
std::string sentence(const std::vector<const Entry*>& mutants) {
  const Told told = told_of(mutants, 60);
  return fmt::format("{}: '{}'{} {}", clean(told.operators), told.before,
                     told.mutants == 1 ? fmt::format(" → '{}'", told.after) : ":",
                     clean(told.outcome));
}

// Files with mutants of several kernels.
std::set<std::string> shared_files(const std::vector<Entry>& entries) {
  std::map<std::string, const model::Mutation*> owners;
  std::set<std::string> shared;
  for (const Entry& entry : entries)
    if (owners.try_emplace(entry.place.key, entry.kernel).first->second != entry.kernel)
      shared.insert(entry.place.key);
  return shared;
}

std::string survivors(const std::vector<Entry>& entries, const Painter& paint) {
  const std::set<std::string> shared = shared_files(entries);
  List list(kListedFully, "survivors", paint);
  std::vector<const Entry*> all;
  for (const Entry& entry : entries)
    all.push_back(&entry);
  for (const std::vector<const Entry*>& mutants : unnoticed(all)) {
    const auto& [kernel, result, place] = *mutants.front();
    list.add(place.name, place.line, place.column,
             sentence(mutants) +
                 (shared.contains(place.key) ? " in " + clean(label_of(*kernel)) : ""));
  }
  return list.text();
}

// The mutants that say nothing about the tests.
std::string indistinct(const std::vector<Entry>& entries, const Painter& paint) {
  List list(kListedBriefly, "fences", paint);
  for (const Entry& entry : entries)
    if (model::is_indistinct(*entry.result))
      list.add(entry.place.name, entry.place.line, entry.place.column, sentence({&entry}));
  return list.text();
}

std::string not_covered(const std::vector<Entry>& entries, const Painter& paint) {
  List list(kListedBriefly, "lines with mutants that no case reaches", paint);
  for (auto entry = entries.begin(); entry != entries.end();) {
    const auto end = std::find_if(entry, entries.end(), [&](const Entry& other) {
      return other.place.key != entry->place.key || other.place.line != entry->place.line;
    });
    const auto is_missed = [](const Entry& one) {
      return one.result->verdict == Verdict::NoCoverage && !model::is_indistinct(*one.result);
    };
    if (const auto count = std::count_if(entry, end, is_missed); count > 0) {
      const model::Places::Place& first = std::find_if(entry, end, is_missed)->place;
      list.add(first.name, first.line, first.column,
               fmt::format("no case reaches {} here",
                           plural(static_cast<std::uint64_t>(count), "mutant")));
    }
    entry = end;
  }
  return list.text();
}

std::string ignored(const std::vector<Entry>& entries, const Painter& paint) {
  List list(kListedBriefly, "ignored mutants", paint);
  for (const Entry& entry : entries)
    if (entry.result->verdict == Verdict::Ignored)
      list.add(entry.place.name, entry.place.line, entry.place.column, sentence({&entry}));
  return list.text();
}

std::string not_mutated(const MutationReport& report, const Painter& paint) {
  List list(kListedBriefly, "constructs that were not mutated", paint);
  for (const model::Mutation& kernel : report.kernels)
    for (const model::NotInstrumented& entry : kernel.not_mutated)
      list.add(entry.file, entry.line, entry.column,
               fmt::format("{}{} not mutated: {}", paint(Style::Yellow, "warning: "),
                           clean(entry.construct), clean(entry.reason)));
  return list.text();
}

} // namespace

std::string mutation_terminal(const MutationReport& report, bool colour,
                              std::optional<std::size_t> columns) {
  const Painter paint(colour);
  std::vector<OperatorRow> kernels, operators;
  for (const model::Mutation& kernel : report.kernels)
    kernels.push_back({clean(label_of(kernel)), model::tally(kernel.results)});
  if (kernels.size() > 1)
    kernels.push_back({"all", tally(report)});
  for (const auto& [name, tallies] : model::tally_by_operator(report.kernels))
    operators.push_back({clean(name), tallies});

  const Table table(kernels, operators, paint, columns);
  std::string text;
  for (const std::string& said : without_oracle(report))
    text += paint(Style::Yellow, "warning: ") + said + '\n';
  text += table.text("kernel", kernels);
  if (!operators.empty())
    text += '\n' + table.text("operator", operators);
  text += '\n' + paint(Style::Dim, summary(report));
  const std::vector<Entry> entries = entries_of(report);
  for (const std::string& part :
       {warnings(report, paint) + not_mutated(report, paint), survivors(entries, paint),
        not_covered(entries, paint), indistinct(entries, paint), ignored(entries, paint)})
    if (!part.empty())
      text += '\n' + part;
  return text;
}

} // namespace gputest::report
