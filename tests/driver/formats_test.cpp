// Files that another version of GpuTestCheck has written are refused, and the message names the
// format and says what to do.
#include "driver/commands.h"
#include "memory/model/gpu.h"
#include "model/checks/results.h"
#include "model/coverage.h"
#include "model/files.h"
#include "model/interface.h"
#include "model/json.h"
#include "model/launches/kept_launch.h"
#include "model/memory/results.h"
#include "model/mutation/mutants.h"
#include "model/mutation/mutation.h"
#include "model/schedules/results.h"
#include "model/schedules/sites.h"
#include "model/sites.h"
#include "program/opencl/run_folder.h"
#include "report/index/comparison.h"
#include "report/index/history.h"
#include "report/index/summaries.h"
#include "runtime/variants/run_settings.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <array>
#include <fmt/format.h>
#include <functional>
#include <regex>
#include <set>

using namespace gputest;
using gputest::tests::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

constexpr const char* kAgain = "another version of GpuTestCheck has written it";

struct Row {
  std::string format; // as it is read today
  std::function<void(const fs::path& file)> read;
  std::string what_to_do = kAgain;
  std::string file = "file.json";
  std::string text = R"({"format": "@"})";
};

template <typename Read> std::function<void(const fs::path&)> of_file(Read read) {
  return [read](const fs::path& file) { read(file); };
}

void replay(const fs::path& file) {
  std::string name = "replay", path = file.string();
  std::array words{name.data(), path.data(), static_cast<char*>(nullptr)};
  driver::replay_command(2, words.data());
}

void read_history(const fs::path& file) {
  std::string text = model::read_text(file).value();
  const std::string before = text;
  try {
    report::remember(text, {}, "a date", "a commit");
  } catch (const model::FormatError&) {
    CHECK(text == before);
    throw;
  }
}

const std::vector<Row> kRead{
    {"gputest-interface-1", of_file(model::read_interface)},
    {"gputest-sites-1", of_file(model::read_site_table)},
    {"gputest-schedule-sites-1", of_file(model::read_schedule_sites)},
    {"gputest-coverage-1", of_file(model::read_coverage)},
    {"gputest-mutants-1", of_file(model::read_mutant_table)},
    {"gputest-mutation-1", of_file(model::read_mutation), kAgain, "mutation.json",
     R"({"gputest": {"format": "@"}})"},
    {"gputest-schedules-1", of_file(model::read_schedules)},
    {"gputest-check-2", of_file(model::read_check_results)},
    {"gputest-memory-1", of_file(model::read_memory_results)},
    {"gputest-launch-2", of_file(model::read_kept_launch)},
    {"gputest-test-1", of_file(report::test_summary)},
    {"gputest-fuzz-1", of_file(report::fuzz_summary)},
    {"gputest-generation-1", of_file(report::generation_summary), kAgain, "generation.json",
     R"({"format": "gputest-generation-report-1", "kernels": [{"format": "@"}]})"},
    {"gputest-generation-report-1", of_file(report::generation_summary), kAgain, "generation.json",
     R"({"format": "@", "kernels": []})"},
    {"gputest-schedule-1", replay},
    {"gputest-memory-schedule-1", replay},
    {"gputest-check-replay-1", replay},
    {"gputest-gpu-1",
     [](const fs::path& file) {
       memory::gpu_from_text(model::read_text(file).value(), file.string());
     },
     "it must be gputest-gpu-1"},
    {"gputest-history-1", read_history},
    {"gputest-results-1",
     [](const fs::path& file) { report::states_from_text(model::read_text(file).value()); }},
    {"gputest-run-log-1",
     [](const fs::path& file) { program::read_run_folder(file.parent_path()); },
     "use those of one installation", "1-1.jsonl", "{\"event\": \"process\", \"format\": \"@\"}\n"},
    {"gputest-run-settings-1",
     [](const fs::path& file) { runtime::read_run_settings(file.parent_path()); },
     "gputest-run-settings-1", "settings.json"}, // the layer says what to do
};

// What is written for others, and never read.
const std::set<std::string> kWritten{"gputest-cases-1",
                                     "gputest-check-report-1",
                                     "gputest-comparison-1",
                                     "gputest-devices-1",
                                     "gputest-index-1",
                                     "gputest-kernel-comparison-1",
                                     "gputest-run-1",
                                     "gputest-schedules-report-1",
                                     "gputest-simulator-comparison-1"};

std::string replaced(std::string text, const std::string& format) {
  return text.replace(text.find('@'), 1, format);
}

} // namespace

TEST_CASE("a file of an older or a newer version is refused, and the message says what to do") {
  for (const Row& row : kRead)
    for (const char* version : {"0", "99"}) {
      INFO(row.format);
      const std::string other = fmt::format("{}-{}", model::kind_of_format(row.format), version);
      const tests::TemporaryFolder folder;
      const fs::path file = folder.write(row.file, replaced(row.text, other));
      CHECK_THROWS_WITH(row.read(file), ContainsSubstring(other) && ContainsSubstring(row.format) &&
                                            ContainsSubstring(row.what_to_do));
    }
}

TEST_CASE("each format of the manual is in the table, or only written") {
  std::set<std::string> known = kWritten;
  for (const Row& row : kRead)
    known.insert(row.format);
  std::set<std::string> documented;
  const std::string manual =
      model::read_text(fs::path(GPUTEST_DOCS) / "reference/formats.md").value();
  const std::regex format("gputest-[a-z-]+-[0-9]+");
  for (std::sregex_iterator found(manual.begin(), manual.end(), format), end; found != end; ++found)
    documented.insert(found->str());
  CHECK(documented == known);
}
