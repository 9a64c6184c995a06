// Buffers that may be null, and global offsets.
#include "tests/catch.h"
#include "tests/testgen/kernel_files.h"
#include "tests/testgen/solver.h"

#include "model/files.h"
#include "testgen/fuzz.h"
#include "testgen/generation/known_ends.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
using Json = nlohmann::json;

namespace {

Json json_of(const std::filesystem::path& file) {
  return Json::parse(gputest::model::read_text(file).value());
}

} // namespace

TEST_CASE("A buffer whose pointer the kernel compares with null is null in some cases") {
  const Folder folder;
  const Generated generated = generate(target("nulls.cl"), settings(folder), {});
  std::set<std::pair<std::string, bool>> seen; // arguments, and whether they were null
  for (const Written& written : generated.written) {
    const auto json = nlohmann::json::parse(gputest::model::read_text(written.file).value());
    for (const auto& [name, value] : json["arguments"].items()) {
      seen.emplace(name, value.is_null());
      CHECK((!value.is_null() || !json.contains("expected") || !json["expected"].contains(name)));
    }
  }
  for (const char* name : {"mask", "weights", "errors"}) {
    INFO(name);
    CHECK(seen.contains({name, true}));
    CHECK(seen.contains({name, false}));
  }
  CHECK_FALSE(seen.contains({"out", true}));
  CHECK_FALSE(seen.contains({"n", true}));

  // What has been written reaches the same again.
  const Generated again = generate(target("nulls.cl"), settings(folder), {});
  CHECK(again.written.empty());
  CHECK(again.reached_before == generated.reached);
}

TEST_CASE("A kernel that asks for its global offset gets some", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Folder folder;
  const Target kernel = target("offsets.cl", "offsets");
  const Generated generated = generate(kernel, settings(folder), {});
  CHECK(not_reached(generated).empty());
  CHECK(generated.reached == generated.goals.size());
  std::size_t with = 0;
  for (const Written& written : generated.written) {
    const auto json = nlohmann::json::parse(gputest::model::read_text(written.file).value());
    if (!json.contains("global_offset"))
      continue;
    ++with;
    CHECK(json["global_offset"].size() == json["global_size"].size());
    if (json["global_offset"][0] == 12345)
      CHECK(json["global_offset"][1] == 0); // what is not needed is 0
  }
  CHECK(with > 0);
  const Generated again = generate(kernel, settings(folder), {});
  CHECK(again.written.empty());
  CHECK(again.reached_before == generated.reached);
}

TEST_CASE("A requirement gives other kernels a global offset", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Folder folder, none;
  const Target kernel = target("offsets.cl", "far");
  CHECK(not_reached(generate(kernel, settings(none), {})).size() == 1);
  Settings given = settings(folder);
  given.requirements = {"global_offset(0) % 1000 == 0"};
  const Generated generated = generate(kernel, given, {});
  CHECK(not_reached(generated).empty());
  for (const Written& written : generated.written) {
    const auto json = nlohmann::json::parse(gputest::model::read_text(written.file).value());
    if (json.contains("global_offset"))
      CHECK(json["global_offset"][0].get<int>() % 1000 == 0);
  }
}

TEST_CASE("A requirement may give the one offset that launches have") {
  const Folder folder;
  Settings given = settings(folder);
  given.requirements = {"global_offset(0) == 65536"};
  const Generated generated = generate(target("shifted.cl"), given, {});
  CHECK_FALSE(generated.written.empty());
  for (const Written& written : generated.written)
    CHECK(json_of(written.file)["global_offset"][0] == 65536);

  given.requirements = {"global_offset(0) == 65536 && global_offset(0) == 3"};
  given.seconds = 5;
  CHECK(generate(target("shifted.cl"), given, {}).written.empty());
}

TEST_CASE("Where cases have an offset by default, a case without one says so") {
  const Folder folder;
  Settings given = settings(folder);
  given.case_global_offset = {8};
  given.requirements = {"global_offset(0) == 0"};
  given.seconds = 5;
  const Target kernel = target("shifted.cl");
  const Generated generated = generate(kernel, given, {});
  CHECK(generated.reached == 1);
  for (const Written& written : generated.written)
    CHECK(json_of(written.file)["global_offset"][0] == 0);
  const Generated again = generate(kernel, given, {});
  CHECK(again.written.empty());
  CHECK(again.reached_before == 1);

  FuzzSettings settings;
  settings.arguments = {"n=range(1,50)", "data:size=n"};
  settings.case_global_offset = {8};
  settings.output = folder.path / "fuzz";
  settings.seconds = 60;
  settings.most_failures = 1;
  const Target outside = target("faults.cl", "outside");
  const Fuzzed fuzzed = fuzz(outside, settings, {}, [](const Failure&) {});
  REQUIRE(fuzzed.failures.size() == 1);
  CHECK(json_of(fuzzed.failures[0].file)["global_offset"][0] == 0);
  settings.replay = {fuzzed.failures[0].file};
  CHECK(fuzz(outside, settings, {}, [](const Failure&) {}).failures.size() == 1);
}

