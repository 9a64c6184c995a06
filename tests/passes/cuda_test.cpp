// Each cuda/<case>.cu has its instrumented text and its sites in <case>.expected.
#include "frontend/cuda/unit.h"
#include "passes/coverage/coverage.h"
#include "passes/mutation/cuda.h"
#include "passes/mutation/ignore_comments.h"
#include "tests/passes/golden.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace {

namespace fs = std::filesystem;
using namespace gputest;
using tests::compare_with_golden;

std::vector<fs::path> cuda_cases() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(GPUTEST_TEST_DATA) / "cuda"))
    if (entry.path().extension() == ".cu")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

frontend::CudaOptions cuda_options(const fs::path& file) {
  const std::string toolkit = GPUTEST_CUDA_TOOLKIT;
  return {.file = file.string(),
          .arguments = {GPUTEST_CLANG, "-x", "cuda", "-nocudainc", "-nocudalib",
                        "--cuda-path=" + toolkit, "--cuda-gpu-arch=sm_80", "-isystem",
                        toolkit + "/include", "-include", "cuda_runtime.h", "-Xclang",
                        "-target-sdk-version=12.5", "-Wno-unknown-cuda-version", "-std=c++20"},
          .source_root = file.parent_path().string()};
}

// Reads a case once for all tests: Clang goes through the headers of CUDA each time.
const frontend::FlatSource& read(const frontend::CudaOptions& options) {
  static std::map<fs::path, frontend::FlatSource> sources;
  auto found = sources.find(options.file);
  if (found == sources.end()) {
    auto source = frontend::read_cuda(options);
    if (!source)
      throw std::runtime_error(llvm::toString(source.takeError()));
    found = sources.emplace(options.file, std::move(*source)).first;
  }
  return found->second;
}

passes::CoverageVariant instrument(const frontend::CudaOptions& options) {
  const frontend::FlatSource& source = read(options);
  passes::CoverageVariant variant;
  if (llvm::Error error =
          frontend::parse_cuda(source, options, [&](const frontend::Tree& tree) -> llvm::Error {
            auto comments = frontend::read_ignore_comments(
                source.dependencies, frontend::FileNames(options.source_root));
            if (!comments)
              return comments.takeError();
            variant = passes::instrument_cuda_coverage(tree, "case.cu", "case", true, *comments);
            return llvm::Error::success();
          }))
    throw std::runtime_error(llvm::toString(std::move(error)));
  return variant;
}

// The author's text, wherever it lies.
std::string body_of(std::string text, const fs::path& file) {
  text.erase(0, text.find("#line 1 "));
  const std::string folder = file.parent_path().string() + "/";
  for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;)
    text.erase(at, folder.size());
  return text;
}

std::string summary_of(const passes::CoverageVariant& variant, const fs::path& file) {
  std::string text = body_of(variant.text, file) + "\n";
  for (const model::Site& site : variant.sites.sites) {
    std::string outcomes;
    for (const model::Outcome& outcome : site.outcomes)
      outcomes += fmt::format(" {}:{}", outcome.name, outcome.bit);
    for (const model::Instance& instance : site.instances)
      outcomes += fmt::format(" {}+{}", instance.function, instance.distance);
    text += fmt::format("{}:{}:{}-{}:{} {} {}{}{} [{}]{}\n", site.file, site.line, site.column,
                        site.end_line, site.end_column, site.function, name_of(site.criterion),
                        site.kind.empty() ? "" : ".", site.kind, site.text, outcomes);
  }
  for (const model::NotInstrumented& entry : variant.sites.not_instrumented)
    text += fmt::format("{}:{}:{} {} not instrumented: {}: {}\n", entry.file, entry.line,
                        entry.column, entry.function, entry.construct, entry.reason);
  for (const model::NotCounted& entry : variant.sites.not_counted)
    text += fmt::format("{}:{}:{} {} [{}] not counted: {}: {}\n", entry.file, entry.line,
                        entry.column, name_of(entry.criterion), entry.text,
                        fmt::join(entry.outcomes, ", "), entry.reason);
  for (const model::InstrumentedKernel& kernel : variant.sites.kernels)
    text += fmt::format("kernel {}\n", kernel.name);
  return text;
}

