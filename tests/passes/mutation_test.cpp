// Each mutation/<case>.cl has its mutants, and the text with all of them, in <case>.expected.
#include "frontend/file_names.h"
#include "frontend/flatten.h"
#include "passes/mutation/ignore_comments.h"
#include "passes/mutation/mutants.h"
#include "passes/mutation/patch.h"
#include "passes/mutation/shown_text.h"
#include "tests/passes/golden.h"
#include "tests/passes/random_calls.h"
#include "tests/random_count.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

namespace {

using namespace gputest;
using tests::cases;
using tests::ContainsSubstring;
using tests::options_for;

struct Mutated {
  frontend::FlatSource flat;
  passes::mutation::MutantVariant variant;
};

std::string parse(const frontend::FlatSource& flat, const frontend::SourceOptions& options,
                  const std::function<void(const frontend::Tree&)>& use) {
  return llvm::toString(frontend::parse(flat, options, [&](const frontend::Tree& tree) {
    use(tree);
    return llvm::Error::success();
  }));
}

std::string parse_text(const std::string& text, const std::string& macros = "",
                       const std::string& cl_std = "CL1.2") {
  frontend::FlatSource flat;
  flat.text = macros + text;
  frontend::SourceOptions options;
  options.cl_std = cl_std;
  return parse(flat, options, [](const frontend::Tree&) {});
}

Mutated mutate(const frontend::SourceOptions& options) {
  Mutated result{llvm::cantFail(frontend::flatten(options)), {}};
  REQUIRE(parse(result.flat, options, [&](const frontend::Tree& tree) {
            result.variant = passes::mutation::mutate(tree, "case.cl");
          }) == "");
  llvm::cantFail(passes::mutation::ignore_by_comments(result.flat.dependencies,
                                                      frontend::FileNames(options.source_root),
                                                      result.variant.table.mutants));
  return result;
}

// What follows the prelude: the text of the file itself.
std::string body_of(const std::string& variant) {
  return variant.substr(variant.find("#line", variant.find("#define get_local_linear_id()")));
}

std::string summary_of(const Mutated& mutated, bool with_text) {
  std::string text;
  const model::MutantTable& table = mutated.variant.table;
  for (const model::Mutant& mutant : table.mutants) {
    if (mutant.kind == model::MutantKind::Launch)
      continue;
    text += fmt::format("{}:{}-{}:{} {} [{}] -> [{}]{}{}{}\n", mutant.line, mutant.column,
                        mutant.end_line, mutant.end_column, fmt::join(mutant.operators, " "),
                        mutant.text, mutant.replacement,
                        mutant.kind == model::MutantKind::Program ? " own program" : "",
                        mutant.synchronisation ? " synchronisation" : "",
                        mutant.ignored ? " ignored: " + mutant.ignore_reason : "");
  }
  for (const model::NotInstrumented& entry : table.not_mutated)
    text += fmt::format("{}:{} {}: {}\n", entry.line, entry.column, entry.construct, entry.reason);
  for (const model::Vote& vote : table.votes)
    text += fmt::format("{}:{} vote {} [{}]\n", vote.line, vote.column, vote.word, vote.text);
  if (!with_text)
    return text;
  for (std::size_t i = 0; i < table.guards.size(); ++i)
    text += fmt::format("{}:{} guard {} [{}]\n", table.guards[i].line, table.guards[i].column,
                        i + 1, table.guards[i].text);
  return text;
}

// Sites of mutants that the text does not ask about: none of their mutants could ever be chosen.
std::set<unsigned> missing_sites(const passes::mutation::MutantVariant& variant) {
  static const std::regex kAsked("gputest_pick\\(gputest->state, (\\d+)\\)|"
                                 "GPUTEST_(?:KEEP|NEAR|ELEMENT)\\(\\d+, (\\d+)|"
                                 "\\(gputest, \\d+, \\d+, 0x[0-9a-f]+ul, (\\d+),");
  std::set<unsigned> missing;
  for (unsigned site = 0; site < variant.table.reached_bits; ++site)
    missing.insert(site);
  std::istringstream lines(body_of(variant.text));
  for (std::string line; std::getline(lines, line);)
    for (std::sregex_iterator match(line.begin(), line.end(), kAsked), end; match != end; ++match)
      for (std::size_t group = 1; group < match->size(); ++group)
        if ((*match)[group].matched)
          missing.erase(static_cast<unsigned>(std::stoul((*match)[group])));
  return missing;
}

} // namespace

