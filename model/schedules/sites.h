// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places that the schedule pass found in a kernel file. schedule-sites.json is written beside
// schedule.cl (docs/reference/formats.md).
#pragma once

#include "model/mutation/mutants.h"

namespace gputest::model {

// An index `a * <argument> + id` selects a row of a matrix if the argument is at least the number
// of ids. If the argument is smaller, rows overlap, and work-items of the launch write the same
// elements.
struct RowIndex {
  std::string kernel;
  unsigned argument = 0;  // position of the scalar
  unsigned dimension = 0; // dimension of get_global_id()
  std::string file;
  unsigned line = 0, column = 0;
  std::string text; // "i * nj + j"
  bool operator==(const RowIndex&) const = default;
};

struct ScheduledKernel {
  std::string name;
  std::vector<std::string> functions{}; // itself and what it calls, at any depth
  bool keeps_items = false; // work-items keep their order, because the kernel asks for sub-groups
  bool operator==(const ScheduledKernel&) const = default;
};

struct ScheduleSites {
  std::string source; // the source file, as the user named it
  std::vector<ScheduledKernel> kernels;
  // Loops that may wait for another work-item, and count against a budget. Event number n is
  // loops[n - 1]. The text is the head: "while (flags[i] == 0)".
  std::vector<Guard> loops;
  std::vector<RowIndex> rows;
  // Uses of ids that could not be remapped. A kernel with one in any of its functions is not
  // tested.
  std::vector<NotInstrumented> not_remapped;
  // The guards of guarded.cl, which checks all accesses. The table is like mutants.json, without
  // mutants.
  MutantTable guarded;
  std::vector<DeviceMacro> device_macros;
  bool operator==(const ScheduleSites&) const = default;

  const ScheduledKernel* find(std::string_view kernel) const;
  // Returns the entries of not_remapped in `kernel` and in what it calls.
  std::vector<NotInstrumented> not_remapped_in(std::string_view kernel) const;
};

// Convert to and from JSON as in docs/reference/formats.md. Reading throws FormatError, and writing
// throws WriteError.
nlohmann::ordered_json to_json(const ScheduleSites& sites);
ScheduleSites schedule_sites_from_json(const nlohmann::ordered_json& json);
ScheduleSites read_schedule_sites(const std::filesystem::path& file);
void write_schedule_sites(const ScheduleSites& sites, const std::filesystem::path& file);

} // namespace gputest::model
