#include "model/schedules/sites.h"

#include "model/files.h"
#include "model/sites_json.h"

#include <algorithm>

namespace gputest::model {
namespace {

Json to_json(const RowIndex& row) {
  return {{"kernel", row.kernel}, {"argument", row.argument}, {"dimension", row.dimension},
          {"file", row.file},     {"line", row.line},         {"column", row.column},
          {"text", row.text}};
}

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
  for (const char* key : {"kernels", "loops", "rows", "not_remapped", "device_macros"})
    json[key] = Json::array();
  for (const ScheduledKernel& kernel : sites.kernels)
    json["kernels"].push_back({{"name", kernel.name},
                               {"functions", kernel.functions},
                               {"sub_groups", kernel.keeps_items}});
  for (const Guard& loop : sites.loops)
    json["loops"].push_back(to_json(loop));
  for (const RowIndex& row : sites.rows)
    json["rows"].push_back(to_json(row));
  for (const NotInstrumented& entry : sites.not_remapped)
    json["not_remapped"].push_back(to_json(entry));
  for (const DeviceMacro& macro : sites.device_macros)
    json["device_macros"].push_back(to_json(macro));
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
  for (const Json& entry : required_array(json, "loops"))
    sites.loops.push_back(guard_from_json(entry));
  for (const Json& entry : required_array(json, "rows"))
    sites.rows.push_back(row_from_json(entry));
  for (const Json& entry : required_array(json, "not_remapped"))
    sites.not_remapped.push_back(not_instrumented_from_json(entry));
  for (const Json& entry : required_array(json, "device_macros"))
    sites.device_macros.push_back(device_macro_from_json(entry));
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
