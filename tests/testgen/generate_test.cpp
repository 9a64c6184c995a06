// Kernels with conditions that each stage must reach, from nothing but their source.
#include "tests/catch.h"
#include "tests/testgen/solver.h"

#include "model/files.h"
#include "runtime/cases/scalar.h"
#include "testgen/inputs/mutator.h"
#include "testgen/inputs/shapes.h"
#include "testgen/solve/z3_process.h"
#include "tests/environment.h"
#include "tests/testgen/kernel_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
using gputest::tests::StartsWith;
namespace fs = std::filesystem;

namespace {

std::string open_of(const Target& of, const Generated& generated) {
  std::string text;
  for (const OpenGoal& goal : generated.open)
    text += message_of(goal.goal, of.sites) + "\n";
  return text;
}

nlohmann::json first_case(const Generated& generated) {
  return nlohmann::json::parse(gputest::model::read_text(generated.written.front().file).value());
}

} // namespace

TEST_CASE("Every outcome that an input can have is reached") {
  std::vector<const char*> files{"constants.cl", "contents.cl", "loops.cl", "matrix.cl",
                                 "picture.cl",   "nulls.cl",    "nulls.cu"};
  if (!solver_program().empty()) // with Z3
    files.insert(files.end(), {"arithmetic.cl", "sizes.cl"});
  for (const char* file : files) {
    INFO(file);
    const Folder folder;
    const Target kernel = target(file);
    Settings given = settings(folder);
    given.seconds = 120;
    const Generated generated = generate(kernel, given, {});
    CHECK(open_of(kernel, generated).empty());
    CHECK(generated.reached == generated.goals.size());
    REQUIRE_FALSE(generated.written.empty());
    CHECK(std::ranges::any_of(generated.written, [](const Written& written) {
      const auto json = nlohmann::json::parse(gputest::model::read_text(written.file).value());
      return json["global_size"] != json["local_size"]; // more than one group
    }));
  }
}

TEST_CASE("The same seed writes the same files, and what is there is not written again") {
  const Folder one, two;
  const Target kernel = target("contents.cl");
  const Generated first = generate(kernel, settings(one), {});
  generate(kernel, settings(two), {});
  const std::string written = content_of(one.path);
  CHECK(written == content_of(two.path));

  const Generated again = generate(kernel, settings(one), {});
  CHECK(again.written.empty());
  CHECK(again.reached_before == first.reached);
  CHECK(content_of(one.path) == written);
}

TEST_CASE("Sizes are found, and inputs follow them") {
  const Folder folder;
  const Target kernel = target("matrix.cl");
  const Generated generated = generate(kernel, settings(folder), {});
  const std::string text =
      cmake_text(kernel, settings(folder), generated, {.name = "rows", .base = "/"});
  CHECK_THAT(text, ContainsSubstring("row_start:size=rows+1"));
  CHECK_THAT(text, ContainsSubstring("sums:size=rows\""));
  CHECK_THAT(text, ContainsSubstring("transposed:size=rows*width"));
}

TEST_CASE("Inputs with which a kernel is at fault are no tests, and the condition is told") {
  const Folder folder;
  const Target kernel = target("unguarded.cl");
  const Generated generated = generate(kernel, settings(folder), {});
  CHECK(generated.open.empty());
  REQUIRE(generated.guards.size() >= 1);
  CHECK(generated.guards.front().finding.kind == "race");
  CHECK_THAT(generated.guards.front().condition, StartsWith("width < global_size(0)"));
  const auto json = first_case(generated);
  CHECK((json["global_size"][1] == 1 || json["arguments"]["width"] >= json["global_size"][0]));
}

