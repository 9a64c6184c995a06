// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/mutation/source.h"

#include "report/common/html_code.h"
#include "report/common/mutant_text.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace gputest::report {
namespace {

using model::Verdict;

constexpr std::size_t kNotes = 6;         // survivors told below a line
constexpr std::size_t kDetailed = 20'000; // mutants up to which the data tells what differed

bool is_unnoticed(const model::MutantResult& result) {
  return (result.verdict == Verdict::Survived || result.verdict == Verdict::Undecided) &&
         !model::is_indistinct(result);
}

std::vector<Mark> marks_of(const std::vector<const Entry*>& mutants) {
  std::vector<Mark> marks;
  for (const Entry* entry : mutants) {
    const model::Places::Place& place = entry->place;
    if (is_unnoticed(*entry->result) && entry->result->mutant.line > 0)
      marks.push_back(
          {.begin = place.column - 1,
           .end = place.end_line == place.line ? place.end_column - 1 : std::string::npos,
           .severity = Severity::Missing});
  }
  return marks;
}

model::Tallies tally_of(const std::vector<const Entry*>& mutants) {
  model::Tallies tallies;
  for (const Entry* entry : mutants)
    model::add(tallies, *entry->result);
  return tallies;
}

const char* class_of(const model::Tallies& tallies) {
  if (tallies.of(Verdict::Survived) + tallies.of(Verdict::Undecided) > 0)
    return "partial";
  if (tallies.of(Verdict::NoCoverage) > 0)
    return "missed";
  return tallies.scored() > 0 ? "covered" : "none";
}

std::string count_cell(std::size_t file, unsigned line, const model::Tallies& tallies) {
  if (tallies.total == 0)
    return "<td class=\"c\"></td>";
  std::string title = plural(tallies.total, "mutant");
  for (const auto& [verdict, count] : tallies.count)
    title += fmt::format("{}{} {}", title.find(':') == std::string::npos ? ": " : ", ", count,
                         model::name_of(verdict));
  std::ranges::replace(title, '_', ' ');
  return fmt::format(
      "<td class=\"c\"><button type=\"button\" class=\"count\" data-file=\"{}\" data-line=\"{}\" "
      "aria-expanded=\"false\" title=\"{}\">{}</button></td>",
      file, line, title,
      tallies.scored() == 0 ? "–" : fmt::format("{}/{}", tallies.detected(), tallies.scored()));
}

void write_notes(const std::vector<const Entry*>& mutants, const model::Tallies& tallies, Out out) {
  const std::uint64_t survivors = tallies.of(Verdict::Survived) + tallies.of(Verdict::Undecided),
                      missed = tallies.of(Verdict::NoCoverage);
  if (survivors == 0) // the line's colour says that it is not reached
    return;
  fmt::format_to(out, "<div class=\"notes\">");
  std::size_t told = 0;
  std::size_t notes = 0;
  for (const std::vector<const Entry*>& together : unnoticed(mutants)) {
    if (notes++ == kNotes)
      break;
    told += together.size();
    fmt::format_to(out, "<p class=\"note {}\">{}</p>",
                   together.front()->result->verdict == Verdict::Undecided ? "undecided"
                                                                           : "missing",
                   told_html(together));
  }
  if (missed > 0)
    fmt::format_to(out, "<p class=\"note uncovered\">no case reaches {}</p>",
                   plural(missed, "mutant"));
  if (survivors > told)
    fmt::format_to(out, "<p class=\"note more\">and {} more: press the number on the left</p>",
                   survivors - told);
  fmt::format_to(out, "</div>");
}

// Texts that occur often, by number.
class Texts {
public:
  std::size_t number(const std::string& text) {
    const auto [entry, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new)
      texts_.push_back(clean(text));
    return entry->second;
  }
  nlohmann::json json() const { return texts_; }

private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> texts_;
};

std::string told(const model::MutantResult& result, bool is_detailed) {
  const std::string all = is_detailed ? details_text(result) : "";
  std::string details;
  for (const std::string_view line : split_lines(all)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    details += (details.empty() ? "" : " ") + std::string(line.substr(indent));
  }
  return outcome_text(result) + (details.empty() ? "" : "; " + elide_middle(details, 200));
}

} // namespace

std::vector<MutatedFile> files_of(const MutationReport& report, const std::vector<Entry>& entries) {
  std::map<std::string, MutatedFile> files;
  for (model::Places::File& file : model::Places(report.kernels).files())
    files.emplace(file.key, MutatedFile{.key = file.key,
                                        .name = file.name,
                                        .is_known = file.is_known,
                                        .text = std::move(file.text),
                                        .lines = {},
                                        .tallies = {}});
  for (const Entry& entry : entries) {
    MutatedFile& file = files.at(entry.place.key);
    file.lines[entry.place.line].push_back(&entry);
    model::add(file.tallies, *entry.result);
  }
  std::vector<MutatedFile> mutated;
  for (auto& [key, file] : files)
    if (!file.lines.empty())
      mutated.push_back(std::move(file));
  return mutated;
}

