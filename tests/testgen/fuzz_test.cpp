// Planted faults that a fixed seed finds, and what is kept of them.
#include "tests/catch.h"

#include "model/files.h"
#include "testgen/fuzz.h"
#include "tests/testgen/kernel_files.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sys/wait.h>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

// Until the first failure is found; the time is for machines that have much else to do.
FuzzSettings looking(const Folder& folder, std::vector<std::string> arguments) {
  FuzzSettings settings;
  settings.arguments = std::move(arguments);
  settings.output = folder.path / "fuzz";
  settings.seconds = 60;
  settings.most_failures = 1;
  return settings;
}

FuzzSettings for_seconds(const Folder& folder, std::vector<std::string> arguments) {
  FuzzSettings settings = looking(folder, std::move(arguments));
  settings.seconds = 1;
  settings.most_failures = 8;
  return settings;
}

Fuzzed fuzzed(const char* kernel, const FuzzSettings& settings) {
  std::size_t told = 0;
  const Target what = target("faults.cl", kernel);
  Fuzzed all = fuzz(what, settings, {}, [&](const Failure&) { ++told; });
  CHECK(told == all.failures.size());
  return all;
}

Json json_of(const fs::path& file) {
  return Json::parse(gputest::model::read_text(file).value());
}

std::set<std::string> files_of(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file())
      names.insert(entry.path().filename().string());
  return names;
}

const std::vector<std::string> kSized{"n=range(0,50)", "data:size=n"};

} // namespace

TEST_CASE("An access out of bounds for one n is found, and is as small as it can be") {
  const Folder folder;
  const Fuzzed all = fuzzed("outside", looking(folder, {"n=range(1,50)", "data:size=n"}));
  REQUIRE(all.failures.size() == 1);
  CHECK(all.failures[0].kind == "out_of_bounds");
  CHECK_THAT(all.failures[0].message, ContainsSubstring("faults.cl:9:13: work-item (0) of group "
                                                        "(0) writes 4 bytes at byte 28"));
  const Json json = json_of(all.failures[0].file);
  CHECK(json["global_size"] == Json({1}));
  CHECK(json["arguments"]["n"] == 7);
  CHECK(json["arguments"]["data"].size() == 7);
  CHECK_THAT(json["generated"]["fails"].get<std::string>(),
             ContainsSubstring("which has 28 bytes"));
  CHECK(json["name"] == "outside-out_of_bounds");
}

TEST_CASE("A race is shrunk to two work-items") {
  const Folder folder;
  const Fuzzed all = fuzzed("racy", looking(folder, {"data:size=global_size(0)"}));
  REQUIRE(all.failures.size() == 1);
  CHECK(all.failures[0].kind == "race");
  const Json json = json_of(all.failures[0].file);
  CHECK(json["global_size"] == Json({2}));
  CHECK(json["arguments"]["mode"] == 3);
}

TEST_CASE("A loop that does not end is shrunk to what enters it") {
  const Folder folder;
  const Fuzzed all = fuzzed("endless", looking(folder, kSized));
  REQUIRE(all.failures.size() == 1);
  CHECK(all.failures[0].kind == "endless");
  CHECK_THAT(all.failures[0].message, ContainsSubstring("the kernel still runs after"));
  const Json json = json_of(all.failures[0].file);
  const auto data = json["arguments"]["data"].get<std::vector<int>>();
  CHECK(data.size() == json["arguments"]["n"]);
  CHECK(std::ranges::count_if(data, [](int x) { return x > 5 || x < 0; }) == 1);
}

TEST_CASE("A launch that the clock has ended is no failure, and is told") {
  const Folder folder;
  FuzzSettings settings = for_seconds(folder, {});
  settings.replay = {folder.path / "loops.json"};
  gputest::model::write_atomically(settings.replay.front(), R"({"name": "loops",
    "global_size": [1], "local_size": [1], "arguments": {"data": [10], "n": 1}})");
  CHECK(fuzzed("endless", settings).failures.at(0).kind == "endless");
  settings.limit = {.steps = gputest::simulator::kAnySteps / 10, .seconds = 0.02};
  const Fuzzed all = fuzzed("endless", settings);
  CHECK(all.failures.empty());
  CHECK(all.passed.empty());
  CHECK_THAT(all.notes.at(0), ContainsSubstring("launches that the clock has ended: 1."));
}