TEST_CASE("A kernel that is at fault with every input blocks its outcomes, and says why once") {
  const Folder folder;
  const Target kernel = target("always.cl");
  const Generated generated = generate(kernel, settings(folder), {});
  CHECK(generated.written.empty());
  CHECK(generated.open.empty());
  CHECK(generated.blocked.size() == generated.goals.size());
  CHECK_THAT(generated.always_at_fault, StartsWith("always.cl:6:"));
  CHECK_THAT(generated.always_at_fault,
             ContainsSubstring("the smallest input with it: global size 1, local size 1, "));
  for (const OpenGoal& blocked : generated.blocked)
    CHECK_THAT(blocked.why, StartsWith("the kernel is at fault with every input: always.cl:6:"));
}

TEST_CASE("Behind a fault that is assumed to be fixed, cases are marked and record nothing") {
  const Folder folder;
  const Target kernel = target("always.cl");
  Settings given = settings(folder);
  given.assume_fixed = true;
  const Generated generated = generate(kernel, given, {});
  CHECK(generated.reached == generated.goals.size());
  CHECK(generated.behind_faults == generated.goals.size());
  REQUIRE_FALSE(generated.written.empty());
  for (const Written& written : generated.written) {
    CHECK_FALSE(written.recorded);
    const auto json = nlohmann::json::parse(gputest::model::read_text(written.file).value());
    CHECK_FALSE(json.contains("expected"));
    CHECK_THAT(json["generated"]["assumes_fixed"][0].get<std::string>(),
               StartsWith("always.cl:6:"));
    CHECK(json["global_size"][0] <= 4); // it is shrunk, too
  }

  // Where a case without a fault reaches it, there is none with one.
  const Folder other;
  given.output = other.path;
  const Generated guarded = generate(target("unguarded.cl"), given, {});
  CHECK(guarded.behind_faults == 0);
}

TEST_CASE("A guard that is missing is told once, with the condition") {
  const Folder folder;
  const Target kernel = target("no_guard.cl");
  Settings given = settings(folder);
  given.arguments = {"y:size=n", "n=range(1,64)", "x:size=100"};
  const Generated generated = generate(kernel, given, {});
  CHECK(generated.open.empty());
  REQUIRE(generated.guards.size() == 1);
  CHECK(generated.guards.front().finding.kind == "out_of_bounds");
  CHECK(generated.guards.front().finding.site.line == 5);
  CHECK(generated.guards.front().condition.empty()); // it depends on 'a', too
  CHECK_THAT(generated.guards.front().finding.message, ContainsSubstring("of 'y'"));
  const Folder other;
  Settings positive = settings(other);
  positive.arguments = {"y:size=n", "n=range(1,64)", "x:size=100", "a=range(1,2)"};
  CHECK(generate(kernel, positive, {}).guards.at(0).condition == "n < global_size(0)");
  const std::string text = cmake_text(kernel, given, generated, {.name = "k", .base = "/"});
  CHECK(text.find("x:size") == text.rfind("x:size"));
}

TEST_CASE("Launches and sizes are ragged, unequal and of several groups") {
  const Target kernel = target("ragged.cl");
  const Constraints none;
  const std::vector<Shape> shapes = shapes_of(kernel, none);
  REQUIRE(shapes.size() > 8);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(shapes[i].group_count() > 1);
  const auto any = [&](auto&& is) { return std::ranges::any_of(shapes, is); };
  CHECK(any([](const Shape& shape) { return shape.global[0] % 8 == 7 && shape.global[0] > 8; }));
  CHECK(any([](const Shape& shape) { return shape.local[0] == 12 && shape.local[1] == 2; }));
  CHECK(any([](const Shape& shape) {
    return shape.global[0] != shape.global[1] && shape.groups()[0] > 1 && shape.groups()[1] > 1;
  }));
  for (const std::int64_t size : {0, 1, 11, 13, 7})
    CHECK(std::ranges::count(ragged_sizes(kernel, shapes.front(), 0), size) == 1);

  // Each work-item of the tiles' edges is somebody's.
  const Folder folder;
  const Generated generated = generate(kernel, settings(folder), {});
  CHECK(open_of(kernel, generated).empty());
  Constraints said;
  said.add_requirement(kernel, "local_size(0) == 41");
  CHECK(std::ranges::any_of(shapes_of(kernel, said),
                            [](const Shape& shape) { return shape.local[0] == 41; }));
  Constraints oblong;
  oblong.add_requirement(kernel, "local_size(0) == 16 && local_size(1) == 4");
  CHECK(std::ranges::any_of(shapes_of(kernel, oblong), [](const Shape& shape) {
    return shape.local[0] == 16 && shape.local[1] == 4;
  }));
}

