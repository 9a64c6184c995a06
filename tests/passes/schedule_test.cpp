// Each schedule/<case>.cl has its text, and what the pass says about it, in <case>.expected.
#include "frontend/flatten.h"
#include "passes/schedule/schedule.h"
#include "tests/passes/golden.h"

#include <fmt/format.h>

namespace {

using namespace gputest;
using tests::cases;

frontend::SourceOptions options_of(const std::filesystem::path& file) {
  frontend::SourceOptions options;
  options.file = file.string();
  options.source_root = file.parent_path().string();
  options.cl_std = tests::read(file).starts_with("// OpenCL C 2.0") ? "CL2.0" : "CL1.2";
  return options;
}

passes::ScheduleVariant schedule(const frontend::SourceOptions& options) {
  const frontend::FlatSource flat = llvm::cantFail(frontend::flatten(options));
  passes::ScheduleVariant variant;
  llvm::Error error = frontend::parse(flat, options, [&](const frontend::Tree& tree) {
    variant = passes::schedule(tree, "case.cl");
    return llvm::Error::success();
  });
  REQUIRE(llvm::toString(std::move(error)) == "");
  return variant;
}

std::string summary_of(const passes::ScheduleVariant& variant) {
  std::string text = variant.text.substr(variant.text.find(
                         "#line", variant.text.find("#define get_local_linear_id()"))) +
                     "\n";
  for (const model::Guard& loop : variant.sites.loops)
    text +=
        fmt::format("{}:{} may wait in {}: {}\n", loop.line, loop.column, loop.function, loop.text);
  for (const model::RowIndex& row : variant.sites.rows)
    text += fmt::format("{}:{} rows of argument {} and dimension {}: {}\n", row.line, row.column,
                        row.argument, row.dimension, row.text);
  for (const model::NotInstrumented& entry : variant.sites.not_remapped)
    text += fmt::format("{}:{} not remapped in {}: {}: {}\n", entry.line, entry.column,
                        entry.function, entry.construct, entry.reason);
  return text;
}

std::string errors_in(const std::string& text, const std::string& macros,
                      const std::string& cl_std) {
  frontend::FlatSource flat;
  flat.text = macros + text;
  frontend::SourceOptions options;
  options.cl_std = cl_std;
  return llvm::toString(
      frontend::parse(flat, options, [](const frontend::Tree&) { return llvm::Error::success(); }));
}

} // namespace

TEST_CASE("text for schedules is as expected", "[schedule]") {
  const auto files = cases("schedule");
  REQUIRE(files.size() >= 5);
  for (const auto& file : files) {
    INFO(file.string());
    tests::compare_with_golden(file, summary_of(schedule(options_of(file))));
  }
}

TEST_CASE("text for schedules is OpenCL C, in each of its ways", "[schedule]") {
  std::size_t number = 0, old = 0;
  for (const char* folder : {"schedule", "coverage", "mutation"})
    for (const auto& file : cases(folder)) {
      INFO(file.string());
      frontend::SourceOptions options = options_of(file);
      const passes::ScheduleVariant variant = schedule(options);
      for (const char* macros :
           {"", "#define GPUTEST_FLAT 1\n", "#define GPUTEST_ORDERED_ITEMS 1\n",
            "#define GPUTEST_FLAT 1\n#define GPUTEST_ORDERED_ITEMS 1\n"})
        CHECK(errors_in(variant.text, macros, options.cl_std) == "");
      CHECK(errors_in(variant.guarded, "", options.cl_std) == "");
      const frontend::FlatSource flat = llvm::cantFail(frontend::flatten(options));
      options.cl_std = tests::old_language_of(flat, number++);
      if (options.cl_std.empty())
        continue;
      INFO(options.cl_std);
      const passes::ScheduleVariant old_variant = schedule(options);
      CHECK(errors_in(old_variant.text, "", options.cl_std) == "");
      CHECK(errors_in(old_variant.guarded, "", options.cl_std) == "");
      ++old;
    }
  CHECK(old > number / 2);
}
