// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/coverage.h"

#include "model/files.h"
#include "model/names.h"
#include "model/sites_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace gputest::model {
namespace {

constexpr const char* kCoverageFormat = "gputest-coverage-1";

Json to_json(const Tally& tally) {
  return {{"covered", tally.covered}, {"total", tally.total}};
}

Json to_json(const Criteria& criteria) {
  Json json;
  json["statement"] = to_json(criteria.statement);
  json["branch"] = to_json(criteria.branch);
  Json& kinds = json["branch"]["kinds"] = Json::object();
  for (const auto& [kind, tally] : criteria.branch_kinds)
    kinds[kind] = to_json(tally);
  json["condition"] = to_json(criteria.condition);
  json["barrier"] = to_json(criteria.barrier);
  const LoopTally& loop = criteria.loop;
  json["loop"] = {{"total", loop.total},
                  {"zero", loop.zero},
                  {"one", loop.one},
                  {"many", loop.many},
                  {"boundary", loop.boundary},
                  {"covered", loop.cases.covered},
                  {"applicable", loop.cases.total}};
  return json;
}

void add_outcomes(Tally& tally, const SiteCoverage& entry) {
  tally.total += entry.hits.size();
  tally.covered += static_cast<std::uint64_t>(
      std::ranges::count_if(entry.hits, [](std::uint64_t hits) { return hits > 0; }));
}

void add_loop(LoopTally& tally, const SiteCoverage& entry) {
  ++tally.total;
  add_outcomes(tally.cases, entry);
  for (std::size_t i = 0; i < entry.hits.size(); ++i) {
    if (entry.hits[i] == 0)
      continue;
    const std::string& name = entry.site.outcomes[i].name;
    ++(name == "zero"   ? tally.zero
       : name == "one"  ? tally.one
       : name == "many" ? tally.many
                        : tally.boundary);
  }
}

// Kernels built with other macros may have the same site with other outcomes. Those do not add up.
bool same_outcomes(const Site& a, const Site& b) {
  return std::ranges::equal(a.outcomes, b.outcomes, {}, &Outcome::name, &Outcome::name);
}

void add_hits(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& other) {
  for (std::size_t i = 0; i < into.size(); ++i)
    into[i] += other[i];
}

void merge_sites(std::vector<SiteCoverage>& into, const std::vector<SiteCoverage>& other) {
  // Keys refer to the sites' own text, so they must not move.
  into.reserve(into.size() + other.size());
  std::multimap<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> at;
  const auto key_of = [](const Site& site) { return std::tie(site.id, site.file, site.function); };
  for (std::size_t i = 0; i < into.size(); ++i)
    at.emplace(key_of(into[i].site), i);
  for (const SiteCoverage& entry : other) {
    const auto [begin, end] = at.equal_range(key_of(entry.site));
    const auto same = std::find_if(begin, end, [&](const auto& candidate) {
      return same_outcomes(into[candidate.second].site, entry.site);
    });
    if (same == end) {
      into.push_back(entry);
      at.emplace(key_of(into.back().site), into.size() - 1);
      continue;
    }
    SiteCoverage& known = into[same->second];
    add_hits(known.hits, entry.hits);
    for (const InstanceCoverage& instance : entry.instances)
      if (const auto found =
              std::ranges::find(known.instances, instance.function, &InstanceCoverage::function);
          found != known.instances.end())
        add_hits(found->hits, instance.hits);
      else
        known.instances.push_back(instance);
  }
}

void merge_not_instrumented(std::vector<NotInstrumented>& into,
                            const std::vector<NotInstrumented>& other) {
  const auto key_of = [](const NotInstrumented& entry) {
    return std::tuple(entry.file, entry.line, entry.column, entry.function, entry.construct,
                      entry.reason);
  };
  std::set<decltype(key_of(other.front()))> known;
  for (const NotInstrumented& entry : into)
    known.insert(key_of(entry));
  for (const NotInstrumented& entry : other)
    if (known.insert(key_of(entry)).second)
      into.push_back(entry);
}

} // namespace

std::optional<double> Tally::percent() const {
  if (total == 0)
    return std::nullopt;
  return 100.0 * static_cast<double>(covered) / static_cast<double>(total);
}

const Tally& Criteria::of(Criterion criterion) const {
  switch (criterion) {
  case Criterion::Statement:
    return statement;
  case Criterion::Branch:
    return branch;
  case Criterion::Condition:
    return condition;
  case Criterion::Loop:
    return loop.cases;
  case Criterion::Barrier:
    break;
  }
  return barrier;
}

