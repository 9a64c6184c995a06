// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/index/comparison.h"

#include "model/json.h"
#include "report/common/painter.h"
#include "report/common/text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace gputest::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kStatesFormat = "gputest-results-1";
constexpr const char* kFailure = "failure: ";

std::vector<OpenEnd> open_beyond(const ResultState& all, const ResultState& other) {
  std::vector<OpenEnd> ends;
  for (const auto& [id, text] : all.open)
    if (!other.open.contains(id) && !other.not_run.contains(id))
      ends.push_back({id, text});
  return ends;
}

std::string listed(const char* what, const std::vector<OpenEnd>& all, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < most; ++i)
    text += fmt::format("    {}: {}\n", what, clean(all[i].text));
  if (all.size() > most)
    text += fmt::format("    {}: {} more\n", what, all.size() - most);
  return text;
}

// Returns an id that the same failure has in another run, without the numbers outside of quotes,
// which vary.
std::string id_of_failure(const std::string& failure) {
  std::string id = kFailure;
  bool quoted = false;
  for (const char c : failure) {
    quoted ^= c == '\'';
    const bool is_number = std::isdigit(static_cast<unsigned char>(c)) || c == '.';
    if (quoted || !is_number)
      id += c;
    else if (id.back() != '#')
      id += '#';
  }
  return id;
}

// Adds a text. The second one with the same id is "id #2".
void add(ResultState& state, const std::string& id, const std::string& text) {
  std::string own = id;
  for (unsigned number = 2; state.open.contains(own); ++number)
    own = fmt::format("{} #{}", id, number);
  state.open[own] = text;
}

} // namespace

ResultStates states_of(const Index& index) {
  ResultStates states;
  for (const IndexRow& row : index.rows)
    for (const auto& [kind, cell] : row.cells) {
      ResultState& state = states[fmt::format("{}/{}/{}", kind, row.name, row.kernel)];
      state = {kind, row.name, row.kernel, cell.value, cell.stamp, {}};
      state.not_run.insert(cell.not_run.begin(), cell.not_run.end());
      for (const OpenEnd& open : cell.open)
        add(state, open.id, open.text);
      for (const std::string& failure : cell.failures)
        add(state, id_of_failure(failure), failure);
    }
  return states;
}

std::vector<Change> changes(const ResultStates& before, const ResultStates& now) {
  std::vector<Change> all;
  for (const auto& [key, state] : now) {
    const auto known = before.find(key);
    const ResultState old = known == before.end() ? ResultState{} : known->second;
    Change change{.kind = state.kind,
                  .name = state.name,
                  .kernel = state.kernel,
                  .appeared = open_beyond(state, old),
                  .gone = open_beyond(old, state),
                  .value_before = old.value,
                  .value = state.value};
    if (known == before.end() || change.value_before != change.value || !change.appeared.empty() ||
        !change.gone.empty())
      all.push_back(std::move(change));
  }
  return all;
}

std::vector<OpenEnd> appeared_once(const Change& change) {
  std::vector<OpenEnd> ends;
  for (const OpenEnd& end : change.appeared)
    if (std::ranges::find(ends, end.text, &OpenEnd::text) == ends.end())
      ends.push_back(end);
  return ends;
}

bool is_failure(const OpenEnd& end) {
  return end.id.starts_with(kFailure);
}

std::string changes_terminal(const std::vector<Change>& changes, bool colour, std::size_t most) {
  if (changes.empty())
    return "  nothing changed\n";
  const Painter paint(colour);
  std::string text;
  for (const Change& change : changes) {
    const std::string values = change.value_before.empty() ? change.value + " (new)"
                               : change.value_before == change.value
                                   ? change.value
                                   : change.value_before + " → " + change.value;
    const Style style = change.appeared.empty() ? Style::Green : Style::Red;
    text += fmt::format("  {} of {}: {}; {} new, {} gone\n", change.kind, clean(label_of(change)),
                        paint(style, clean(values)), change.appeared.size(), change.gone.size());
    text += listed("new", change.appeared, most) + listed("gone", change.gone, most);
  }
  return text;
}

std::string to_text(const ResultStates& states) {
  Json json{{"format", kStatesFormat}, {"results", Json::array()}};
  for (const auto& [key, state] : states) {
    json["results"].push_back({{"kind", state.kind},
                               {"name", state.name},
                               {"kernel", state.kernel},
                               {"value", state.value},
                               {"stamp", state.stamp},
                               {"open", Json(state.open)}});
    if (!state.not_run.empty())
      json["results"].back()["not_run"] = state.not_run;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ResultStates states_from_text(const std::string& text) {
  const Json json = model::parse_json(text);
  model::expect_format(json, kStatesFormat);
  ResultStates states;
  for (const Json& result : model::required_array(json, "results")) {
    ResultState state{.kind = model::required<std::string>(result, "kind"),
                      .name = model::required<std::string>(result, "name"),
                      .kernel = model::required<std::string>(result, "kernel"),
                      .value = model::required<std::string>(result, "value"),
                      .stamp = model::required<std::string>(result, "stamp"),
                      .open = {}};
    state.open = model::required<std::map<std::string, std::string>>(result, "open");
    state.not_run =
        model::optional<std::set<std::string>>(result, "not_run").value_or(state.not_run);
    states[fmt::format("{}/{}/{}", state.kind, state.name, state.kernel)] = std::move(state);
  }
  return states;
}

} // namespace gputest::report