TEST_CASE("Groups larger than a tile leave work-items of theirs out") {
  const Folder folder;
  Settings given = settings(folder);
  given.criteria = {gputest::model::Criterion::Loop};
  const Generated generated = generate(target("halo.cl"), given, {});
  CHECK(generated.open.empty());
  CHECK(generated.impossible.empty());
  CHECK(generated.reached == generated.goals.size());
}

TEST_CASE("Cases whose outputs say little are told, also those of people") {
  const Folder folder, own;
  const Target kernel = target("loops.cl");
  const auto write = [&](const char* name, const char* n, const char* expected) {
    gputest::model::write_atomically(
        own.path / (std::string(name) + ".json"),
        fmt::format(R"({{"name": "{}", "global_size": [4], "local_size": [2],
                         "arguments": {{"out": [1, 1, 1, 1], "n": {}}}, "expected": {{"out": {}}}}})",
                    name, n, expected));
  };
  write("telling", "2", "[2, 3, 4, 5]");
  const Target constant = target("weak.cl", "constant_output"),
               untouched = target("weak.cl", "untouched");
  Settings given = settings(folder);
  given.cases = {own.path / "telling.json"};
  CHECK(generate(kernel, given, {}).notes.empty());

  const Generated of_constant = generate(constant, settings(folder), {});
  REQUIRE_FALSE(of_constant.written.empty());
  CHECK(of_constant.written.front().weak == "each output is one value, or is what it was before");
  const Generated of_untouched = generate(untouched, settings(folder), {});
  REQUIRE_FALSE(of_untouched.written.empty());
  CHECK(of_untouched.written.front().weak == "no value that the kernel reads changes its outputs");
  given.cases = {of_untouched.written.front().file};
  given.output = own.path / "none";
  const Generated again = generate(untouched, given, {});
  REQUIRE(again.notes.size() == 1);
  CHECK_THAT(again.notes.front(), StartsWith("weak: case 'untouched-"));
}

TEST_CASE("What a person says holds for every input") {
  const Folder folder;
  const Target kernel = target("loops.cl");
  Settings given = settings(folder);
  given.arguments = {"n=range(2,9)"};
  given.requirements = {"n != global_size(0)"};
  Generated generated = generate(kernel, given, {});
  for (const Written& written : generated.written) {
    const auto json = nlohmann::json::parse(gputest::model::read_text(written.file).value());
    CHECK(json["arguments"]["n"] >= 2);
    CHECK(json["arguments"]["n"] <= 9);
    CHECK(json["arguments"]["n"] != json["global_size"][0]);
  }
  if (!solver_program().empty()) // with Z3: the loop's counter is never more than n
    CHECK(generated.open.empty());
  std::ranges::move(generated.impossible, std::back_inserter(generated.open));
  CHECK_THAT(open_of(kernel, generated), ContainsSubstring("'turns == 17' true"));
}

TEST_CASE("What is not reached is said, and what is impossible is proved") {
  const Folder folder;
  Settings given = settings(folder);
  given.seconds = 20;
  const Target impossible = target("impossible.cl", "impossible");
  Generated of_impossible = generate(impossible, given, {});
  if (!solver_program().empty()) { // with Z3
    CHECK(of_impossible.open.empty());
    CHECK(of_impossible.impossible.size() == 1);
  }
  std::ranges::move(of_impossible.impossible, std::back_inserter(of_impossible.open));
  CHECK_THAT(open_of(impossible, of_impossible), ContainsSubstring("'square % 4 == 2' true"));

  if (!solver_program().empty()) {
    const Generated of_grouped = generate(target("impossible.cl", "grouped"), given, {});
    CHECK(of_grouped.open.empty());
    CHECK(of_grouped.impossible.size() == 1);
  }

  const Target faulty = target("impossible.cl", "faulty");
  const Generated generated = generate(faulty, given, {});
  CHECK(generated.guards.size() == 1);
  CHECK(generated.guards.front().condition == "global_size(0) > 1");
}