Criteria tally(const Coverage& coverage) {
  // The key includes the file, because kernels of the same name in two files may share ids. The
  // function is in the id.
  std::set<std::pair<std::string, std::string>> divergent;
  for (const DivergentBarrier& entry : coverage.divergent_barriers)
    divergent.emplace(entry.barrier.file, entry.barrier.id);
  Criteria criteria;
  for (const SiteCoverage& entry : coverage.sites) {
    switch (entry.site.criterion) {
    case Criterion::Statement:
      add_outcomes(criteria.statement, entry);
      break;
    case Criterion::Branch:
      add_outcomes(criteria.branch, entry);
      add_outcomes(criteria.branch_kinds[entry.site.kind], entry);
      break;
    case Criterion::Condition:
      add_outcomes(criteria.condition, entry);
      break;
    case Criterion::Loop:
      add_loop(criteria.loop, entry);
      break;
    case Criterion::Barrier:
      ++criteria.barrier.total;
      if (!divergent.contains({entry.site.file, entry.site.id}) && !entry.hits.empty() &&
          entry.hits.front() > 0)
        ++criteria.barrier.covered;
      break;
    }
  }
  return criteria;
}

std::vector<Miss> missed(const Criteria& criteria, const Thresholds& thresholds) {
  std::vector<Miss> misses;
  for (const auto& [criterion, percent] : thresholds.percent) {
    const auto reached = criteria.of(criterion).percent();
    if (reached && *reached < percent)
      misses.push_back({.criterion = criterion, .required = percent, .reached = *reached});
  }
  return misses;
}

std::string text_of(const Miss& miss) {
  return fmt::format("{} coverage is {:.4g} %, below the threshold of {:g} %",
                     name_of(miss.criterion), miss.reached, miss.required);
}

bool reaches(const CaseRecord& record, std::size_t outcome) {
  if (outcome / 4 >= record.reached.size())
    return false;
  const char digit = record.reached[outcome / 4];
  const int bits = digit >= '0' && digit <= '9'   ? digit - '0'
                   : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                                                  : 0;
  return (bits >> outcome % 4 & 1) != 0;
}

void merge(Coverage& into, const Coverage& other) {
  add_name(into.kernel, other.kernel);
  add_name(into.name, other.name);
  add_name(into.device, other.device);
  add_name(into.source, other.source);
  merge_sites(into.sites, other.sites);
  into.divergent_barriers.insert(into.divergent_barriers.end(), other.divergent_barriers.begin(),
                                 other.divergent_barriers.end());
  merge_not_instrumented(into.not_instrumented, other.not_instrumented);
  for (const NotCounted& entry : other.not_counted)
    if (std::ranges::find(into.not_counted, entry) == into.not_counted.end())
      into.not_counted.push_back(entry);
  for (const CaseRecord& record : other.cases) {
    into.cases.push_back(record);
    into.cases.back().reached.clear();
  }
  for (const SourceFile& source : other.sources)
    if (std::ranges::find(into.sources, source) == into.sources.end())
      into.sources.push_back(source);
}

Coverage shown(const Coverage& coverage) {
  Coverage result = coverage;
  if (!coverage.apart)
    return result;
  result.sites.clear();
  for (const SiteCoverage& entry : coverage.sites) {
    for (const InstanceCoverage& instance : entry.instances) {
      SiteCoverage& own = result.sites.emplace_back(entry.site, instance.hits);
      // An id begins with the function's name.
      own.site.id = instance.function + own.site.id.substr(std::min(entry.site.function.size(), //
                                                                    own.site.id.size()));
      own.site.function = instance.function;
      own.site.instances = {{.function = instance.function}};
    }
    if (entry.instances.empty())
      result.sites.push_back(entry);
  }
  return result;
}

namespace {

Json outcomes_to_json(const Site& site, const std::vector<std::uint64_t>& hits) {
  Json json = Json::object();
  for (std::size_t i = 0; i < hits.size(); ++i)
    json[site.outcomes[i].name] = hits[i];
  return json;
}

void read_outcomes(const Json& json, SiteCoverage& site) {
  const auto outcomes = required<Json>(json, "outcomes");
  for (const auto& [name, hits] : outcomes.items()) {
    if (!hits.is_number_unsigned())
      throw FormatError("an outcome's count is not a number: " + hits.dump());
    site.site.outcomes.push_back({.name = name, .bit = 0});
    site.hits.push_back(hits.get<std::uint64_t>());
  }
}

void read_instances(const Json& json, SiteCoverage& site) {
  if (!json.contains("instances"))
    return;
  for (const Json& entry : required_array(json, "instances")) {
    SiteCoverage read{.site = {}, .hits = {}};
    read_outcomes(entry, read);
    if (!same_outcomes(read.site, site.site))
      throw FormatError("the outcomes of an instance are not those of its site: " + entry.dump());
    site.instances.push_back(
        {.function = required<std::string>(entry, "function"), .hits = std::move(read.hits)});
  }
}

Thresholds thresholds_from_json(const Json& json) {
  Thresholds thresholds;
  const auto found = json.find("thresholds");
  if (found == json.end())
    return thresholds;
  if (!found->is_object())
    throw FormatError("key 'thresholds' has the wrong type: " + found->dump());
  for (const auto& [name, percent] : found->items()) {
    const auto criterion = named<Criterion>(name);
    if (!criterion || !percent.is_number())
      throw FormatError("key 'thresholds' has the wrong value: " + found->dump());
    thresholds.percent[*criterion] = percent.get<double>();
  }
  return thresholds;
}

bool instantiations_from_json(const Json& json) {
  const auto value = optional<std::string>(json, "instantiations").value_or("merged");
  if (value != "apart" && value != "merged")
    throw FormatError("key 'instantiations' has the unknown value '" + value + "'");
  return value == "apart";
}

} // namespace

