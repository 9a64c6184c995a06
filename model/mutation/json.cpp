// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mutation.json follows the mutation-testing-elements schema. What the schema has no word for is in
// "gputest".
#include "model/files.h"
#include "model/language.h"
#include "model/mutation/mutation.h"
#include "model/mutation/places.h"
#include "model/sites_json.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::model {
namespace {

constexpr const char* kMutationFormat = "gputest-mutation-1";

// JSON on one line, as pretty() writes it.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* status_of(const MutantResult& result) {
  if (is_indistinct(result))
    return "Ignored";
  switch (result.verdict) {
  case Verdict::Killed:
    return "Killed";
  case Verdict::Survived:
  case Verdict::Undecided:
    return "Survived";
  case Verdict::NoCoverage:
    return "NoCoverage";
  case Verdict::Timeout:
    return "Timeout";
  case Verdict::CompileError:
    return "CompileError";
  case Verdict::NotRun:
    return "Pending";
  case Verdict::Equivalent:
  case Verdict::Duplicate:
  case Verdict::Ignored:
    break;
  }
  return "Ignored";
}

// Returns a sentence for people; empty: the status says everything.
std::string status_reason(const MutantResult& result) {
  if (is_indistinct(result))
    return "not scored: hardly a device treats the two kinds of fence differently";
  std::string text;
  switch (result.verdict) {
  case Verdict::Killed:
    text = result.reason ? std::string(name_of(*result.reason)) : "";
    break;
  case Verdict::Undecided:
    text = fmt::format("undecided: some runs notice it{}, others do not",
                       result.reason ? fmt::format(" ({})", name_of(*result.reason)) : "");
    break;
  case Verdict::Equivalent:
    return "equivalent: proved to compute what the original computes" +
           (result.detail.empty() ? "" : ": " + result.detail);
  case Verdict::Duplicate:
    return "duplicate: proved to compute what " + result.mutant.duplicate_of + " computes";
  case Verdict::Ignored:
    return result.mutant.ignore_reason.empty() ? "by a comment in the source"
                                               : result.mutant.ignore_reason;
  case Verdict::NotRun:
    return "not run: the time limit was over";
  case Verdict::Survived:
  case Verdict::NoCoverage:
  case Verdict::Timeout:
  case Verdict::CompileError:
    break;
  }
  if (!result.detail.empty())
    text += (text.empty() ? "" : ": ") + result.detail;
  if (!result.order.empty())
    text += fmt::format("{}order of work-items: {}", text.empty() ? "" : "; ", result.order);
  return text;
}

// Ids are unique in the report, so cases and mutants of several kernels get the kernel's name as a
// prefix.
std::string prefix_of(const Mutation& mutation, std::size_t kernels) {
  return kernels > 1 ? mutation.name + "/" : "";
}

Json with_prefix(const std::string& prefix, const std::vector<std::string>& names) {
  Json json = Json::array();
  for (const std::string& name : names)
    json.push_back(prefix + name);
  return json;
}

Json location(const Places::Place& place) {
  return {{"start", {{"line", place.line}, {"column", place.utf16_column}}},
          {"end", {{"line", place.end_line}, {"column", place.utf16_end_column}}}};
}

constexpr auto fields_of_own() {
  using T = MutantResult;
  return std::tuple{field("verdict", &T::verdict),
                    field<Presence::IfNotPlain>("reason", &T::reason),
                    field<Presence::IfNotPlain>("detail", &T::detail),
                    field<Presence::IfNotPlain>("order", &T::order),
                    field("runs", &T::runs),
                    field("seconds", &T::seconds)};
}

Json own_part(const MutantResult& result, std::size_t index) {
  Json json{{"index", index}};
  write_fields(json, result, fields_of_own());
  const Json mutant = to_json(result.mutant);
  for (const auto& [key, value] : mutant.items())
    if (key != "id" && (key != "replacement" || result.mutant.kind == MutantKind::Launch))
      json[key] = value;
  return json;
}

Json to_json(const MutantResult& result, const Places::Place& place, const std::string& prefix,
             Json own) {
  const Mutant& mutant = result.mutant;
  Json json{{"id", prefix + mutant.id},
            {"mutatorName", fmt::format("{}", fmt::join(mutant.operators, ", "))},
            {"location", location(place)}};
  // A mutant of the launch replaces no text.
  if (mutant.kind == MutantKind::Launch)
    json["description"] = mutant.text + " → " + mutant.replacement;
  else
    json["replacement"] = mutant.replacement;
  json["status"] = status_of(result);
  if (std::string reason = status_reason(result); !reason.empty())
    json["statusReason"] = std::move(reason);
  json["coveredBy"] = with_prefix(prefix, result.reached_by);
  json["killedBy"] = with_prefix(prefix, result.killed_by);
  if (result.runs > 0)
    json["duration"] = result.seconds * 1000;
  json["gputest"] = std::move(own);
  return json;
}