TEST_CASE("What was proved or given up is not looked for again", "[needs][needs-solver]") {
  const Folder folder, cache;
  const bool solver = GENERATE(true, false);
  if (solver)
    gputest::tests::require_solver();
  std::map<std::string, std::string> variables{{"GPUTEST_CACHE_DIR", cache.path.string()}};
  if (!solver)
    variables["GPUTEST_SOLVER"] = "/no/such/program";
  const gputest::tests::Environment environment(variables);
  Settings given = settings(folder);
  given.seconds = 20;
  const Target kernel = target("impossible.cl", "impossible");
  const Generated first = generate(kernel, given, {});
  CHECK(first.impossible.size() == (solver ? 1 : 0));
  CHECK(first.open.size() == (solver ? 0 : 1));
  CHECK(!first.written.empty());
  CHECK(first.notes.empty());

  const auto known = [&](const Settings& settings) {
    const Generated again = generate(kernel, settings, {});
    CHECK(again.written.empty());
    CHECK(again.reached == first.reached);
    CHECK(again.impossible.size() == first.impossible.size());
    CHECK(open_of(kernel, again) == open_of(kernel, first));
    CHECK(again.notes.size() == (solver ? 0 : 1));
    return 5 * again.launches < first.launches;
  };
  CHECK(known(given));
  Settings less = given;
  less.seconds = 10;
  CHECK(known(less));

  // Arrays of other kernels' cases beside them.
  gputest::model::write_atomically(folder.path / "another-1.data.npy", "no case has it");
  CHECK(known(given));

  Settings another = given;
  another.seed = 2;
  CHECK(5 * generate(kernel, another, {}).launches > first.launches);
  Settings more = given;
  more.seconds = 23; // a tenth more is about as long
  if (!solver)
    CHECK(5 * generate(kernel, more, {}).launches > first.launches);
  for (const auto& file : std::filesystem::directory_iterator(folder.path))
    std::filesystem::remove(file.path()); // what they reach has to be looked for
  CHECK(!generate(kernel, given, {}).written.empty());
}

TEST_CASE("Scalars are tied to each other and to the launch") {
  const Target kernel = target("tied.cl");
  Constraints limited;
  limited.add_argument(kernel, "passes=range(1,9)");
  const Constraints none;
  Mutator any(kernel, none, 1), within(kernel, limited, 1);
  const auto number = [](const Input& input, std::size_t position) {
    return gputest::runtime::read_integer(gputest::model::Scalar::Int,
                                          input.arguments[position].bytes.data());
  };
  std::size_t right = 0, nearly = 0;
  for (std::size_t i = 0; i < 4000; ++i) {
    const Shape& shape = any.shapes()[i % any.shapes().size()];
    const Input input = any.tied(shape);
    right += number(input, 3) == 32 && number(input, 4) == 5;
    Input wrong = input;
    wrong.arguments[3].bytes.front() = std::byte{32};
    nearly += number(any.retied(wrong, shape), 4) == 5;
    const Input obeys = within.retied(within.tied(shape), shape);
    REQUIRE(limited.hold(kernel, obeys));
  }
  CHECK(right >= 3);
  CHECK(nearly >= 50);
}

TEST_CASE("Local sizes of tiles that are no squares are tried") {
  const Target kernel = target("tiles.cl");
  CHECK(std::ranges::any_of(shapes_of(kernel, {}), [](const Shape& shape) {
    return shape.local[0] == 16 && shape.local[1] == 4;
  }));
}