TEST_CASE("What only launches with an offset reach is impossible where no case has one",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  const Folder folder, cases;
  const Target kernel = target("shifted.cl");
  Settings given = settings(folder);
  given.requirements = {"n > 0"};
  CHECK(generate(kernel, given, {}).impossible.size() == 1);
  given.case_global_offset = {0};
  CHECK(generate(kernel, given, {}).impossible.size() == 1);
  given.case_global_offset = {8};
  CHECK(generate(kernel, given, {}).impossible.empty());

  given = settings(cases);
  given.requirements = {"n > 0"};
  given.seconds = 10;
  const auto write = [&](const char* offset) {
    gputest::model::write_atomically(cases.path / "mine" / "case.json",
                                     R"({"name": "mine", "global_size": [2], "global_offset": [)" +
                                         std::string(offset) +
                                         R"(], "arguments": {"out": [0, 0], "n": 1}})");
  };
  std::filesystem::create_directories(cases.path / "mine");
  given.cases = {cases.path / "mine" / "case.json"};
  write("0");
  CHECK(generate(kernel, given, {}).impossible.size() == 1);
  write("1");
  const Generated shifted = generate(kernel, given, {});
  CHECK(shifted.impossible.empty());
  CHECK(shifted.reached == 2);
}

TEST_CASE("What is given up with one launch is not given up with another") {
  const Folder folder;
  const Target kernel = target("shifted.cl");
  const auto ends = [&](std::vector<std::size_t> local, std::vector<std::size_t> offset) {
    Settings given = settings(folder);
    given.requirements = {folder.path.string()}; // no other run's
    given.case_local_size = std::move(local);
    given.case_global_offset = std::move(offset);
    return KnownEnds(kernel, given, false);
  };
  ends({2}, {}).keep_given_up({{1, "why"}}, {});
  if (!ends({2}, {}).given_up({}))
    return; // there is no cache
  CHECK_FALSE(ends({}, {2}).given_up({}));
  CHECK_FALSE(ends({}, {}).given_up({}));
}

TEST_CASE("Conditions of findings say which pointers are null") {
  for (const auto& [kernel, conditions] :
       {std::pair{"without",
                  std::vector<std::string>{"n > 7 && mask == NULL", "n >= 8 && mask == NULL"}},
        {"with", {"mask != NULL"}},
        {"beyond", {"n > 5 && mask == NULL", "n >= 6 && mask == NULL"}}}) {
    INFO(kernel);
    const Folder folder;
    const Generated generated =
        generate(target("null_conditions.cl", kernel), settings(folder), {});
    REQUIRE(generated.guards.size() == 1);
    INFO(generated.guards.front().condition);
    CHECK(std::ranges::find(conditions, generated.guards.front().condition) != conditions.end());
  }
}

TEST_CASE("A read through a pointer that the kernel has compared with null is a finding") {
  const Folder folder;
  const Target kernel = target("nulls.cu", "careless");
  const Generated generated = generate(kernel, settings(folder), {});
  REQUIRE(generated.guards.size() == 1);
  CHECK(generated.guards.front().finding.kind == "null_pointer");
  CHECK(generated.guards.front().condition == "mask == NULL");
  CHECK_THAT(generated.guards.front().finding.message,
             ContainsSubstring("reads 4 bytes through a null pointer, the argument 'mask'"));
  for (const Written& written : generated.written)
    CHECK_FALSE(
        nlohmann::json::parse(gputest::model::read_text(written.file).value())["arguments"]["mask"]
            .is_null());

  // A requirement keeps it from being null.
  const Folder sound;
  Settings given = settings(sound);
  given.requirements = {"size(mask) >= 1"};
  CHECK(generate(kernel, given, {}).guards.empty());

  // A user may say that a pointer may be null with which the kernel does not reckon.
  const Folder other;
  given = settings(other);
  given.arguments = {"bodies:nullable"};
  const Target trusting = target("contents.cl");
  CHECK(
      std::ranges::none_of(generate(trusting, settings(sound), {}).guards, [](const Guard& guard) {
        return guard.finding.kind == "null_pointer";
      }));
  const Generated nullable = generate(trusting, given, {});
  CHECK(std::ranges::any_of(nullable.guards, [](const Guard& guard) {
    return guard.condition == "n > 0 && bodies == NULL";
  }));
  CHECK_THAT(cmake_text(trusting, given, nullable, {.name = "contents", .base = "/"}),
             ContainsSubstring("ARGUMENTS \"bodies:nullable,size=n\" \"out:size=global_size(0)\""));
  given.arguments = {"bodies:nullable", "out:values=[1,2]"}; // values have a size of their own
  CHECK_THAT(cmake_text(trusting, given, nullable, {.name = "contents", .base = "/"}),
             ContainsSubstring("ARGUMENTS \"bodies:nullable,size=n\" \"out:values=[1,2]\" "));
  given.arguments = {"n:nullable"};
  CHECK_THROWS_WITH(generate(trusting, given, {}),
                    ContainsSubstring("'n:nullable': 'n' is no buffer, and cannot be null"));
}
