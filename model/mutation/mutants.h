// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants of a kernel file, written beside mutants.cl: mutants.json
// (docs/reference/formats.md).
//
// A mutant is the file with one small change. "Switched" mutants are all in mutants.cl, and the
// state buffer chooses one at run time. Others are programs of their own, or change only the
// launch.
#pragma once

#include "model/sites.h"

#include <string>
#include <string_view>

namespace gputest::model {

enum class MutantKind {
  Switched, // in mutants.cl, chosen by `number`
  Program,  // a text of its own
  Launch    // the original with other sizes
};
constexpr auto names_of(MutantKind) {
  return std::to_array<std::string_view>({"switched", "program", "launch"});
}

struct Mutant {
  // Made of function, original and mutated text, and ordinal number, so unrelated edits do not
  // change it.
  std::string id;
  // The operators that make it, in the order of model/operators.h; at least one.
  std::vector<std::string> operators;
  MutantKind kind = MutantKind::Switched;
  unsigned number = 0; // Switched: the state's word GPUTEST_STATE_ACTIVE that chooses it; 1 or more
  unsigned site = 0;   // Switched: its bit in the section `reached`; several mutants share it
  std::string program{};  // Program: its file, in the folder of mutants.json
  std::string function{}; // the function that it is in; Launch: the kernel
  std::string file{};     // as the author's compiler would name it
  unsigned line = 0, column = 0, end_line = 0, end_column = 0; // 1-based, end exclusive, bytes
  std::string text{};           // the original, as written, white space folded
  std::string replacement{};    // the text in its place; may be empty
  bool synchronisation = false; // a fault that shows only under some orders of work-items
  // It leaves out or weakens an assignment to a variable that may have no value without it.
  bool weakens_assignment = false;
  // It leaves out or weakens a write to __local or __shared__ memory, or what decides about one.
  bool weakens_local_write = false;
  bool ignored = false; // by a comment `gputest: ignore[…] reason`
  std::string ignore_reason{};
  bool equivalent = false; // proved
  std::string proof{}; // equivalent: why, for people; empty: the optimised code is the original's
  std::string duplicate_of{}; // proved: id of an earlier mutant with the same optimised code
  // Launch: what to add to the local size and the number of groups in a dimension, or whether to
  // exchange them.
  unsigned dimension = 0;
  int more_items = 0, more_groups = 0;
  bool swapped = false; // exchanges local size and number of groups, in all dimensions
  bool operator==(const Mutant&) const = default;
};

// A range of sites of mutants (Mutant::site), with both ends.
struct SiteRange {
  unsigned first = 0, last = 0;

  bool contains(unsigned site) const { return first <= site && site <= last; }
  bool operator==(const SiteRange&) const = default;
};

struct MutatedKernel {
  std::string name;
  std::vector<std::string> functions; // itself and what it calls, at any depth
  bool operator==(const MutatedKernel&) const = default;
};

struct MutantTable {
  std::string source;        // the source file, as the user named it
  unsigned arguments = 0;    // words of the section `sizes` are 2 * arguments
  unsigned reached_bits = 0; // sites
  unsigned left_out = 0;     // functions that no kernel reaches, which have no mutants
  std::vector<MutatedKernel> kernels;
  std::vector<Mutant> mutants; // in order of position; launch mutants last
  std::vector<Guard> guards;   // event number n is guards[n - 1]
  // Decisions that the work-items of a group must agree on. Their `word` is the index, and the
  // number of their event is guards.size() + 1 + index.
  std::vector<Vote> votes;
  std::vector<NotInstrumented> not_mutated; // what operators or guards could not handle
  std::vector<DeviceMacro> device_macros;
  // False: there are so many mutants that only survivors are compared for equivalence.
  bool compared = true;
  bool operator==(const MutantTable&) const = default;

  const Mutant* find(std::string_view id) const;
};

// Entries in `not_mutated` for mutants that nobody compared have this `construct`. not_compared()
// returns such an entry.
inline constexpr std::string_view kNotCompared = "equivalent mutants";
inline NotInstrumented not_compared(const std::string& source, const std::string& reason) {
  return {.file = source,
          .line = 1,
          .column = 1,
          .function = "",
          .construct = std::string(kNotCompared),
          .reason = "not looked for: " + reason};
}

// Entries in `not_mutated` for what the original does by itself, such as an access out of bounds,
// have this `construct`. No mutant is killed for it.
inline constexpr const char* kHarmOfOriginal = "harm of the original";

// Convert to and from JSON as in docs/reference/formats.md. Reading throws FormatError, and writing
// throws WriteError.
nlohmann::ordered_json to_json(const Mutant& mutant);
Mutant mutant_from_json(const nlohmann::ordered_json& json);
nlohmann::ordered_json to_json(const MutantTable& table);
MutantTable mutant_table_from_json(const nlohmann::ordered_json& json);
MutantTable read_mutant_table(const std::filesystem::path& file);
void write_mutant_table(const MutantTable& table, const std::filesystem::path& file);

} // namespace gputest::model