// Before and after what is computed of the results.
constexpr auto fields_of_kernel() {
  using T = Mutation;
  return std::tuple{field("name", &T::name),     field("kernel", &T::kernel),
                    field("device", &T::device), field("source", &T::source),
                    field("cases", &T::cases),   field("operators", &T::operators),
                    field("repeat", &T::repeat), field("threshold", &T::threshold)};
}
constexpr auto fields_of_run() {
  using T = Mutation;
  constexpr auto kIfThere = Presence::IfNotPlain;
  return std::tuple{field("deterministic", &T::deterministic),
                    field("population", &T::population),
                    field("sample_seed", &T::sample_seed),
                    field("since", &T::since),
                    field("seconds", &T::seconds),
                    field("executed", &T::executed),
                    field("not_mutated", &T::not_mutated),
                    field<kIfThere>("functions", &T::functions),
                    field<kIfThere>("files", &T::files),
                    field<kIfThere>("oracle", &T::oracle),
                    field<kIfThere>("all_cases", &T::all_cases),
                    field<kIfThere>("time_limit", &T::time_limit)};
}

Json about(const Mutation& mutation) {
  const Tallies tallies = tally(mutation.results);
  const auto interval = confidence(tallies, mutation.population);
  Json counts = Json::object();
  for (int i = 0; i <= static_cast<int>(Verdict::NotRun); ++i)
    counts[std::string(name_of(static_cast<Verdict>(i)))] = tallies.of(static_cast<Verdict>(i));
  if (tallies.indistinct > 0)
    counts["indistinct"] = tallies.indistinct;
  Json json;
  write_fields(json, mutation, fields_of_kernel());
  json["score"] = or_null(tallies.score());
  json["confidence"] = interval && mutation.sample_seed
                           ? Json{{"low", interval->low}, {"high", interval->high}}
                           : Json();
  json["tallies"] = std::move(counts);
  write_fields(json, mutation, fields_of_run());
  return json;
}

// The schema requires two thresholds; a kernel has one or none.
Json thresholds(std::span<const Mutation> mutations) {
  double highest = 0;
  for (const Mutation& mutation : mutations)
    highest = std::max(highest, mutation.threshold.value_or(0));
  const int high = highest > 0 ? static_cast<int>(highest) : 80;
  return {{"high", high}, {"low", std::min(high, 60)}};
}

Json without_files(std::span<const Mutation> mutations) {
  Json tests = Json::object(), kernels = Json::array();
  for (const Mutation& mutation : mutations) {
    const std::string prefix = prefix_of(mutation, mutations.size());
    Json cases = Json::array();
    for (const std::string& name : mutation.cases)
      cases.push_back({{"id", prefix + name}, {"name", name}});
    tests[mutation.name] = {{"tests", std::move(cases)}};
    kernels.push_back(about(mutation));
  }
  Json json{{"schemaVersion", "2"}, {"gputest", {{"format", kMutationFormat}}}};
  if (kernels.size() == 1)
    json["gputest"].update(kernels.front());
  else
    json["gputest"]["kernels"] = std::move(kernels);
  json["thresholds"] = thresholds(mutations);
  json["framework"] = {{"name", "GpuTestCheck"}};
  json["testFiles"] = std::move(tests);
  return json;
}

Json without_mutants(const Places::File& file, const LanguageRow& language) {
  Json json{{"language", language.word}, {"source", file.text}};
  if (!file.is_known)
    json["gputest"] = {{"source", nullptr}};
  else if (file.key != file.name)
    json["gputest"] = {{"file", file.name}};
  return json;
}

// Removes `end`, so that the last object of pretty() can go on.
std::string without_end(std::string text, std::string_view end) {
  if (!text.ends_with(end))
    throw std::logic_error("JSON does not end as it should");
  text.erase(text.size() - end.size());
  return text;
}

// --- reading ---

const Json& member(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end())
    throw FormatError(fmt::format("key '{}' is missing", key));
  return *found;
}

const Json& object(const Json& json, const char* key) {
  const Json& found = member(json, key);
  if (!found.is_object())
    throw FormatError(fmt::format("key '{}' is not an object", key));
  return found;
}

Mutation about_from_json(const Json& json) {
  Mutation mutation;
  read_fields(json, mutation, fields_of_kernel());
  read_fields(json, mutation, fields_of_run());
  return mutation;
}

std::string without_prefix(std::string name, const std::string& prefix) {
  if (!name.starts_with(prefix))
    throw FormatError(fmt::format("'{}' does not begin with its kernel's name", name));
  return name.substr(prefix.size());
}

std::vector<std::string> without_prefix(const Json& json, const char* key,
                                        const std::string& prefix) {
  auto names = required<std::vector<std::string>>(json, key);
  for (std::string& name : names)
    name = without_prefix(std::move(name), prefix);
  return names;
}