TEST_CASE("Failures of two kinds are two cases") {
  const Folder folder;
  std::set<std::string> kinds;
  for (int run = 0; run < 50 && kinds.size() < 2; ++run) // goes on where the one before has ended
    for (const Failure& failure : fuzzed("both", for_seconds(folder, kSized)).failures)
      kinds.insert(failure.kind);
  CHECK(kinds == std::set<std::string>{"out_of_bounds", "race"});
  CHECK(files_of(folder.path / "fuzz").size() == 2);
}

TEST_CASE("Nothing is found in a kernel without a fault, and the next run begins with the corpus") {
  const std::vector<std::string> arguments{"n=range(0,64)", "a:size=n", "out:size=n"};
  // A busy machine has few inputs in the time of a quiet one.
  std::optional<Folder> some;
  Fuzzed first;
  for (double seconds = 1; seconds < 500 && first.inputs <= 64; seconds *= 5) {
    some.emplace();
    FuzzSettings settings = for_seconds(*some, arguments);
    settings.seconds = seconds;
    first = fuzzed("sound", settings);
  }
  const Folder& folder = *some;
  CHECK(first.failures.empty());
  CHECK(first.inputs > 64);
  CHECK(first.reached == first.goals);
  CHECK(first.corpus == 0);
  CHECK(first.added > 0);
  CHECK(files_of(folder.path / "fuzz").empty());
  const fs::path corpus = folder.path / "fuzz/corpus";
  CHECK(files_of(corpus).size() == first.added);

  // What brings nothing is not kept.
  fs::copy_file(corpus / *files_of(corpus).begin(), corpus / "sound-copy.json");
  const Fuzzed second = fuzzed("sound", for_seconds(folder, arguments));
  CHECK(second.corpus == first.added);
  CHECK(second.added == 0);
  CHECK(files_of(corpus).size() == first.added);
}

TEST_CASE("The same seed finds the same, and another folder gets the same files") {
  const Folder one, two;
  const Fuzzed first = fuzzed("outside", looking(one, kSized));
  const Fuzzed second = fuzzed("outside", looking(two, kSized));
  REQUIRE(first.failures.size() == 1);
  REQUIRE(second.failures.size() == 1);
  CHECK(first.inputs == second.inputs);
  CHECK(json_of(first.failures[0].file) == json_of(second.failures[0].file));
}

TEST_CASE("What failed before is run first, and is no new case") {
  const Folder folder;
  const Fuzzed first = fuzzed("outside", looking(folder, kSized));
  REQUIRE(first.failures.size() == 1);
  const Fuzzed second = fuzzed("outside", looking(folder, kSized));
  REQUIRE(second.failures.size() == 1);
  CHECK(second.inputs == 1);
  CHECK(second.failures[0].known);
  CHECK(second.failures[0].file == first.failures[0].file);
  CHECK(files_of(folder.path / "fuzz").size() == 1);

  FuzzSettings replay = looking(folder, kSized);
  replay.replay = {first.failures[0].file};
  CHECK(fuzzed("outside", replay).failures.size() == 1);
  replay.arguments.clear();
  CHECK_THROWS_AS(fuzzed("racy", replay), NoInput); // which has no n
}

TEST_CASE("Where nobody says how large a buffer is, it is as large as it must be") {
  const Folder folder;
  CHECK(fuzzed("sound", for_seconds(folder, {"n=range(0,64)"})).failures.empty());
}

TEST_CASE("Requirements that nothing satisfies, and folders that cannot be written, are told") {
  const Folder folder;
  FuzzSettings settings = for_seconds(folder, kSized);
  settings.requirements = {"n > 60"};
  CHECK_THROWS_AS(fuzzed("outside", settings), NoInput);
  settings.requirements.clear();
  std::ofstream(folder.path / "file") << "";
  settings.output = folder.path / "file/fuzz";
  CHECK_THROWS_AS(fuzzed("outside", settings), fs::filesystem_error);
}

TEST_CASE("What was written when the process is killed is whole") {
  const Folder folder;
  const int process = ::fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    FuzzSettings settings = looking(folder, kSized);
    settings.most_failures = 99;
    const Target what = target("faults.cl", "outside");
    fuzz(what, settings, {}, [](const Failure&) {});
    ::_exit(0);
  }
  const fs::path corpus = folder.path / "fuzz/corpus";
  for (int i = 0; i < 3000 && (!fs::exists(corpus) || files_of(corpus).empty()); ++i)
    ::usleep(10'000);
  ::kill(process, SIGKILL);
  int status = 0;
  ::waitpid(process, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK_FALSE(files_of(corpus).empty());
  for (const fs::path& place : {corpus, folder.path / "fuzz"})
    for (const std::string& name : files_of(place))
      if (name.front() != '.') // not in place yet
        CHECK_NOTHROW(json_of(place / name));
}
