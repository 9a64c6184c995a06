// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/index/gate.h"

#include "model/interface.h"
#include "report/common/text.h"
#include "report/index/comparison.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace gputest::report {
namespace {

// Of analyses that find faults. Lost cycles are none, but a missed limit is.
bool is_finding(std::string_view kind, bool is_failure) {
  return kind != "test" && kind != "coverage" && kind != "mutation" && kind != "generation" &&
         (kind != "memory" || is_failure);
}

} // namespace

const std::vector<Gate>& gates() {
  static const std::vector<Gate> all{
      {"new-survivors", "new survivor", true,
       [](std::string_view kind, bool is_failure) { return kind == "mutation" && !is_failure; }},
      {"lost-outcomes", "lost outcome", true,
       [](std::string_view kind, bool is_failure) { return kind == "coverage" && !is_failure; }},
      {"new-findings", "new finding", true, is_finding},
      {"failures", "failure", false, nullptr}};
  return all;
}

std::vector<const Gate*> gates_from_text(const std::string& text) {
  std::vector<const Gate*> named;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto found = std::ranges::find(gates(), word, &Gate::name);
    if (found == gates().end()) {
      std::string names;
      for (const Gate& gate : gates())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", gate.name);
      throw model::FormatError(fmt::format("'{}' is none of {}", word, names));
    }
    if (std::ranges::find(named, &*found) == named.end())
      named.push_back(&*found);
  }
  if (named.empty())
    throw model::FormatError("it names nothing");
  return named;
}

std::vector<Stopped> stopped_by(const std::vector<const Gate*>& gates, const Index& index,
                                const std::vector<Change>& changes) {
  std::vector<Stopped> all;
  for (const Gate* const gate : gates) {
    Stopped stopped{gate, {}};
    if (gate->counts) {
      for (const Change& change : changes)
        for (const OpenEnd& end : appeared_once(change))
          if (gate->counts(change.kind, is_failure(end)))
            stopped.ends.push_back(fmt::format("{}: {}", label_of(change), end.text));
    } else {
      for (const IndexRow& row : index.rows)
        for (const auto& [kind, cell] : row.cells)
          for (const std::string& failure : cell.failures)
            stopped.ends.push_back(fmt::format("{} of {}: {}", kind, label_of(row), failure));
    }
    if (!stopped.ends.empty())
      all.push_back(std::move(stopped));
  }
  return all;
}

std::string text_of(const Stopped& stopped, std::size_t most) {
  std::string text = plural(stopped.ends.size(), stopped.gate->what) + '\n';
  for (std::size_t i = 0; i < stopped.ends.size() && i < most; ++i)
    text += fmt::format("  {}\n", clean(stopped.ends[i]));
  if (stopped.ends.size() > most)
    text += fmt::format("  {} more\n", stopped.ends.size() - most);
  return text;
}

} // namespace gputest::report
