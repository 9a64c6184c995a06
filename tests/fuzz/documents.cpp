#include "model/checks/results.h"
#include "model/coverage.h"
#include "model/interface.h"
#include "model/mutation/mutants.h"
#include "model/mutation/mutation.h"
#include "model/schedules/results.h"
#include "model/schedules/schedule.h"
#include "model/schedules/sites.h"
#include "model/sites.h"
#include "tests/fuzz/scratch.h"

namespace gputest::fuzz {
namespace {

// Each reader looks at the format, so one corpus serves all.
template <typename Read> bool reads(Read read, const std::filesystem::path& file) {
  try {
    read(file);
    return true;
  } catch (const model::FormatError&) {
    return false;
  }
}

void all_stages(const std::filesystem::path& file) {
  const model::Schedule schedule = model::read_schedule(file);
  model::stages(schedule);
  model::text_of(schedule);
}

} // namespace

bool documents(Bytes bytes) {
  static const Scratch scratch;
  const std::filesystem::path file = scratch.file("document.json", bytes);
  bool any = false;
  any |= reads(model::read_interface, file);
  any |= reads(model::read_site_table, file);
  any |= reads(model::read_coverage, file);
  any |= reads(model::read_mutant_table, file);
  any |= reads(model::read_mutations, file);
  any |= reads(model::read_schedule_sites, file);
  any |= reads(model::read_schedules, file);
  any |= reads(model::read_check_results, file);
  any |= reads(all_stages, file);
  return any;
}

} // namespace gputest::fuzz
