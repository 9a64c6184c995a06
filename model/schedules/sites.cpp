// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/schedules/sites.h"

#include "model/files.h"
#include "model/sites_json.h"

#include <algorithm>

namespace gputest::model {

static constexpr const char* kFormat = "gputest-schedule-sites-1";

static constexpr auto fields_of(const RowIndex*) {
  using T = RowIndex;
  return std::tuple{field("kernel", &T::kernel),
                    field("argument", &T::argument),
                    field("dimension", &T::dimension),
                    field("file", &T::file),
                    field("line", &T::line),
                    field("column", &T::column),
                    field("text", &T::text)};
}
static constexpr auto fields_of(const ScheduledKernel*) {
  using T = ScheduledKernel;
  return std::tuple{field("name", &T::name), field("functions", &T::functions),
                    field("sub_groups", &T::keeps_items)};
}
static constexpr auto fields_of(const ScheduleSites*) {
  using T = ScheduleSites;
  return std::tuple{field("source", &T::source),
                    field("kernels", &T::kernels),
                    field("loops", &T::loops),
                    field("rows", &T::rows),
                    field("not_remapped", &T::not_remapped),
                    field("device_macros", &T::device_macros)};
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
  Json json{{"format", kFormat}};
  write_fields(json, sites, fields_of(&sites));
  json["guarded"] = to_json(sites.guarded);
  return json;
}

ScheduleSites schedule_sites_from_json(const Json& json) {
  expect_format(json, kFormat);
  auto sites = json.get<ScheduleSites>();
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
