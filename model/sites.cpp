#include "model/sites.h"

#include "model/files.h"
#include "model/names.h"
#include "model/sites_json.h"

#include <algorithm>
#include <array>

namespace gputest::model {
namespace {

constexpr const char* kSitesFormat = "gputest-sites-1";
constexpr std::array<std::string_view, 5> kCriterionNames{"statement", "branch", "condition",
                                                          "loop", "barrier"};

} // namespace

std::string_view name_of(Criterion criterion) {
  return kCriterionNames[static_cast<std::size_t>(criterion)];
}

std::optional<Criterion> criterion_named(std::string_view name) {
  return enumerator_named<Criterion>(kCriterionNames, name);
}

Json position_to_json(const Site& site) {
  Json json;
  json["id"] = site.id;
  json["criterion"] = name_of(site.criterion);
  if (!site.kind.empty())
    json["kind"] = site.kind;
  json["function"] = site.function;
  json["file"] = site.file;
  json["line"] = site.line;
  json["column"] = site.column;
  json["end_line"] = site.end_line;
  json["end_column"] = site.end_column;
  json["text"] = site.text;
  return json;
}

Site position_from_json(const Json& json) {
  Site site;
  site.id = required<std::string>(json, "id");
  site.criterion = required_named(json, "criterion", criterion_named);
  site.kind = optional<std::string>(json, "kind").value_or("");
  site.function = optional<std::string>(json, "function").value_or("");
  site.file = required<std::string>(json, "file");
  site.line = required<unsigned>(json, "line");
  site.column = required<unsigned>(json, "column");
  site.end_line = optional<unsigned>(json, "end_line").value_or(site.line);
  site.end_column = optional<unsigned>(json, "end_column").value_or(site.column + 1);
  site.text = required<std::string>(json, "text");
  return site;
}

Json to_json(const NotInstrumented& entry) {
  return {{"file", entry.file},         {"line", entry.line},           {"column", entry.column},
          {"function", entry.function}, {"construct", entry.construct}, {"reason", entry.reason}};
}

NotInstrumented not_instrumented_from_json(const Json& json) {
  return {.file = required<std::string>(json, "file"),
          .line = required<unsigned>(json, "line"),
          .column = required<unsigned>(json, "column"),
          .function = optional<std::string>(json, "function").value_or(""),
          .construct = required<std::string>(json, "construct"),
          .reason = required<std::string>(json, "reason")};
}

void add_not_counted(Json& json, const std::vector<NotCounted>& entries) {
  for (const NotCounted& entry : entries)
    json["not_counted"].push_back({{"criterion", name_of(entry.criterion)},
                                   {"file", entry.file},
                                   {"line", entry.line},
                                   {"column", entry.column},
                                   {"function", entry.function},
                                   {"text", entry.text},
                                   {"outcomes", entry.outcomes},
                                   {"reason", entry.reason}});
}

std::vector<NotCounted> not_counted_from_json(const Json& json) {
  std::vector<NotCounted> result;
  if (!json.contains("not_counted"))
    return result;
  for (const Json& entry : required_array(json, "not_counted"))
    result.push_back({.criterion = required_named(entry, "criterion", criterion_named),
                      .file = required<std::string>(entry, "file"),
                      .line = required<unsigned>(entry, "line"),
                      .column = required<unsigned>(entry, "column"),
                      .function = required<std::string>(entry, "function"),
                      .text = required<std::string>(entry, "text"),
                      .outcomes = required<std::vector<std::string>>(entry, "outcomes"),
                      .reason = required<std::string>(entry, "reason")});
  return result;
}

Json to_json(const Vote& vote) {
  return {{"word", vote.word},        {"function", vote.function}, {"file", vote.file},
          {"line", vote.line},        {"column", vote.column},     {"text", vote.text},
          {"barriers", vote.barriers}};
}

Vote vote_from_json(const Json& json) {
  return {.word = required<unsigned>(json, "word"),
          .function = required<std::string>(json, "function"),
          .file = required<std::string>(json, "file"),
          .line = required<unsigned>(json, "line"),
          .column = required<unsigned>(json, "column"),
          .text = required<std::string>(json, "text"),
          .barriers = required<std::vector<std::string>>(json, "barriers")};
}

Json to_json(const DeviceMacro& macro) {
  return {{"name", macro.name},
          {"value", or_null(macro.value)},
          {"file", macro.file},
          {"line", macro.line}};
}

DeviceMacro device_macro_from_json(const Json& json) {
  return {.name = required<std::string>(json, "name"),
          .value = optional<std::string>(json, "value"),
          .file = required<std::string>(json, "file"),
          .line = required<unsigned>(json, "line")};
}

namespace {

void check_bit(const SiteTable& table, std::uint64_t bit) {
  if (bit >= std::uint64_t{table.coverage_words} * 32)
    throw FormatError("an outcome's 'bit' lies outside 'coverage_words'");
}

} // namespace

Json to_json(const SiteTable& table) {
  Json json;
  json["format"] = kSitesFormat;
  json["source"] = table.source;
  json["coverage_words"] = table.coverage_words;
  json["divergence_words"] = table.divergence_words;
  json["kernels"] = Json::array();
  for (const InstrumentedKernel& kernel : table.kernels)
    json["kernels"].push_back({{"name", kernel.name},
                               {"functions", kernel.functions},
                               {"straight_line", kernel.straight_line}});
  json["sites"] = Json::array();
  for (const Site& site : table.sites) {
    Json entry = position_to_json(site);
    entry["outcomes"] = Json::array();
    for (const Outcome& outcome : site.outcomes)
      entry["outcomes"].push_back({{"name", outcome.name}, {"bit", outcome.bit}});
    for (const Instance& instance : site.instances)
      entry["instances"].push_back(
          {{"function", instance.function}, {"distance", instance.distance}});
    json["sites"].push_back(std::move(entry));
  }
  json["votes"] = list_of(table.votes);
  json["not_instrumented"] = list_of(table.not_instrumented);
  add_not_counted(json, table.not_counted);
  json["device_macros"] = list_of(table.device_macros);
  if (!table.sources.empty())
    json["sources"] = to_json(table.sources);
  return json;
}

SiteTable site_table_from_json(const Json& json) {
  expect_format(json, kSitesFormat);
  SiteTable table;
  table.source = required<std::string>(json, "source");
  table.coverage_words = required<unsigned>(json, "coverage_words");
  table.divergence_words = required<unsigned>(json, "divergence_words");
  for (const Json& entry : required_array(json, "kernels"))
    table.kernels.push_back({.name = required<std::string>(entry, "name"),
                             .functions = required<std::vector<std::string>>(entry, "functions"),
                             .straight_line = required<bool>(entry, "straight_line")});
  for (const Json& entry : required_array(json, "sites")) {
    Site site = position_from_json(entry);
    for (const Json& outcome : required_array(entry, "outcomes")) {
      const auto bit = required<unsigned>(outcome, "bit");
      check_bit(table, bit);
      site.outcomes.push_back({.name = required<std::string>(outcome, "name"), .bit = bit});
    }
    if (entry.contains("instances"))
      for (const Json& instance : required_array(entry, "instances")) {
        const auto distance = required<unsigned>(instance, "distance");
        for (const Outcome& outcome : site.outcomes)
          check_bit(table, std::uint64_t{outcome.bit} + distance);
        site.instances.push_back(
            {.function = required<std::string>(instance, "function"), .distance = distance});
      }
    table.sites.push_back(std::move(site));
  }
  table.votes = required_list(json, "votes", vote_from_json);
  table.not_instrumented = required_list(json, "not_instrumented", not_instrumented_from_json);
  table.not_counted = not_counted_from_json(json);
  table.device_macros = required_list(json, "device_macros", device_macro_from_json);
  table.sources = source_files_from_json(json);
  return table;
}

SiteTable read_site_table(const std::filesystem::path& file) {
  return read_json_file(file, site_table_from_json);
}

void write_site_table(const SiteTable& table, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(table)));
}

} // namespace gputest::model