passes::mutation::CudaMutants mutate(const frontend::CudaOptions& options) {
  const frontend::FlatSource& source = read(options);
  passes::mutation::CudaMutants mutants;
  if (llvm::Error error = frontend::parse_cuda(source, options, [&](const frontend::Tree& tree) {
        mutants = passes::mutation::mutate_cuda(tree, "case.cu", "case");
        return llvm::Error::success();
      }))
    throw std::runtime_error(llvm::toString(std::move(error)));
  llvm::cantFail(passes::mutation::ignore_by_comments(
      source.dependencies, frontend::FileNames(options.source_root), mutants.table.mutants));
  return mutants;
}

// What Clang says of a text that was made of the file's. Files that it includes are read as they
// were for the file, as the compiler does it.
std::string messages_of(const std::string& text, const fs::path& file) {
  frontend::FlatSource again;
  again.text = text;
  again.mended = read(cuda_options(file)).mended;
  return llvm::toString(frontend::parse_cuda(
      again, cuda_options(file), [](const frontend::Tree&) { return llvm::Error::success(); }));
}

std::string summary_of(const passes::mutation::CudaMutants& mutants, const fs::path& file) {
  std::string text;
  for (const model::Mutant& mutant : mutants.table.mutants)
    text +=
        fmt::format("{} at {}, {}:{}:{}-{}:{} {} {} [{}] -> [{}]{}{}\n", mutant.number, mutant.site,
                    mutant.file, mutant.line, mutant.column, mutant.end_line, mutant.end_column,
                    mutant.function, fmt::join(mutant.operators, " "), mutant.text,
                    mutant.replacement, mutant.synchronisation ? " synchronisation" : "",
                    mutant.ignored ? " ignored: " + mutant.ignore_reason : "");
  for (const model::NotInstrumented& entry : mutants.table.not_mutated)
    text += fmt::format("{}:{}:{} {} not mutated: {}: {}\n", entry.file, entry.line, entry.column,
                        entry.function, entry.construct, entry.reason);
  return text + body_of(mutants.device, file) + body_of(mutants.host, file);
}

} // namespace

TEST_CASE("mutants of CUDA are as expected, and all of them compile", "[cuda]") {
  for (const fs::path& file : cuda_cases()) {
    INFO(file.string());
    const passes::mutation::CudaMutants mutants = mutate(cuda_options(file));
    std::set<std::string> ids;
    std::set<unsigned> numbers;
    for (const model::Mutant& mutant : mutants.table.mutants) {
      CHECK(ids.insert(mutant.id).second);
      CHECK(numbers.insert(mutant.number).second);
      CHECK(mutant.site < mutants.table.reached_bits);
    }
    CHECK(messages_of(mutants.device, file) == "");
    CHECK(messages_of(mutants.host, file) == "");
    if (file.stem() == "launches") // the others' sites are long, and no other than these
      compare_with_golden(file.parent_path() / "launches_mutants.cu", summary_of(mutants, file));
  }
}

TEST_CASE("instrumented CUDA is as expected, and CUDA again", "[cuda]") {
  const std::vector<fs::path> files = cuda_cases();
  REQUIRE(files.size() >= 3);
  for (const fs::path& file : files) {
    INFO(file.string());
    const passes::CoverageVariant variant = instrument(cuda_options(file));
    compare_with_golden(file, summary_of(variant, file));
    CHECK(messages_of(variant.text, file) == "");
  }
}

TEST_CASE("what is not edited stays as it was written, line by line", "[cuda]") {
  for (const fs::path& file : cuda_cases()) {
    INFO(file.string());
    const frontend::FlatSource& source = read(cuda_options(file));
    for (const frontend::FlatToken& token : source.tokens) {
      if (token.in_body)
        continue;
      const std::string written = tests::read(source.paths[token.span.file]);
      CHECK(source.text.substr(token.begin, token.end - token.begin) ==
            written.substr(token.span.begin, token.span.end - token.span.begin));
    }
  }
}

TEST_CASE("a CUDA file that does not compile has Clang's messages", "[cuda]") {
  const fs::path folder = fs::temp_directory_path() / "gputest-cuda-test";
  fs::create_directories(folder);
  const fs::path file = folder / "broken.cu";
  std::ofstream(file) << "__global__ void k(int* p) {\n  *p = missing;\n}\n";
  auto source = frontend::read_cuda(cuda_options(file));
  REQUIRE(!source);
  CHECK(llvm::toString(source.takeError()).find("broken.cu:2:8: error: use of undeclared") !=
        std::string::npos);
  fs::remove_all(folder);
}
