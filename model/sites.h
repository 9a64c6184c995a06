// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places at which an instrumented kernel records outcomes. The coverage pass writes them beside
// coverage.cl, to sites.json.
#pragma once

#include "model/interface.h"
#include "model/sources.h"

namespace gputest::model {

enum class Criterion { Statement, Branch, Condition, Loop, Barrier };
constexpr auto names_of(Criterion) {
  return std::to_array<std::string_view>({"statement", "branch", "condition", "loop", "barrier"});
}

struct Outcome {
  std::string name; // "executed" | "true", "false" | "taken" | "zero", "one", "many", "boundary"
  unsigned bit = 0; // in the coverage section of the state buffer: word bit/32, mask 1 << bit%32
  bool operator==(const Outcome&) const = default;
};

// An instantiation of a function template, or of a member of a class template. It records its
// outcomes by itself, `distance` bits after those of the template.
struct Instance {
  std::string function; // with its arguments: "scale<float>"
  unsigned distance = 0;
  bool operator==(const Instance&) const = default;
};

struct Site {
  // Made of function, criterion, text and ordinal, so unrelated edits do not change it.
  std::string id;
  Criterion criterion = Criterion::Statement;
  // Branch: if, switch, loop, conditional. Loop: for, while, do. Otherwise empty.
  std::string kind;
  std::string function;
  std::string file; // as the author's compiler would name it
  unsigned line = 0, column = 0, end_line = 0, end_column = 0; // 1-based, end exclusive, bytes
  std::string text;                                            // as written, white space folded
  std::vector<Outcome> outcomes;
  // Empty: the site is in no template, or instances are recorded together.
  std::vector<Instance> instances{};
  bool operator==(const Site&) const = default;
};

// A place where the mutant kernel checks itself. It is named when it stops a mutant.
struct Guard {
  std::string function, file;
  unsigned line = 0, column = 0;
  std::string text; // "a[i + 1]"
  bool operator==(const Guard&) const = default;
};

// A decision on which work-items of one group must agree, because a barrier depends on it.
struct Vote {
  // A word of the divergence section. It holds 1 + the linear id of a group that disagreed.
  unsigned word = 0;
  std::string function, file;
  unsigned line = 0, column = 0;
  std::string text;
  std::vector<std::string> barriers; // ids of the barrier sites that depend on it
  bool operator==(const Vote&) const = default;
};

// A construct that a pass could not handle (invariant 5).
struct NotInstrumented {
  std::string file;
  unsigned line = 0, column = 0;
  std::string function;
  std::string construct; // "vector condition", …
  std::string reason;
  bool operator==(const NotInstrumented&) const = default;
};

// Outcomes that do not count, because they can never happen or a comment leaves them out.
struct NotCounted {
  Criterion criterion = Criterion::Statement;
  std::string file;
  unsigned line = 0, column = 0;
  std::string function;
  std::string text;                  // the site's
  std::vector<std::string> outcomes; // their names
  std::string reason;
  bool operator==(const NotCounted&) const = default;
};

// A macro that the source asks about and does not define itself. The device decides.
struct DeviceMacro {
  std::string name;
  std::optional<std::string> value; // assumed while instrumenting; nullopt: not defined
  std::string file;
  unsigned line = 0;
  bool operator==(const DeviceMacro&) const = default;
};

struct InstrumentedKernel {
  std::string name;
  std::vector<std::string> functions; // itself and what it calls, at any depth
  // Neither loops nor barriers: slots for each work-item pay off on CPU devices.
  bool straight_line = false;
  bool operator==(const InstrumentedKernel&) const = default;
};

struct SiteTable {
  std::string source;
  unsigned coverage_words = 0;   // 32-bit
  unsigned divergence_words = 0; // 32-bit
  unsigned left_out = 0;         // functions that no kernel reaches, which have no sites
  std::vector<InstrumentedKernel> kernels;
  std::vector<Site> sites; // in order of position
  std::vector<Vote> votes;
  std::vector<NotInstrumented> not_instrumented;
  std::vector<NotCounted> not_counted; // in order of position
  std::vector<DeviceMacro> device_macros;
  std::vector<SourceFile> sources{}; // the author's file first; empty: unknown
  bool operator==(const SiteTable&) const = default;
};

// Convert to and from JSON as in docs/reference/formats.md. Reading throws FormatError, and writing
// throws WriteError.
nlohmann::ordered_json to_json(const SiteTable& table);
SiteTable site_table_from_json(const nlohmann::ordered_json& json);
SiteTable read_site_table(const std::filesystem::path& file);
void write_site_table(const SiteTable& table, const std::filesystem::path& file);

} // namespace gputest::model