static constexpr auto fields_of(const CaseRecord*) {
  using T = CaseRecord;
  return std::tuple{field("name", &T::name), field("verdict", &T::verdict),
                    field<Presence::Written>("message", &T::message),
                    field<Presence::Written>("seconds", &T::seconds),
                    field<Presence::IfNotPlain>("reached", &T::reached)};
}
static constexpr auto fields_of_barrier() {
  return std::tuple{field("file", &Site::file), field("line", &Site::line),
                    field("column", &Site::column), field("barrier", &Site::id),
                    field("text", &Site::text)};
}
static constexpr auto fields_of_decision() {
  return std::tuple{field("file", &Vote::file), field("line", &Vote::line),
                    field("column", &Vote::column), field("text", &Vote::text)};
}
static void to_json(Json& json, const DivergentBarrier& divergent) {
  write_fields(json, divergent.barrier, fields_of_barrier());
  write_fields(json["decision"], divergent.decision, fields_of_decision());
  json["group"] = divergent.group;
  json["case"] = divergent.test_case;
}
static void from_json(const Json& json, DivergentBarrier& divergent) {
  divergent.barrier.criterion = Criterion::Barrier;
  read_fields(json, divergent.barrier, fields_of_barrier());
  read_fields(required<Json>(json, "decision"), divergent.decision, fields_of_decision());
  divergent.group = required<std::uint64_t>(json, "group");
  divergent.test_case = required<std::string>(json, "case");
}
static constexpr auto fields_of_lists() {
  using T = Coverage;
  return std::tuple{field("divergent_barriers", &T::divergent_barriers),
                    field("not_instrumented", &T::not_instrumented),
                    field<Presence::IfNotPlain>("not_counted", &T::not_counted),
                    field("cases", &T::cases), field<Presence::IfNotPlain>("sources", &T::sources)};
}

Json to_json(const Coverage& coverage) {
  Json json{{"format", kCoverageFormat},
            {"name", coverage.name},
            {"kernel", coverage.kernel},
            {"device", coverage.device},
            {"source", coverage.source}};
  if (coverage.apart)
    json["instantiations"] = "apart";
  json["criteria"] = to_json(tally(shown(coverage)));
  for (const auto& [criterion, percent] : coverage.thresholds.percent)
    json["thresholds"][name_of(criterion)] = percent;
  json["sites"] = Json::array();
  for (const SiteCoverage& entry : coverage.sites) {
    Json site;
    write_fields(site, entry.site, fields_of_position());
    site["outcomes"] = outcomes_to_json(entry.site, entry.hits);
    for (const InstanceCoverage& instance : entry.instances)
      site["instances"].push_back({{"function", instance.function},
                                   {"outcomes", outcomes_to_json(entry.site, instance.hits)}});
    json["sites"].push_back(std::move(site));
  }
  write_fields(json, coverage, fields_of_lists());
  return json;
}

Coverage coverage_from_json(const Json& json) {
  expect_format(json, kCoverageFormat);
  Coverage coverage;
  coverage.name = optional<std::string>(json, "name").value_or("");
  coverage.kernel = required<std::string>(json, "kernel");
  coverage.device = required<std::string>(json, "device");
  coverage.source = optional<std::string>(json, "source").value_or("");
  coverage.thresholds = thresholds_from_json(json);
  coverage.apart = instantiations_from_json(json);
  for (const Json& entry : required_array(json, "sites")) {
    SiteCoverage site{.site = position_from_json(entry), .hits = {}};
    read_outcomes(entry, site);
    read_instances(entry, site);
    coverage.sites.push_back(std::move(site));
  }
  read_fields(json, coverage, fields_of_lists());
  return coverage;
}

Coverage read_coverage(const std::filesystem::path& file) {
  return read_json_file(file, coverage_from_json);
}

void write_coverage(const Coverage& coverage, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(coverage)));
}

} // namespace gputest::model
