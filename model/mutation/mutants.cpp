#include "model/mutation/mutants.h"

#include "model/files.h"
#include "model/names.h"
#include "model/sites_json.h"

#include <algorithm>
#include <array>

namespace gputest::model {
namespace {

constexpr const char* kMutantsFormat = "gputest-mutants-1";
constexpr std::array<std::string_view, 3> kKinds{"switched", "program", "launch"};

std::optional<MutantKind> kind_named(std::string_view name) {
  return enumerator_named<MutantKind>(kKinds, name);
}

} // namespace

std::string_view name_of(MutantKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

const Mutant* MutantTable::find(std::string_view id) const {
  const auto found = std::ranges::find(mutants, id, &Mutant::id);
  return found == mutants.end() ? nullptr : &*found;
}

Json to_json(const Guard& guard) {
  return {{"function", guard.function},
          {"file", guard.file},
          {"line", guard.line},
          {"column", guard.column},
          {"text", guard.text}};
}

Guard guard_from_json(const Json& json) {
  return {.function = required<std::string>(json, "function"),
          .file = required<std::string>(json, "file"),
          .line = required<unsigned>(json, "line"),
          .column = required<unsigned>(json, "column"),
          .text = required<std::string>(json, "text")};
}

Json to_json(const Mutant& mutant) {
  Json json{{"id", mutant.id},
            {"operators", mutant.operators},
            {"kind", name_of(mutant.kind)},
            {"function", mutant.function},
            {"file", mutant.file},
            {"line", mutant.line},
            {"column", mutant.column},
            {"end_line", mutant.end_line},
            {"end_column", mutant.end_column},
            {"text", mutant.text},
            {"replacement", mutant.replacement}};
  switch (mutant.kind) {
  case MutantKind::Switched:
    json["number"] = mutant.number;
    json["site"] = mutant.site;
    break;
  case MutantKind::Program:
    json["program"] = mutant.program;
    break;
  case MutantKind::Launch:
    json["launch"] = {{"dimension", mutant.dimension},
                      {"more_items", mutant.more_items},
                      {"more_groups", mutant.more_groups},
                      {"swapped", mutant.swapped}};
    break;
  }
  // These keys are written only where they apply.
  if (mutant.synchronisation)
    json["synchronisation"] = true;
  if (mutant.weakens_assignment)
    json["weakens_assignment"] = true;
  if (mutant.ignored)
    json["ignored"] = mutant.ignore_reason;
  if (mutant.equivalent)
    json["equivalent"] = true;
  if (!mutant.proof.empty())
    json["proof"] = mutant.proof;
  if (!mutant.duplicate_of.empty())
    json["duplicate_of"] = mutant.duplicate_of;
  return json;
}

Mutant mutant_from_json(const Json& json) {
  Mutant mutant{.id = required<std::string>(json, "id"),
                .operators = required<std::vector<std::string>>(json, "operators"),
                .kind = required_named(json, "kind", kind_named),
                .function = required<std::string>(json, "function"),
                .file = required<std::string>(json, "file"),
                .line = required<unsigned>(json, "line"),
                .column = required<unsigned>(json, "column"),
                .end_line = required<unsigned>(json, "end_line"),
                .end_column = required<unsigned>(json, "end_column"),
                .text = required<std::string>(json, "text"),
                .replacement = required<std::string>(json, "replacement")};
  if (mutant.kind == MutantKind::Switched) {
    mutant.number = required<unsigned>(json, "number");
    mutant.site = required<unsigned>(json, "site");
  } else if (mutant.kind == MutantKind::Program) {
    mutant.program = required<std::string>(json, "program");
  } else {
    const Json launch = required<Json>(json, "launch");
    mutant.dimension = required<unsigned>(launch, "dimension");
    mutant.more_items = required<int>(launch, "more_items");
    mutant.more_groups = required<int>(launch, "more_groups");
    mutant.swapped = required<bool>(launch, "swapped");
  }
  mutant.synchronisation = optional<bool>(json, "synchronisation").value_or(false);
  mutant.weakens_assignment = optional<bool>(json, "weakens_assignment").value_or(false);
  const auto reason = optional<std::string>(json, "ignored");
  mutant.ignored = reason.has_value();
  mutant.ignore_reason = reason.value_or("");
  mutant.equivalent = optional<bool>(json, "equivalent").value_or(false);
  mutant.proof = optional<std::string>(json, "proof").value_or("");
  mutant.duplicate_of = optional<std::string>(json, "duplicate_of").value_or("");
  return mutant;
}

Json to_json(const MutantTable& table) {
  Json json{{"format", kMutantsFormat},
            {"source", table.source},
            {"arguments", table.arguments},
            {"reached_bits", table.reached_bits}};
  json["kernels"] = Json::array();
  for (const MutatedKernel& kernel : table.kernels)
    json["kernels"].push_back({{"name", kernel.name}, {"functions", kernel.functions}});
  json["mutants"] = list_of(table.mutants);
  json["guards"] = list_of(table.guards);
  json["votes"] = list_of(table.votes);
  json["not_mutated"] = list_of(table.not_mutated);
  json["device_macros"] = list_of(table.device_macros);
  if (!table.compared)
    json["compared"] = false;
  return json;
}

MutantTable mutant_table_from_json(const Json& json) {
  expect_format(json, kMutantsFormat);
  MutantTable table;
  table.source = required<std::string>(json, "source");
  table.arguments = required<unsigned>(json, "arguments");
  table.reached_bits = required<unsigned>(json, "reached_bits");
  for (const Json& entry : required_array(json, "kernels"))
    table.kernels.push_back({.name = required<std::string>(entry, "name"),
                             .functions = required<std::vector<std::string>>(entry, "functions")});
  for (const Json& entry : required_array(json, "mutants")) {
    Mutant mutant = mutant_from_json(entry);
    if (mutant.kind == MutantKind::Switched && mutant.site >= table.reached_bits)
      throw FormatError("a mutant's 'site' lies outside 'reached_bits'");
    table.mutants.push_back(std::move(mutant));
  }
  table.guards = required_list(json, "guards", guard_from_json);
  table.votes = required_list(json, "votes", vote_from_json);
  table.not_mutated = required_list(json, "not_mutated", not_instrumented_from_json);
  table.device_macros = required_list(json, "device_macros", device_macro_from_json);
  table.compared = optional<bool>(json, "compared").value_or(true);
  return table;
}

MutantTable read_mutant_table(const std::filesystem::path& file) {
  return read_json_file(file, mutant_table_from_json);
}

void write_mutant_table(const MutantTable& table, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(table)));
}

} // namespace gputest::model
