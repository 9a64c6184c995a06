#include "model/schedules/sites.h"

#include "model/files.h"
#include "model/sites_json.h"

#include <algorithm>

namespace gputest::model {
namespace {

RowIndex row_from_json(const Json& json) {
  return {.kernel = required<std::string>(json, "kernel"),
          .argument = required<unsigned>(json, "argument"),
          .dimension = required<unsigned>(json, "dimension"),
          .file = required<std::string>(json, "file"),
          .line = required<unsigned>(json, "line"),
          .column = required<unsigned>(json, "column"),
          .text = required<std::string>(json, "text")};
}

} // namespace

// Not in the unnamed namespace, where list_of() would not find them.
static Json to_json(const RowIndex& row) {
  return {{"kernel", row.kernel}, {"argument", row.argument}, {"dimension", row.dimension},
          {"file", row.file},     {"line", row.line},         {"column", row.column},
          {"text", row.text}};
}

const ScheduledKernel* ScheduleSites::find(std::string_view kernel) const {
  const auto found = std::ranges::find(kernels, kernel, &ScheduledKernel::name);
  return found == kernels.end() ? nullptr : &*found;
}

std::vector<NotInstrumented> ScheduleSites::not_remapped_in(std::string_view kernel) const {
  const ScheduledKernel* known = find(kernel);
  std::vector<NotInstrumented> result;
  for (const NotInstrumented& entry : not_remapped)
    if (!known || std::ranges::find(known->functions, entry.function) != known->functions.end())
      result.push_back(entry);
  return result;
}

Json to_json(const ScheduleSites& sites) {
  Json json{{"format", "gputest-schedule-sites-1"}, {"source", sites.source}};
  json["kernels"] = Json::array();
  for (const ScheduledKernel& kernel : sites.kernels)
    json["kernels"].push_back({{"name", kernel.name},
                               {"functions", kernel.functions},
                               {"sub_groups", kernel.keeps_items}});
  json["loops"] = list_of(sites.loops);
  json["rows"] = list_of(sites.rows);
  json["not_remapped"] = list_of(sites.not_remapped);
  json["device_macros"] = list_of(sites.device_macros);
  json["guarded"] = to_json(sites.guarded);
  return json;
}

ScheduleSites schedule_sites_from_json(const Json& json) {
  expect_format(json, "gputest-schedule-sites-1");
  ScheduleSites sites;
  sites.source = required<std::string>(json, "source");
  for (const Json& entry : required_array(json, "kernels"))
    sites.kernels.push_back({.name = required<std::string>(entry, "name"),
                             .functions = required<std::vector<std::string>>(entry, "functions"),
                             .keeps_items = required<bool>(entry, "sub_groups")});
  sites.loops = required_list(json, "loops", guard_from_json);
  sites.rows = required_list(json, "rows", row_from_json);
  sites.not_remapped = required_list(json, "not_remapped", not_instrumented_from_json);
  sites.device_macros = required_list(json, "device_macros", device_macro_from_json);
  sites.guarded = mutant_table_from_json(required<Json>(json, "guarded"));
  return sites;
}

ScheduleSites read_schedule_sites(const std::filesystem::path& file) {
  return read_json_file(file, schedule_sites_from_json);
}

void write_schedule_sites(const ScheduleSites& sites, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(sites)));
}

} // namespace gputest::model