std::string told_html(const std::vector<const Entry*>& mutants) {
  const Told told = told_of(mutants, 80);
  const auto code = [](const std::string& text) {
    return text.empty() ? "<code>∅</code>" : "<code>" + escape(text) + "</code>";
  };
  return fmt::format("<span class=\"by\">{}:</span> {}{} {}", escape(told.operators),
                     code(told.before), told.mutants == 1 ? " → " + code(told.after) : ":",
                     escape(told.outcome));
}

std::string mutated_source(const MutatedFile& file, std::size_t index) {
  std::vector<std::string> text;
  if (file.is_known)
    for (const std::string_view line : split_lines(file.text))
      text.emplace_back(line);
  const auto tokens = highlight(text);
  std::vector<unsigned> gaps;
  for (const auto& [number, mutants] : file.lines)
    if (const std::string_view state = class_of(tally_of(mutants));
        state == "partial" || state == "missed")
      gaps.push_back(number);
  const std::vector<bool> near = lines_near(gaps, text.size());

  std::string table;
  const auto out = std::back_inserter(table);
  begin_source_table("Mutants noticed", out);
  static const std::vector<const Entry*> none;
  const auto write_row = [&](unsigned number, bool is_near) {
    const auto found = file.lines.find(number);
    const std::vector<const Entry*>& mutants = found == file.lines.end() ? none : found->second;
    const model::Tallies tallies = tally_of(mutants);
    const std::string_view state = class_of(tallies);
    fmt::format_to(out,
                   "<tr id=\"{0}\" class=\"{1}{2}\"{3}><td class=\"n\"><a href=\"#{0}\">{4}</a>"
                   "</td>{5}<td class=\"s\"><code>",
                   anchor_of(index, number), state, is_near ? "" : " far",
                   state == "partial" || state == "missed" ? " data-gap" : "", number,
                   count_cell(index, number, tallies));
    if (number <= text.size())
      write_code(text[number - 1], tokens[number - 1], marks_of(mutants), out);
    fmt::format_to(out, "</code>");
    write_notes(mutants, tallies, out);
    fmt::format_to(out, "</td></tr>\n");
  };
  for (std::size_t number = 1; number <= text.size(); ++number) {
    if (!near[number] && (number == 1 || near[number - 1]))
      write_fold(near, number, "without survivors", out);
    write_row(static_cast<unsigned>(number), near[number]);
  }
  for (auto line = file.lines.upper_bound(static_cast<unsigned>(text.size()));
       line != file.lines.end(); ++line)
    write_row(line->first, true);
  return table + "</tbody></table>\n";
}

std::string mutant_data(const MutationReport& report, const std::vector<MutatedFile>& files,
                        SourceRange sources) {
  nlohmann::json json{{"verdicts", nlohmann::json::array()},
                      {"kernels", nlohmann::json::array()},
                      {"files", nlohmann::json::object()}}; // files by index
  std::size_t count = 0;
  for (const model::Mutation& kernel : report.kernels)
    count += kernel.results.size();
  std::unordered_map<const model::Mutation*, std::size_t> kernels;
  const auto number_of = [&](const model::Mutation* kernel) {
    const auto [known, is_new] = kernels.emplace(kernel, kernels.size());
    if (is_new)
      json["kernels"].push_back(clean(label_of(*kernel)));
    return known->second;
  };
  for (int i = 0; i <= static_cast<int>(Verdict::NotRun); ++i)
    json["verdicts"].push_back(model::name_of(static_cast<Verdict>(i)));
  Texts texts;
  for (std::size_t index = sources.first; index < sources.past; ++index) {
    const MutatedFile& file = files[index];
    nlohmann::json lines = nlohmann::json::object();
    for (const auto& [number, mutants] : file.lines) {
      std::vector<std::size_t> fields; // eight fields for each mutant, as in mutation.js
      for (const Entry* entry : mutants) {
        const model::MutantResult& result = *entry->result;
        fields.insert(fields.end(),
                      {entry->place.column, texts.number(operators_text(result.mutant)),
                       static_cast<std::size_t>(result.verdict), texts.number(result.mutant.text),
                       texts.number(result.mutant.replacement),
                       texts.number(told(result, count <= kDetailed)), number_of(entry->kernel),
                       texts.number(result.mutant.id)});
      }
      lines[std::to_string(number)] = std::move(fields);
    }
    json["files"][std::to_string(index)] = std::move(lines);
    json["names"][std::to_string(index)] = clean(file.name);
  }
  json["texts"] = texts.json();
  return inline_json(json.dump());
}

} // namespace gputest::report
