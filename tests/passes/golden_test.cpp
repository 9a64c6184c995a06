// Each coverage/<case>.cl has its instrumented text and its sites in <case>.expected.
#include "model/files.h"
#include "tests/passes/golden.h"
#include "tests/passes/instrumented.h"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace gputest;
using tests::cases;
using tests::compare_with_golden;
using tests::options_for;

std::string summary_of(const tests::Instrumented& result) {
  std::string text = tests::body_of(result.coverage.text) + "\n";
  for (const model::Site& site : result.coverage.sites.sites) {
    std::string outcomes;
    for (const model::Outcome& outcome : site.outcomes)
      outcomes += fmt::format(" {}:{}", outcome.name, outcome.bit);
    text += fmt::format("{}:{}:{}-{}:{} {}{}{} [{}]{}\n", site.file, site.line, site.column,
                        site.end_line, site.end_column, name_of(site.criterion),
                        site.kind.empty() ? "" : ".", site.kind, site.text, outcomes);
  }
  for (const model::Vote& vote : result.coverage.sites.votes)
    text += fmt::format("{}:{}:{} vote {} in {} [{}] guards {} barriers\n", vote.file, vote.line,
                        vote.column, vote.word, vote.function, vote.text, vote.barriers.size());
  for (const model::NotInstrumented& entry : result.coverage.sites.not_instrumented)
    text += fmt::format("{}:{}:{} not instrumented: {}: {}\n", entry.file, entry.line, entry.column,
                        entry.construct, entry.reason);
  for (const model::NotCounted& entry : result.coverage.sites.not_counted)
    text += fmt::format("{}:{}:{} {} [{}] not counted: {}: {}\n", entry.file, entry.line,
                        entry.column, name_of(entry.criterion), entry.text,
                        fmt::join(entry.outcomes, ", "), entry.reason);
  for (const model::DeviceMacro& macro : result.flat.device_macros)
    text += fmt::format("{}:{} asks the device for {} ({})\n", macro.file, macro.line, macro.name,
                        macro.value.value_or("not defined"));
  return text;
}

} // namespace

TEST_CASE("instrumented text and sites are as expected", "[coverage]") {
  const std::vector<fs::path> files = cases("coverage");
  REQUIRE(files.size() > 10);
  for (const fs::path& file : files) {
    INFO(file.string());
    const tests::Instrumented result = tests::instrument(options_for(file));
    compare_with_golden(file, summary_of(result));
  }
  for (const fs::path& file : cases("coverage_opencl3")) {
    INFO(file.string());
    frontend::SourceOptions options = options_for(file);
    options.cl_std = "CL3.0";
    compare_with_golden(file, summary_of(tests::instrument(options)));
  }
}

TEST_CASE("an instrumented file is OpenCL C again", "[coverage]") {
  std::size_t number = 0, old = 0;
  for (const fs::path& file : cases("coverage")) {
    INFO(file.string());
    const tests::Instrumented result = tests::instrument(options_for(file));
    for (const std::string& language :
         {std::string("CL1.2"), tests::old_language_of(result.flat, number++)}) {
      if (language.empty())
        continue;
      INFO(language);
      old += language != "CL1.2";
      frontend::FlatSource variant;
      variant.text = result.coverage.text;
      frontend::SourceOptions plain;
      plain.cl_std = language;
      llvm::Error error = frontend::parse(
          variant, plain, [](const frontend::Tree&) { return llvm::Error::success(); });
      CHECK(llvm::toString(std::move(error)) == "");
    }
  }
  CHECK(old > number / 2);
}

TEST_CASE("ids are unique, and survive edits elsewhere", "[coverage]") {
  for (const fs::path& file : cases("coverage")) {
    INFO(file.string());
    const tests::Instrumented before = tests::instrument(options_for(file));
    std::set<std::string> ids;
    for (const model::Site& site : before.coverage.sites.sites)
      CHECK(ids.insert(site.id).second);

    frontend::SourceOptions edited = options_for(file);
    edited.appended = "kernel void added_later(global int* p) { if (p[0]) p[0] = 1; }\n";
    const tests::Instrumented after = tests::instrument(edited);
    for (const model::Site& site : after.coverage.sites.sites)
      if (site.function != "added_later")
        CHECK(ids.erase(site.id) == 1);
    CHECK(ids.empty());
  }
}

TEST_CASE("the interface of kernels is as expected", "[describe]") {
  for (const fs::path& file : cases("describe")) {
    INFO(file.string());
    model::Interface interface = tests::instrument(options_for(file)).interface;
    interface.source = file.filename().string();
    const std::string text = model::pretty(model::to_json(interface), 4);
    compare_with_golden(file, text);
    CHECK(model::interface_from_json(nlohmann::ordered_json::parse(text)) == interface);
  }
}

TEST_CASE("C11 atomics are described as what they hold", "[describe]") {
  const fs::path file =
      fs::temp_directory_path() / ("gputest_atomics_" + std::to_string(::getpid()) + ".cl");
  std::ofstream(file) << "kernel void k(global atomic_int* a, local atomic_uint* b,\n"
                         "              global atomic_float* c) {}\n";
  frontend::SourceOptions options = options_for(file);
  options.cl_std = "CL2.0";
  const model::Interface interface = tests::instrument(options).interface;
  fs::remove(file);
  const std::vector<model::Argument>& arguments = interface.find("k")->arguments;
  CHECK(arguments.at(0).type == model::scalar_type(model::Scalar::Int));
  CHECK(arguments.at(1).type == model::scalar_type(model::Scalar::UInt));
  CHECK(arguments.at(2).type == model::scalar_type(model::Scalar::Float));
}
