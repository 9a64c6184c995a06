// Buffers that may be null, and global offsets.
#include "tests/catch.h"
#include "tests/testgen/kernel_files.h"
#include "tests/testgen/solver.h"

#include "model/files.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

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
  CHECK(std::ranges::any_of(
      nullable.guards, [](const Guard& guard) { return guard.condition == "bodies == NULL"; }));
  CHECK_THAT(cmake_text(trusting, given, nullable, {.name = "contents", .base = "/"}),
             ContainsSubstring("ARGUMENTS \"bodies:nullable,size=n\" \"out:size=global_size(0)\""));
  given.arguments = {"n:nullable"};
  CHECK_THROWS_WITH(generate(trusting, given, {}),
                    ContainsSubstring("'n:nullable': 'n' is no buffer, and cannot be null"));
}
