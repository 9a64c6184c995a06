// Mutants as goals: what cases that reach everything leave alive is killed.
#include "tests/catch.h"

#include "model/files.h"
#include "runtime/cases/scalar.h"
#include "tests/random_count.h"
#include "tests/testgen/kernel_files.h"
#include "tests/testgen/solver.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

namespace {

std::vector<std::string> left_of(const Generated& generated) {
  std::vector<std::string> left;
  for (const OpenGoal& goal : generated.mutants.value().left)
    left.push_back(goal.goal.mutant->text + " -> " + goal.goal.mutant->replacement);
  return left;
}

const model::Mutant& mutant(const Target& of, const std::string& text,
                            const std::string& replacement) {
  const auto& all = of.mutants->table.mutants;
  const auto found = std::ranges::find_if(all, [&](const model::Mutant& one) {
    return one.text == text && one.replacement == replacement;
  });
  REQUIRE(found != all.end());
  return *found;
}

Content ints(const std::vector<int>& values) {
  Content content;
  content.bytes.resize(4 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    runtime::store_integer(model::Scalar::Int, static_cast<std::uint64_t>(values[i]),
                           content.bytes.data() + 4 * i);
  return content;
}

// An input of bounds.cl, with four work-items.
Input input_of(const std::vector<int>& in, int n, int most, int shift) {
  return {.shape = {.dimensions = 1, .global = {4, 1, 1}, .local = {2, 1, 1}},
          .arguments = {ints(in), ints({0, 0, 0, 0}), ints({n}), ints({most}), ints({shift})}};
}

struct Trials {
  explicit Trials(Target what)
      : kernel(std::move(what)), cache(simulator::cache_folder()), original(kernel.original, cache),
        instrumented(kernel.instrumented, cache), mutants(program(kernel), cache),
        differences(program(kernel, kernel.mutants->differences.text), cache),
        worker(
            kernel,
            {.instrumented =
                 &instrumented.kernel({.kernel = kernel.kernel(),
                                       .checks = simulator::checks_named({"bounds", "arithmetic"}),
                                       .counts_steps = true}),
             .checked = &original.kernel(
                 {.kernel = kernel.kernel(), .checks = simulator::checks_named({"races"})}),
             .ordered = nullptr,
             .mutants = &mutants.kernel({.kernel = kernel.kernel(), .counts_steps = true}),
             .differences = &differences.kernel({.kernel = kernel.kernel(), .counts_steps = true}),
             .table = &kernel.mutants->table},
            {.steps = 100'000'000, .seconds = 5}) {}

  static ir::Source program(const Target& of) { return program(of, of.mutants->text); }
  static ir::Source program(const Target& of, const std::string& text) {
    ir::Source source = of.original;
    source.text = text;
    return source;
  }

  Fate of(const Input& input, const std::string& text, const std::string& replacement,
          const Oracle& oracle = {}) {
    const std::vector<const model::Mutant*> one{&mutant(kernel, text, replacement)};
    return worker.try_mutants(input, oracle, one, true).at(0);
  }

  Target kernel;
  simulator::Cache cache;
  simulator::Program original, instrumented, mutants, differences;
  Worker worker;
};

} // namespace

TEST_CASE("Cases that reach every outcome leave mutants alive, and MUTANTS kills them") {
  const Folder folder;
  const Target kernel = target("bounds.cl", "", true);
  const Generated outcomes = generate(target("bounds.cl"), settings(folder), {});
  CHECK(outcomes.open.empty());
  CHECK_FALSE(outcomes.mutants);

  const Generated generated = generate(kernel, settings(folder), {});
  REQUIRE(generated.mutants);
  CHECK(generated.reached_before == generated.goals.size());
  CHECK(generated.mutants->killed_before > 0);
  CHECK(generated.mutants->killed_before < generated.mutants->killed);
  const std::vector<std::string> left = left_of(generated);
  for (const char* killed : {"value > most -> value >= most", "i >= n -> i > n"})
    CHECK(std::ranges::find(left, killed) == left.end());
  CHECK(generated.mutants->killed + left.size() == generated.mutants->goals);

  std::size_t kills = 0;
  for (const Written& written : generated.written) {
    CHECK(written.goals.empty());
    CHECK_THAT(written.file.filename().string(), ContainsSubstring("bounds-kills-"));
    const auto json = nlohmann::json::parse(model::read_text(written.file).value());
    kills += json["generated"]["kills"].size();
    CHECK(json["generated"]["kills"].size() == written.kills.size());
  }
  CHECK(kills == generated.mutants->killed - generated.mutants->killed_before);

  const Generated again = generate(kernel, settings(folder), {});
  CHECK(again.written.empty());
  CHECK(again.mutants->killed_before == generated.mutants->killed);
}

TEST_CASE("Where a mutant differs for one number alone, that number is solved for") {
  const Folder folder;
  Settings given = settings(folder);
  given.seconds = 30;
  const Target kernel = target("close.cl", "", true);
  const Generated generated = generate(kernel, given, {});
  const std::vector<std::string> left = left_of(generated);
  CHECK(std::ranges::find(left, "mixed > 0x9e3779b9u -> mixed >= 0x9e3779b9u") == left.end());
}

TEST_CASE("A value that differs is carried on to an output, and constants are compared, too",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Folder folder;
  Settings given = settings(folder);
  given.global_size = {2};
  given.local_size = {1};
  const char* const file = GENERATE("hidden.cl", "hidden.cu");
  CAPTURE(file);
  if (std::string_view(file) == "hidden.cu" && !gputest::tests::is_long_run())
    return;                                     // which takes three times as long
  const Target kernel = target(file, "", true); // has the mutants that are looked at below
  const Generated generated = generate(kernel, given, {});
  for (const OpenGoal& goal : generated.mutants.value().left) {
    INFO(goal.goal.mutant->text);
    CHECK(std::string_view(file) == "hidden.cu"); // launches of other sizes show these
    CHECK((goal.goal.mutant->text == "hidden" || goal.goal.mutant->text.starts_with("blockIdx")));
  }
  CHECK(std::ranges::any_of(generated.mutants.value().equivalent, [](const OpenGoal& one) {
    return one.goal.mutant->text == "7" && one.goal.mutant->replacement == "6";
  }));
}

TEST_CASE("The same seed kills mutants with the same files") {
  const Folder one, two;
  const Target kernel =
      target(gputest::tests::is_long_run() ? "bounds.cl" : "unguarded.cl", "", true);
  generate(kernel, settings(one), {});
  generate(kernel, settings(two), {});
  CHECK(content_of(one.path) == content_of(two.path));
}

TEST_CASE("A mutant dies of an output that differs, and of harm, where it is reached") {
  Trials trials(target("bounds.cl", "", true));
  const Input apart = input_of({1, 9, 5, 7}, 4, 5, 1);
  const Input equal = input_of({1, 9, 6, 7}, 4, 5, 0);
  CHECK(trials.of(apart, "value > most", "value >= most") == Fate::Killed);
  CHECK(trials.of(equal, "value > most", "value >= most") == Fate::Survived);
  CHECK(trials.of(apart, "max(value, 3) + shift", "max(value, 3) - shift") == Fate::Killed);
  CHECK(trials.of(equal, "max(value, 3) + shift", "max(value, 3) - shift") == Fate::Survived);
  CHECK(trials.of(input_of({}, 0, 5, 1), "value > most", "value >= most") == Fate::NotReached);

  // Reads and writes past the end of both buffers, where the original does not.
  Input short_one = input_of({1, 9, 5}, 3, 5, 1);
  short_one.arguments[1] = ints({0, 0, 0});
  CHECK(trials.of(short_one, "i >= n", "i > n") == Fate::Killed);
}

TEST_CASE("Kills are what the test would notice") {
  Trials trials(target("bounds.cl", "", true));
  const Input input = input_of({1, 9, 5, 7}, 4, 5, 1);
  // Each output is 2 less.
  CHECK(trials.of(input, "max(value, 3) + shift", "max(value, 3) - shift",
                  {.tolerance = {.absolute = 2}}) == Fate::Differed);
  // Only what the case expects is looked at.
  Oracle nothing;
  nothing.right.resize(5);
  CHECK(trials.of(input, "max(value, 3) + shift", "max(value, 3) - shift", nothing) ==
        Fate::Differed);
  nothing.right[1] = ints({2, 2, 4, 2}).bytes; // what the mutant leaves is right
  CHECK(trials.of(input, "max(value, 3) + shift", "max(value, 3) - shift", nothing) ==
        Fate::Differed);
}

TEST_CASE("Whole numbers wrap around in mutants, so that their guards see every 0") {
  const Folder folder;
  Settings given = settings(folder);
  given.cases = {folder.path / "squares.json"};
  model::write_atomically(given.cases.front(), R"({"name": "wraps", "global_size": [4],
    "arguments": {"in": [1, 2, 1073741824, 3], "out": [0, 0, 0, 0]}})");
  const Generated generated = generate(target("conditions.cl", "squares", true), given, {});
  REQUIRE(generated.mutants);
  CHECK(generated.mutants->killed_before > generated.mutants->goals / 2);
}