TEST_CASE("mutants are as expected", "[mutation]") {
  const auto files = cases("mutation");
  REQUIRE(files.size() > 15);
  for (const auto& file : files) {
    INFO(file.string());
    const Mutated mutated = mutate(options_for(file));
    const bool with_text = file.stem() == "guards" || file.stem() == "divergence";
    std::string summary = summary_of(mutated, with_text);
    if (with_text) { // the text with guards alone is short enough to read
      const frontend::SourceOptions options = options_for(file);
      REQUIRE(parse(mutated.flat, options, [&](const frontend::Tree& tree) {
                summary += body_of(passes::mutation::guarded(tree, mutated.variant.table, false));
              }) == "");
    }
    tests::compare_with_golden(file, summary);
  }
}

TEST_CASE("mutants of functions of OpenCL C 3.0 are as expected, and OpenCL C", "[mutation]") {
  const auto files = cases("mutation_opencl3");
  REQUIRE(files.size() == 4);
  for (const auto& file : files) {
    INFO(file.string());
    frontend::SourceOptions options = options_for(file);
    options.cl_std = "CL3.0";
    const Mutated mutated = mutate(options);
    tests::compare_with_golden(file, summary_of(mutated, false));
    CHECK(parse_text(mutated.variant.text, "", options.cl_std) == "");
    for (const auto& [id, changes] : mutated.variant.changes) {
      INFO(id);
      CHECK(parse(passes::mutation::changed(mutated.flat, changes), options,
                  [](const frontend::Tree&) {}) == "");
    }
  }
}

TEST_CASE("mutants that may leave a variable without a value are known", "[mutation]") {
  const auto files = cases("definedness");
  REQUIRE(files.size() == 1);
  std::set<std::string> weakening, others; // as "<operator>: <text>"
  for (const model::Mutant& mutant : mutate(options_for(files.front())).variant.table.mutants)
    for (const std::string& name : mutant.operators)
      (mutant.weakens_assignment ? weakening : others).insert(name + ": " + mutant.text);
  using Texts = std::set<std::string>;
  const Texts assigned{"without = 3", "array[0] = 4", "vector.x = 5", "both.low = 6"};
  for (const std::string& text : assigned) {
    INFO(text);
    CHECK(weakening.contains("assignment_replacement: " + text));
    CHECK(weakening.contains("statement_deletion: " + text + ";"));
  }
  CHECK(weakening.contains("statement_deletion: pointer = out;"));
  for (const char* text : {"with = 2", "pointer[0] = 7", "shared = 8", "n = 9", "without += 10",
                           "out[0] = 11", "out[i] = 13"}) {
    INFO(text);
    CHECK(others.contains(std::string("statement_deletion: ") + text + ";"));
    CHECK(others.contains(std::string("assignment_replacement: ") + text));
  }
  // A loop that is skipped leaves out what is in it.
  const auto loops = [](const std::set<std::string>& of) {
    return std::ranges::count_if(
        of, [](const std::string& one) { return one.starts_with("loop_boundary: "); });
  };
  CHECK(loops(weakening) > 0);
  CHECK(loops(others) > 0);
}

TEST_CASE("mutants that may leave on-chip memory without a value are known", "[mutation]") {
  std::set<std::string> weakening, others; // as "<operator>: <text>"
  for (const model::Mutant& mutant :
       mutate(options_for(cases("on_chip").front())).variant.table.mutants)
    for (const std::string& name : mutant.operators)
      (mutant.weakens_local_write ? weakening : others).insert(name + ": " + mutant.text);
  for (const char* text :
       {"statement_deletion: tile[l] = 1;", "assignment_replacement: tile[l] = 1",
        "statement_deletion: given[l] = 3;", "statement_deletion: both.low = 7;",
        "relational_replacement: l < 4", "relational_replacement: i < 5"}) {
    INFO(text);
    CHECK(weakening.contains(text));
  }
  for (const char* text :
       {"statement_deletion: own[0] = 2;", "statement_deletion: out[l] = tile[l];",
        "statement_deletion: tile[l] += 6;", "relational_replacement: l < 8"}) {
    INFO(text);
    CHECK(others.contains(text));
  }
}

TEST_CASE("all mutants together are OpenCL C, with guards and without", "[mutation]") {
  std::size_t number = 0, old = 0;
  for (const char* folder : {"mutation", "coverage"})
    for (const auto& file : cases(folder)) {
      INFO(file.string());
      const Mutated mutated = mutate(options_for(file));
      CHECK(parse_text(mutated.variant.text) == "");
      CHECK(parse_text(mutated.variant.text, "#define GPUTEST_PURE\n") == "");
      CHECK(missing_sites(mutated.variant).empty());
      frontend::SourceOptions options = options_for(file);
      options.cl_std = tests::old_language_of(mutated.flat, number++);
      if (options.cl_std.empty())
        continue;
      INFO(options.cl_std);
      CHECK(parse_text(mutate(options).variant.text, "", options.cl_std) == "");
      ++old;
    }
  CHECK(old > number / 2);
}

