// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/sites.h"

#include "model/files.h"
#include "model/names.h"
#include "model/sites_json.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::model {
namespace {

constexpr const char* kSitesFormat = "gputest-sites-1";

} // namespace

Site position_from_json(const Json& json) {
  Site site;
  read_fields(json, site, fields_of_position());
  if (!optional<unsigned>(json, "end_line"))
    site.end_line = site.line;
  if (!optional<unsigned>(json, "end_column"))
    site.end_column = site.column + 1;
  return site;
}

static constexpr auto fields_of(const Outcome*) {
  return std::tuple{field("name", &Outcome::name), field("bit", &Outcome::bit)};
}
static constexpr auto fields_of(const Instance*) {
  return std::tuple{field("function", &Instance::function), field("distance", &Instance::distance)};
}
// What follows the position.
static constexpr auto fields_of_outcomes() {
  return std::tuple{field("outcomes", &Site::outcomes),
                    field<Presence::IfNotPlain>("instances", &Site::instances)};
}
static void to_json(Json& json, const Site& site) {
  write_fields(json, site, fields_of_position());
  write_fields(json, site, fields_of_outcomes());
}
static void from_json(const Json& json, Site& site) {
  site = position_from_json(json);
  read_fields(json, site, fields_of_outcomes());
}
static constexpr auto fields_of(const InstrumentedKernel*) {
  using T = InstrumentedKernel;
  return std::tuple{field("name", &T::name), field("functions", &T::functions),
                    field("straight_line", &T::straight_line)};
}
static constexpr auto fields_of(const SiteTable*) {
  using T = SiteTable;
  return std::tuple{field("source", &T::source),
                    field("coverage_words", &T::coverage_words),
                    field("divergence_words", &T::divergence_words),
                    field("kernels", &T::kernels),
                    field("sites", &T::sites),
                    field("votes", &T::votes),
                    field<Presence::IfNotPlain>("functions_left_out", &T::left_out),
                    field("not_instrumented", &T::not_instrumented),
                    field<Presence::IfNotPlain>("not_counted", &T::not_counted),
                    field("device_macros", &T::device_macros),
                    field<Presence::IfNotPlain>("sources", &T::sources)};
}

namespace {

// A state buffer has all of these words. They hold 33 million outcomes.
constexpr unsigned kMostWords = 1u << 20;

void check_words(const char* key, unsigned words) {
  if (words > kMostWords)
    throw FormatError(
        fmt::format("key '{}' is {}, and {} words are the most", key, words, kMostWords));
}

void check_bit(const SiteTable& table, std::uint64_t bit) {
  if (bit >= std::uint64_t{table.coverage_words} * 32)
    throw FormatError("an outcome's 'bit' lies outside 'coverage_words'");
}

} // namespace

Json to_json(const SiteTable& table) {
  Json json{{"format", kSitesFormat}};
  write_fields(json, table, fields_of(&table));
  return json;
}

SiteTable site_table_from_json(const Json& json) {
  expect_format(json, kSitesFormat);
  auto table = json.get<SiteTable>();
  check_words("coverage_words", table.coverage_words);
  check_words("divergence_words", table.divergence_words);
  for (const Site& site : table.sites)
    for (const Outcome& outcome : site.outcomes) {
      check_bit(table, outcome.bit);
      for (const Instance& instance : site.instances)
        check_bit(table, std::uint64_t{outcome.bit} + instance.distance);
    }
  return table;
}

SiteTable read_site_table(const std::filesystem::path& file) {
  return read_json_file(file, site_table_from_json);
}

void write_site_table(const SiteTable& table, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(table)));
}

} // namespace gputest::model
