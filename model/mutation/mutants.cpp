// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mutation/mutants.h"

#include "model/files.h"
#include "model/names.h"
#include "model/sites_json.h"

#include <algorithm>
#include <array>

namespace gputest::model {
namespace {

constexpr const char* kMutantsFormat = "gputest-mutants-1";

} // namespace

const Mutant* MutantTable::find(std::string_view id) const {
  const auto found = std::ranges::find(mutants, id, &Mutant::id);
  return found == mutants.end() ? nullptr : &*found;
}

// Of mutants of every kind.
static constexpr auto fields_of_change() {
  using T = Mutant;
  return std::tuple{field("id", &T::id),
                    field("operators", &T::operators),
                    field("kind", &T::kind),
                    field("function", &T::function),
                    field("file", &T::file),
                    field("line", &T::line),
                    field("column", &T::column),
                    field("end_line", &T::end_line),
                    field("end_column", &T::end_column),
                    field("text", &T::text),
                    field("replacement", &T::replacement)};
}
static constexpr auto fields_of_launch() {
  using T = Mutant;
  return std::tuple{field("dimension", &T::dimension), field("more_items", &T::more_items),
                    field("more_groups", &T::more_groups), field("swapped", &T::swapped)};
}
// Where they apply.
static constexpr auto fields_of_marks() {
  using T = Mutant;
  return std::tuple{field<Presence::IfNotPlain>("synchronisation", &T::synchronisation),
                    field<Presence::IfNotPlain>("weakens_assignment", &T::weakens_assignment),
                    field<Presence::IfNotPlain>("weakens_local_write", &T::weakens_local_write),
                    field<Presence::IfNotPlain>("equivalent", &T::equivalent),
                    field<Presence::IfNotPlain>("proof", &T::proof),
                    field<Presence::IfNotPlain>("duplicate_of", &T::duplicate_of)};
}

Json to_json(const Mutant& mutant) {
  Json json;
  write_fields(json, mutant, fields_of_change());
  switch (mutant.kind) {
  case MutantKind::Switched:
    json["number"] = mutant.number;
    json["site"] = mutant.site;
    break;
  case MutantKind::Program:
    json["program"] = mutant.program;
    break;
  case MutantKind::Launch:
    write_fields(json["launch"], mutant, fields_of_launch());
    break;
  }
  write_fields(json, mutant, fields_of_marks());
  if (mutant.ignored)
    json["ignored"] = mutant.ignore_reason;
  return json;
}

Mutant mutant_from_json(const Json& json) {
  Mutant mutant;
  read_fields(json, mutant, fields_of_change());
  if (mutant.kind == MutantKind::Switched) {
    mutant.number = required<unsigned>(json, "number");
    mutant.site = required<unsigned>(json, "site");
  } else if (mutant.kind == MutantKind::Program) {
    mutant.program = required<std::string>(json, "program");
  } else {
    read_fields(required<Json>(json, "launch"), mutant, fields_of_launch());
  }
  read_fields(json, mutant, fields_of_marks());
  const auto reason = optional<std::string>(json, "ignored");
  mutant.ignored = reason.has_value();
  mutant.ignore_reason = reason.value_or("");
  return mutant;
}

static void to_json(Json& json, const Mutant& mutant) {
  json = to_json(mutant);
}
static void from_json(const Json& json, Mutant& mutant) {
  mutant = mutant_from_json(json);
}
static constexpr auto fields_of(const MutatedKernel*) {
  return std::tuple{field("name", &MutatedKernel::name),
                    field("functions", &MutatedKernel::functions)};
}
static constexpr auto fields_of(const MutantTable*) {
  using T = MutantTable;
  return std::tuple{field("source", &T::source),
                    field("arguments", &T::arguments),
                    field("reached_bits", &T::reached_bits),
                    field<Presence::IfNotPlain>("functions_left_out", &T::left_out),
                    field("kernels", &T::kernels),
                    field("mutants", &T::mutants),
                    field("guards", &T::guards),
                    field("votes", &T::votes),
                    field("not_mutated", &T::not_mutated),
                    field("device_macros", &T::device_macros),
                    field<Presence::IfNotPlain>("compared", &T::compared)};
}

Json to_json(const MutantTable& table) {
  Json json{{"format", kMutantsFormat}};
  write_fields(json, table, fields_of(&table));
  return json;
}

MutantTable mutant_table_from_json(const Json& json) {
  expect_format(json, kMutantsFormat);
  auto table = json.get<MutantTable>();
  for (const Mutant& mutant : table.mutants)
    if (mutant.kind == MutantKind::Switched && mutant.site >= table.reached_bits)
      throw FormatError("a mutant's 'site' lies outside 'reached_bits'");
  return table;
}

MutantTable read_mutant_table(const std::filesystem::path& file) {
  return read_json_file(file, mutant_table_from_json);
}

void write_mutant_table(const MutantTable& table, const std::filesystem::path& file) {
  write_atomically(file, pretty(to_json(table)));
}

} // namespace gputest::model