TEST_CASE("mutants of calls with operands of all types and kinds are OpenCL C", "[mutation]") {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("gputest_all_calls_{}.cl", ::getpid());
  std::ofstream(file) << tests::all_calls(true);
  frontend::SourceOptions options;
  options.file = file.string();
  const Mutated mutated = mutate(options);
  std::filesystem::remove(file);
  REQUIRE(mutated.variant.table.mutants.size() > 5000);
  CHECK(parse_text(mutated.variant.text) == "");
  CHECK(missing_sites(mutated.variant).empty());
}

TEST_CASE("launches are mutated in dimensions that their kernel asks about", "[mutation]") {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("gputest_dimensions_{}.cl", ::getpid());
  std::ofstream(file) << "size_t row(void) { return get_global_id(1); }\n"
                         "kernel void line(global int* out) { out[get_global_id(0)] = 1; }\n"
                         "kernel void plane(global int* out) { out[row()] = get_global_id(0); }\n"
                         "kernel void cube(global int* out) { out[get_group_id(2)] = row(); }\n";
  frontend::SourceOptions options;
  options.file = file.string();
  const Mutated mutated = mutate(options);
  std::filesystem::remove(file);
  std::map<std::string, std::set<unsigned>> launched, text;
  for (const model::Mutant& mutant : mutated.variant.table.mutants)
    if (mutant.kind == model::MutantKind::Launch && !mutant.swapped)
      launched[mutant.function].insert(mutant.dimension);
    else if (mutant.operators.front() == "dimension_replacement")
      text[mutant.function].insert(
          static_cast<unsigned>(mutant.replacement.at(mutant.replacement.find('(') + 1) - '0'));
  using Dimensions = std::set<unsigned>;
  CHECK(launched.at("line") == Dimensions{0});
  CHECK(launched.at("plane") == Dimensions{0, 1});
  CHECK(launched.at("cube") == Dimensions{0, 1, 2});
  CHECK_FALSE(text.contains("line"));
  CHECK(text.at("plane") == Dimensions{1});
  CHECK(text.at("row") == Dimensions{0, 2}); // as of `cube`
}

TEST_CASE("each mutant by itself is OpenCL C", "[mutation]") {
  for (const auto& file : cases("mutation")) {
    INFO(file.string());
    const frontend::SourceOptions options = options_for(file);
    const Mutated mutated = mutate(options);
    unsigned number = 0;
    for (const model::Mutant& mutant : mutated.variant.table.mutants) {
      if (mutant.kind == model::MutantKind::Launch ||
          (number++ % tests::random_stride(16) != 0 && file.stem() != "guards"))
        continue;
      INFO(fmt::format("{}: '{}' -> '{}'", mutant.id, mutant.text, mutant.replacement));
      const frontend::FlatSource flat =
          passes::mutation::changed(mutated.flat, mutated.variant.changes.at(mutant.id));
      std::string text;
      CHECK(parse(flat, options, [&](const frontend::Tree& tree) {
              text = passes::mutation::guarded(tree, mutated.variant.table, mutant.synchronisation);
            }) == "");
      CHECK(parse_text(text) == "");
    }
  }
}

TEST_CASE("mutants' ids are unique, and survive edits elsewhere", "[mutation]") {
  for (const auto& file : cases("mutation")) {
    INFO(file.string());
    const Mutated before = mutate(options_for(file));
    std::set<std::string> ids;
    for (const model::Mutant& mutant : before.variant.table.mutants)
      CHECK(ids.insert(mutant.id).second);
    frontend::SourceOptions edited = options_for(file);
    edited.appended = "kernel void added_later(global int* p) { if (p[0]) p[0] = 1; }\n";
    for (const model::Mutant& mutant : mutate(edited).variant.table.mutants)
      if (mutant.function != "added_later")
        CHECK(ids.erase(mutant.id) == 1);
    CHECK(ids.empty());
  }
}

