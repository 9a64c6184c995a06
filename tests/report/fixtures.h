// Coverage to report on: made-up runs of three kernels in data/, and small ones built in code.
#pragma once

#include "report/coverage/report.h"
#include "tests/temporary_folder.h"

#include <string>

namespace gputest::tests {

std::filesystem::path report_data(); // tests/report/data

// Two runs of `reduce`, one with a divergent barrier and a failed case, `classify` with every kind
// of site and a file nobody has, `copy` with nothing but one statement.
report::Report sample_report();

// A site at 1-based line and column, as long as `text`, with outcomes in order of `hits`.
model::SiteCoverage site(model::Criterion criterion, const std::string& kind, unsigned line,
                         unsigned column, const std::string& text,
                         const std::vector<std::pair<std::string, std::uint64_t>>& hits);
// The coverage of a kernel `k` in the file `k.cl`.
model::Coverage coverage_of(std::vector<model::SiteCoverage> sites);

// Compares with data/expected/<name>; with GPUTEST_UPDATE_GOLDEN set, writes that file instead.
void check_golden(const std::string& name, const std::string& text);

std::string read_file(const std::filesystem::path& file);

// The text that a terminal shows.
std::string without_colour(std::string text);

} // namespace gputest::tests