TEST_CASE("Launches that do not end are left behind") {
  const Folder folder;
  Settings given = settings(folder);
  given.seconds = 12;
  given.criteria = {gputest::model::Criterion::Loop};
  const Target kernel = target("impossible.cl", "endless");
  const Generated generated = generate(kernel, given, {});
  CHECK(generated.endless > 0);
  // It is nothing but them, and does not look on. Most have a 32nd of the steps.
  CHECK(generated.endless_in_all < 20);
  CHECK(generated.endless < 400);
  CHECK(generated.reached >= 2);
}

TEST_CASE("Settings that do not fit the kernel are refused") {
  const Folder folder;
  const Target kernel = target("loops.cl");
  const auto refusal = [&](const auto& change) -> std::string {
    Settings given = settings(folder);
    change(given);
    try {
      generate(kernel, given, {});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(refusal([](Settings& s) { s.arguments = {"m=range(1,2)"}; }),
             ContainsSubstring("has no argument 'm'"));
  CHECK_THAT(refusal([](Settings& s) { s.arguments = {"n=range(3,2)"}; }),
             ContainsSubstring("range(lowest,highest)"));
  CHECK_THAT(refusal([](Settings& s) { s.arguments = {"n=values(1,x)"}; }),
             ContainsSubstring("'x' is no number"));
  CHECK_THAT(refusal([](Settings& s) { s.arguments = {"n:size=n+1"}; }),
             ContainsSubstring("neither a buffer nor __local memory"));
  CHECK_THAT(refusal([](Settings& s) { s.arguments = {"out:size=out[0]"}; }),
             ContainsSubstring("depends on itself"));
  CHECK_THAT(refusal([](Settings& s) { s.requirements = {"n <"}; }),
             ContainsSubstring("is expected"));
  CHECK_THAT(refusal([](Settings& s) {
               s.global_size = {6};
               s.local_size = {4};
             }),
             ContainsSubstring("no multiple of the local size"));
}

TEST_CASE("A requirement that nothing satisfies leaves everything open") {
  const Folder folder;
  Settings given = settings(folder);
  given.requirements = {"n > 3 && n < 2"};
  given.seconds = 5;
  const Target kernel = target("loops.cl");
  const Generated generated = generate(kernel, given, {});
  CHECK(generated.written.empty());
  CHECK(generated.open.size() == generated.goals.size());
}

TEST_CASE("What ARGUMENTS and REQUIRE say is used in proofs", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Folder folder;
  Settings limited = settings(folder);
  limited.arguments = {"mode=values(0,1)", "rate=range(0.5,2)"};
  limited.requirements = {"n == global_size(0) && local_size(0) <= 4"};
  const Generated generated = generate(target("required.cl", "required"), limited, {});
  CHECK(generated.open.empty());
  std::set<unsigned> lines;
  for (const OpenGoal& impossible : generated.impossible) {
    const auto& sites = target("required.cl", "required").sites;
    CHECK(text_of(impossible.goal, sites).ends_with(" true"));
    CHECK_THAT(impossible.why, ContainsSubstring("that are allowed"));
    lines.insert(sites.sites[impossible.goal.site].line);
  }
  CHECK(lines == std::set<unsigned>{4, 6, 8, 10});

  // Nothing of it holds where nobody says so.
  const Folder other;
  CHECK(generate(target("required.cl", "required"), settings(other), {}).impossible.empty());
}

TEST_CASE("A loop that cannot be left out is proved to run", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Folder folder;
  const Target kernel = target("required.cl", "entered");
  const Generated generated = generate(kernel, settings(folder), {});
  CHECK(generated.open.empty());
  REQUIRE(generated.impossible.size() == 1);
  CHECK(text_of(generated.impossible.front().goal, kernel.sites) == "20:5 for zero");
  CHECK_THAT(generated.impossible.front().why, ContainsSubstring("fewer than 2^31 work-items"));
}

TEST_CASE("Both sides of && are solved, for sizes of the launch, too", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Folder folder;
  const Generated generated = generate(target("conditions.cl", "sized"), settings(folder), {});
  CHECK(generated.open.empty());
  CHECK(generated.reached == generated.goals.size());
}
