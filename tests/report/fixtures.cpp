#include "tests/report/fixtures.h"

#include "tests/catch.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace gputest::tests {
namespace fs = std::filesystem;

fs::path report_data() {
  return fs::path(GPUTEST_TEST_DATA) / "data";
}

report::Report sample_report() {
  std::vector<fs::path> files;
  for (const char* run : {"reduce", "reduce_large", "classify", "copy"})
    files.push_back(report_data() / run / "coverage.json");
  return report::read_report(files, "");
}

model::SiteCoverage site(model::Criterion criterion, const std::string& kind, unsigned line,
                         unsigned column, const std::string& text,
                         const std::vector<std::pair<std::string, std::uint64_t>>& hits) {
  model::SiteCoverage entry;
  entry.site.criterion = criterion;
  entry.site.kind = kind;
  entry.site.id = "k." + std::string(model::name_of(criterion)) + "." + std::to_string(line) + "." +
                  std::to_string(column);
  entry.site.function = "k";
  entry.site.file = "k.cl";
  entry.site.line = entry.site.end_line = line;
  entry.site.column = column;
  entry.site.end_column = column + static_cast<unsigned>(text.size());
  entry.site.text = text;
  for (const auto& [name, count] : hits) {
    entry.site.outcomes.push_back({.name = name, .bit = 0});
    entry.hits.push_back(count);
  }
  return entry;
}

model::Coverage coverage_of(std::vector<model::SiteCoverage> sites) {
  model::Coverage coverage;
  coverage.kernel = coverage.name = "k";
  coverage.device = "device";
  coverage.source = "k.cl";
  coverage.sites = std::move(sites);
  return coverage;
}

void check_golden(const std::string& name, const std::string& given) {
  std::string text = given;
  constexpr std::string_view kVersion = "\"semanticVersion\":\"" GPUTEST_VERSION "\"";
  if (const std::size_t at = text.find(kVersion); at != std::string::npos)
    text.replace(at, kVersion.size(), "\"semanticVersion\":\"…\"");
  // The style sheet and the script are no results: a change of a colour would edit each page.
  for (const std::string element : {"style", "script"}) {
    const std::string begin = '<' + element + ">\n";
    const std::size_t at = text.find(begin);
    if (at == std::string::npos)
      continue;
    const std::size_t end = text.find("</" + element + '>', at);
    CHECK(end - at > begin.size());
    text.replace(at, end - at, '<' + element + ">…");
  }
  const fs::path file = report_data() / "expected" / name;
  if (std::getenv("GPUTEST_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << text;
    return;
  }
  INFO("set GPUTEST_UPDATE_GOLDEN=1 to write " << file.string() << " anew");
  CHECK(text == read_file(file));
}

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  REQUIRE(stream);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string without_colour(std::string text) {
  for (std::size_t begin; (begin = text.find('\x1b')) != std::string::npos;)
    text.erase(begin, text.find('m', begin) + 1 - begin);
  return text;
}

} // namespace gputest::tests