TEST_CASE("a mutant is a patch of the author's file", "[mutation]") {
  const auto file = std::filesystem::path(GPUTEST_TEST_DATA) / "mutation" / "arithmetic.cl";
  const Mutated mutated = mutate(options_for(file));
  const frontend::FileNames names(file.parent_path().string());
  const auto patch_of = [&](std::string_view text, std::string_view replacement) {
    for (const model::Mutant& mutant : mutated.variant.table.mutants)
      if (mutant.text == text && mutant.replacement == replacement)
        return llvm::cantFail(
            passes::mutation::patch(mutated.flat, names, mutated.variant.changes.at(mutant.id)));
    return std::string("no such mutant");
  };
  CHECK(patch_of("n / 2u", "n - 2u") ==
        "--- a/arithmetic.cl\n+++ b/arithmetic.cl\n@@ -3,7 +3,7 @@\n"
        " float helper(float a, float b, float c) { return a * b + c; }\n"
        " kernel void test(global int* out, global const float* in, uint n) {\n"
        "   const int i = 3 * (int)n % 7;\n"
        "-  const uint u = n / 2u & 5u;\n"
        "+  const uint u = n - 2u & 5u;\n"
        "   float4 v = (float4)(1.0f) * in[i] - v;\n"
        "   float f = helper(in[0], -in[1] * in[2], in[i + 1]) - in[3] * in[4];\n"
        "   f += f * 2.0f;\n");
  // Inside a macro: the invocation is written out.
  const std::string expanded = patch_of("(i) + (i)", "(i) - (i)");
  CHECK(expanded.find("-  out[TWICE(i) - 1]") != std::string::npos);
  CHECK(expanded.find("+  out[((i) - (i)) - 1]") != std::string::npos);
}

TEST_CASE("comments about mutants are checked", "[mutation]") {
  const auto file = std::filesystem::temp_directory_path() / "gputest_ignore_comments.cl";
  const auto message_for = [&](const std::string& text) {
    std::ofstream(file) << text;
    std::vector<model::Mutant> none;
    return llvm::toString(passes::mutation::ignore_by_comments(
        {file.string()}, frontend::FileNames(file.parent_path().string()), none));
  };
  CHECK(message_for("int a; // gputest: ignore[arithmetic_replacment] typo\n")
            .find("gputest_ignore_comments.cl:1:11: error: 'arithmetic_replacment' is no mutation "
                  "operator, check or kind of findings (did you mean 'arithmetic_replacement'?)") ==
        0);
  for (const auto& [typo, meant] : {std::pair{"rcae", "race"},
                                    {"raeces", "races"},
                                    {"statment", "statement"},
                                    {"uninitialised", "uninitialized"}})
    CHECK_THAT(message_for(fmt::format("int b; // gputest: ignore[{}] typo\n", typo)),
               ContainsSubstring(fmt::format("'{}' is no ", typo)) &&
                   ContainsSubstring(fmt::format("(did you mean '{}'?)", meant)));
  CHECK(message_for("// gputest: ignore-begin x\n").find("without 'gputest: ignore-end'") !=
        std::string::npos);
  CHECK(message_for("// gputest: ignore-end\n").find("ends nothing") != std::string::npos);
  CHECK(message_for("// gputest: ignore-begin\n// gputest: ignore-begin\n").find("do not nest") !=
        std::string::npos);
  for (const char* word : {"ignore-next-line[gpu]", "ignores this", "ignore_begin[gpu]"})
    CHECK_THAT(message_for(fmt::format("int b; // gputest: {}\n", word)),
               ContainsSubstring(":1:11: error: after 'gputest:' comes 'ignore', 'ignore-begin'"));
  CHECK_THAT(message_for("int b; // gputest: ignore[ ] all\n"),
             ContainsSubstring("the brackets name nothing"));
  CHECK_THAT(message_for("int b; // gputest: ignore [gpus]\n"), ContainsSubstring("'gpus'"));
  for (const char* text :
       {"// gputest: ignore[gpu] fine", "//gputest:ignore [gpu] fine", "/* gputest: ignore fine */",
        "// gputest: ignore: fine", "// gputest: other words"})
    CHECK(message_for(fmt::format("int b; {}\n", text)) == "");
  std::filesystem::remove(file);
}

TEST_CASE("A long text of a mutant is shown by its ends and its change", "[mutation]") {
  using gputest::passes::mutation::shown;
  CHECK(shown("a + b", "a - b") == std::pair<std::string, std::string>("a + b", "a - b"));
  std::string sum = "x";
  for (int i = 0; i < 400; ++i)
    sum += " + €"; // of 3 bytes
  std::string other = sum;
  other[other.size() / 2 / 6 * 6 + 2] = '*';
  const auto [text, replacement] = shown(sum, other);
  CHECK(text.size() < 450);
  CHECK(replacement.find("€ * € +") != std::string::npos);
  CHECK(text.find("€ * €") == std::string::npos);
  CHECK(replacement.starts_with("x + €"));
  CHECK(replacement.ends_with("€ + €"));
  for (const std::string& part : {text, replacement}) { // no character is cut
    std::string left = part;
    for (const std::string whole : {"€", "…"})
      for (std::size_t at = 0; (at = left.find(whole)) != std::string::npos;)
        left.erase(at, whole.size());
    CHECK(std::ranges::all_of(left, [](char c) { return c >= ' '; }));
  }
  CHECK(shown(sum, "").second.empty());
  CHECK(shown(sum, "x").second == "x");
}
