// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/index/index.h"

#include "model/files.h"
#include "model/interface.h"
#include "model/json.h"
#include "report/common/text.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <set>

namespace gputest::report {
namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

namespace {

const IndexKind* kind_of(std::span<const IndexKind> kinds, const fs::path& file) {
  const std::string name = file.filename().string();
  for (const IndexKind& kind : kinds)
    if (name == kind.result || name.ends_with('.' + std::string(kind.result)))
      return &kind;
  return nullptr;
}

std::string utc(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(system));
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(seconds));
}

void name_sources(Summary& summary, const SourceTree& sources) {
  summary.source = sources.name_of(summary.source);
  for (std::string& failure : summary.failures)
    failure = sources.with_names(std::move(failure));
  for (OpenEnd& open : summary.open) {
    open.id = sources.with_names(std::move(open.id));
    open.text = sources.with_names(std::move(open.text));
  }
}

IndexRow& row_of(Index& index, const Summary& summary) {
  const auto found = std::ranges::find_if(index.rows, [&](const IndexRow& row) {
    return row.name == summary.name && row.kernel == summary.kernel;
  });
  if (found != index.rows.end())
    return *found;
  index.rows.push_back({summary.name, summary.kernel, summary.source, {}});
  return index.rows.back();
}

} // namespace

std::vector<IndexInput> find_results(std::span<const IndexKind> kinds,
                                     const std::vector<fs::path>& places) {
  std::vector<IndexInput> inputs;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place)) {
      if (const IndexKind* const kind = kind_of(kinds, place))
        inputs.push_back({kind, place});
      continue;
    }
    std::vector<IndexInput> found;
    std::error_code error;
    fs::recursive_directory_iterator entry(place, fs::directory_options::skip_permission_denied,
                                           error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
      if (const IndexKind* const kind = kind_of(kinds, entry->path());
          kind && entry->is_regular_file())
        found.push_back({kind, entry->path()});
    if (error)
      throw model::FormatError(fmt::format("{}: error: {}", place.string(), error.message()));
    std::ranges::sort(found, {}, &IndexInput::file);
    inputs.insert(inputs.end(), found.begin(), found.end());
  }
  return inputs;
}

Index read_index(std::span<const IndexKind> kinds, const std::vector<IndexInput>& files,
                 const SourceTree& sources) {
  Index index;
  fs::file_time_type newest = fs::file_time_type::min();
  std::set<std::string_view> seen;
  for (const IndexInput& input : files) {
    newest = std::max(newest, fs::last_write_time(input.file));
    seen.insert(input.kind->name);
    try {
      for (Summary& summary : input.kind->read(input.file)) {
        if (summary.name.empty())
          summary.name = fs::absolute(input.file).parent_path().filename().string();
        name_sources(summary, sources);
        Summary& cell = row_of(index, summary).cells[std::string(input.kind->name)];
        cell = std::move(summary);
        cell.stamp = std::to_string(fs::last_write_time(input.file).time_since_epoch().count());
      }
    } catch (const model::FormatError& error) {
      index.unread.emplace_back(error.what());
    }
  }
  for (const IndexKind& kind : kinds)
    if (seen.contains(kind.name))
      index.kinds.push_back(kind);
  std::ranges::stable_sort(index.rows, {},
                           [](const IndexRow& row) { return std::pair(row.name, row.kernel); });
  if (!files.empty())
    index.date = utc(newest);
  index.title = title_of("Tests", index.rows);
  return index;
}

void find_pages(Index& index, const fs::path& folder) {
  for (const IndexKind& kind : index.kinds) {
    const std::string page = std::string(kind.name) + ".html";
    if (fs::exists(folder / page))
      index.pages[std::string(kind.name)] = page;
    for (const IndexRow& row : index.rows)
      if (row.cells.contains(kind.name) && fs::exists(folder / row.name / page))
        index.pages[std::string(kind.name) + '/' + row.name] = row.name + '/' + page;
  }
}

std::size_t holding(const Index& index) {
  return static_cast<std::size_t>(std::ranges::count_if(index.rows, [](const IndexRow& row) {
    return std::ranges::all_of(row.cells,
                               [](const auto& cell) { return cell.second.failures.empty(); });
  }));
}

Held held(const Index& index, std::string_view kind) {
  Held result;
  for (const IndexRow& row : index.rows)
    if (const auto cell = row.cells.find(kind); cell != row.cells.end()) {
      ++result.all;
      result.held += cell->second.failures.empty() ? 1 : 0;
    }
  return result;
}

std::string index_json(const Index& index) {
  Json json{{"format", "gputest-index-1"}, {"date", index.date},       {"commit", index.commit},
            {"tool", index.tool},          {"left_out", index.unread}, {"kernels", Json::array()},
            {"changes", Json::array()}};
  const auto texts = [](const std::vector<OpenEnd>& ends) {
    Json list = Json::array();
    for (const OpenEnd& end : ends)
      list.push_back(end.text);
    return list;
  };
  for (const IndexRow& row : index.rows) {
    Json results = Json::object();
    for (const IndexKind& kind : index.kinds)
      if (const auto cell = row.cells.find(kind.name); cell != row.cells.end()) {
        const Summary& summary = cell->second;
        results[std::string(kind.name)] = {{"value", summary.value},
                                           {"detail", summary.detail},
                                           {"percent", model::or_null(summary.percent)},
                                           {"device", summary.device},
                                           {"failures", summary.failures},
                                           {"unverified", summary.unverified},
                                           {"weak", summary.weak},
                                           {"open", texts(summary.open)}};
      }
    json["kernels"].push_back({{"name", row.name},
                               {"kernel", row.kernel},
                               {"source", row.source},
                               {"results", std::move(results)}});
  }
  for (const Change& change : index.history.changes) {
    json["changes"].push_back({{"kind", change.kind},
                               {"name", change.name},
                               {"kernel", change.kernel},
                               {"appeared", texts(change.appeared)},
                               {"gone", texts(change.gone)}});
    if (!change.value.empty())
      json["changes"].back().update({{"before", change.value_before}, {"now", change.value}});
  }
  if (!index.redundant.empty())
    json["redundant_cases"] = index.redundant;
  return model::pretty(json);
}

} // namespace gputest::report
