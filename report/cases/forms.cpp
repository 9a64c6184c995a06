// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/files.h"
#include "report/cases/cases.h"
#include "report/common/label.h"
#include "report/common/painter.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::report {
namespace {

constexpr std::size_t kNumbersWidth = 51; // columns of a row besides the case's name
constexpr std::size_t kNamedKills = 3;    // ids of mutants that a row names

std::string or_unknown(bool is_known, std::size_t number) {
  return is_known ? std::to_string(number) : "–";
}

std::string cell(const std::string& text, std::size_t width) {
  return padding(text, width) + text;
}

std::string row_text(const CaseSet& set, const CaseWorth& one, std::size_t width,
                     const Painter& paint) {
  const std::string name = elide_middle(clean(one.name), width);
  const bool is_known = set.has_outcomes || set.has_kills;
  return name + padding(name, width) + cell(or_unknown(set.has_outcomes, one.outcomes), 10) +
         cell(or_unknown(set.has_outcomes, one.only_outcomes), 8) +
         cell(or_unknown(set.has_kills, one.kills), 8) +
         cell(or_unknown(set.has_kills, one.only_kills.size()), 8) + "   " +
         paint(one.is_kept ? Style::Plain : Style::Yellow, !is_known ? "not known"
                                                           : one.is_kept
                                                               ? one.is_needed() ? "needed" : "kept"
                                                               : "redundant") +
         '\n';
}

std::string alone_text(const CaseSet& set) {
  std::string text;
  for (const CaseWorth& one : set.cases) {
    if (one.only_kills.empty())
      continue;
    text += fmt::format("  '{}' alone kills ", clean(one.name));
    for (std::size_t i = 0; i < std::min(kNamedKills, one.only_kills.size()); ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ", ", clean(one.only_kills[i]));
    if (one.only_kills.size() > kNamedKills)
      text += fmt::format(" and {} more", one.only_kills.size() - kNamedKills);
    text += '\n';
  }
  return text;
}

std::string verdict_text(const CaseSet& set) {
  const auto kept =
      static_cast<std::size_t>(std::ranges::count(set.cases, true, &CaseWorth::is_kept));
  if (!set.has_outcomes && !set.has_kills)
    return "";
  const std::string what = set.has_outcomes && set.has_kills ? "coverage and score"
                           : set.has_outcomes                ? "coverage"
                                                             : "score";
  return fmt::format("  {} of {} cases have the same {}{}\n", kept, set.cases.size(), what,
                     set.is_smallest ? "" : ", and fewer may");
}

} // namespace

std::string cases_terminal(const std::vector<CaseSet>& sets, bool colour,
                           std::optional<std::size_t> columns) {
  if (sets.empty())
    return "no test has two cases\n";
  const Painter paint(colour);
  std::string text;
  for (const CaseSet& set : sets) {
    std::size_t width = 4;
    for (const CaseWorth& one : set.cases)
      width = std::max(width, width_of(clean(one.name)));
    if (columns)
      width =
          std::min(width, std::max<std::size_t>(12, *columns - std::min(*columns, kNumbersWidth)));
    text +=
        fmt::format("{}{}\n", text.empty() ? "" : "\n", paint(Style::Bold, clean(label_of(set))));
    text += "case" + padding("case", width) +
            fmt::format("{:>10}{:>8}{:>8}{:>8}   verdict\n", "outcomes", "alone", "kills", "alone");
    for (const CaseWorth& one : set.cases)
      text += row_text(set, one, width, paint);
    text += alone_text(set) + verdict_text(set);
    for (const std::string& note : set.notes)
      text += fmt::format("  note: {}\n", note);
  }
  return text;
}

std::string cases_json(const std::vector<CaseSet>& sets) {
  using Json = nlohmann::ordered_json;
  Json json{{"format", "gputest-cases-1"}, {"tests", Json::array()}};
  for (const CaseSet& set : sets) {
    Json cases = Json::array();
    for (const CaseWorth& one : set.cases) {
      Json entry{{"name", one.name}};
      if (set.has_outcomes)
        entry.update({{"outcomes", one.outcomes}, {"outcomes_alone", one.only_outcomes}});
      if (set.has_kills)
        entry.update({{"kills", one.kills}, {"kills_alone", one.only_kills}});
      entry["kept"] = one.is_kept;
      cases.push_back(std::move(entry));
    }
    json["tests"].push_back({{"name", set.name},
                             {"kernel", set.kernel},
                             {"cases", std::move(cases)},
                             {"smallest", set.is_smallest},
                             {"notes", set.notes}});
  }
  return model::pretty(json);
}

} // namespace gputest::report