MutantResult result_from_json(const Json& json, const Json& own, const std::string& prefix) {
  Json mutant = own;
  mutant["id"] = without_prefix(required<std::string>(json, "id"), prefix);
  if (!mutant.contains("replacement"))
    mutant["replacement"] = required<std::string>(json, "replacement");
  MutantResult result;
  result.mutant = mutant_from_json(mutant);
  result.reached_by = without_prefix(json, "coveredBy", prefix);
  result.killed_by = without_prefix(json, "killedBy", prefix);
  read_fields(own, result, fields_of_own());
  return result;
}

// Results in the order of the files, with their place in the order of the kernel's table.
struct Ordered {
  std::uint64_t index = 0;
  MutantResult result;
};

} // namespace

std::vector<Mutation> mutations_from_json(const Json& json) {
  const Json& own = object(json, "gputest");
  expect_format(own, kMutationFormat);
  std::vector<Mutation> mutations;
  if (own.contains("kernels"))
    mutations = required_list(own, "kernels", about_from_json);
  else
    mutations.push_back(about_from_json(own));
  std::vector<std::vector<Ordered>> results(mutations.size());
  for (const auto& [name, file] : object(json, "files").items()) {
    const Json special = optional<Json>(file, "gputest").value_or(Json::object());
    const bool is_known = !special.contains("source");
    const auto real_name = optional<std::string>(special, "file").value_or(name);
    const auto text = required<std::string>(file, "source");
    std::vector<bool> is_used(mutations.size(), mutations.size() == 1);
    for (const Json& entry : required_array(file, "mutants")) {
      const Json& part = object(entry, "gputest");
      const auto kernel = optional<std::uint64_t>(part, "kernel").value_or(0);
      if (kernel >= mutations.size())
        throw FormatError(fmt::format("a mutant's 'kernel' is {}, of {}", kernel, results.size()));
      is_used[kernel] = true;
      const std::string prefix = prefix_of(mutations[kernel], mutations.size());
      results[kernel].push_back({.index = required<std::uint64_t>(part, "index"),
                                 .result = result_from_json(entry, part, prefix)});
    }
    for (std::size_t i = 0; is_known && i < mutations.size(); ++i)
      if (is_used[i])
        mutations[i].sources.emplace(real_name, text);
  }
  for (std::size_t i = 0; i < mutations.size(); ++i) {
    std::ranges::stable_sort(results[i], {}, &Ordered::index);
    for (Ordered& entry : results[i])
      mutations[i].results.push_back(std::move(entry.result));
  }
  return mutations;
}

Mutation mutation_from_json(const Json& json) {
  std::vector<Mutation> mutations = mutations_from_json(json);
  if (mutations.size() != 1)
    throw FormatError(fmt::format("holds the results of {} kernels, not of one", mutations.size()));
  return std::move(mutations.front());
}

Mutation read_mutation(const std::filesystem::path& file) {
  return read_json_file(file, mutation_from_json);
}

std::vector<Mutation> read_mutations(const std::filesystem::path& file) {
  return read_json_file(file, mutations_from_json);
}

// Writes mutant by mutant. As one JSON value, 100,000 mutants would take half a gigabyte.
std::string text_of(std::span<const Mutation> mutations) {
  const Places places(mutations);
  std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> by_file;
  for (std::size_t kernel = 0; kernel < mutations.size(); ++kernel)
    for (std::size_t i = 0; i < mutations[kernel].results.size(); ++i)
      by_file[places.of(kernel, mutations[kernel].results[i].mutant).key].emplace_back(kernel, i);

  std::string text = without_end(pretty(without_files(mutations)), "\n}\n") + ",\n  \"files\": {";
  const char* file_separator = "\n";
  for (const Places::File& file : places.files()) {
    const auto& mutants = by_file[file.key];
    const auto whose =
        mutants.empty()
            ? std::ranges::find_if(
                  mutations, [&](const Mutation& one) { return one.sources.contains(file.name); })
            : mutations.begin() + static_cast<std::ptrdiff_t>(mutants.front().first);
    const LanguageRow& language = // headers have it as well
        row_of(std::filesystem::path(whose == mutations.end() ? file.name : whose->source));
    text += file_separator + dump(file.key).insert(0, "    ") + ": " +
            without_end(dump(without_mutants(file, language)), "}") + ",\"mutants\":[";
    file_separator = ",\n";
    const char* separator = "\n";
    for (const auto& [kernel, i] : mutants) {
      const Mutation& mutation = mutations[kernel];
      const MutantResult& result = mutation.results[i];
      Json own = own_part(result, i);
      if (mutations.size() > 1)
        own["kernel"] = kernel;
      text += separator;
      text += dump(to_json(result, places.of(kernel, result.mutant),
                           prefix_of(mutation, mutations.size()), std::move(own)));
      separator = ",\n";
    }
    text += "]}";
  }
  return text + "\n  }\n}\n";
}

} // namespace gputest::model
