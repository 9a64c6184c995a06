// --shard of --schedules, --fuzz and --memory, and the run of the whole, in the simulator. The
// unsharded run says what the parts together must.
#include "tests/runtime/described_project.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

using namespace gputest;
using namespace gputest::tests;

namespace {

constexpr const char* kSimulator = "GPUTEST_SIMULATOR=" GPUTEST_SIMULATOR_PROGRAM;

DescribedProject scheduled_project(const std::string& body) {
  DescribedProject project(
      "kernel void k(global const int* in, global int* out) {\n" + body + "\n}\n", {"schedule"});
  project.description["global_size"] = {64};
  project.description["local_size"] = {16};
  project.description["device"] = "simulator";
  project.description["settings"]["schedules.strategy"] = "permute";
  for (const char* name : {"one", "two"})
    project.add_case(name, R"({"arguments": {"in": {"size": 64, "fill": "iota"},
                                             "out": {"size": 64}}})");
  return project;
}

std::string shard_file(const std::string& kind, unsigned number, unsigned of) {
  const std::string part = fmt::format("{}-of-{}", number, of);
  return fmt::format("shards/{}/{}-{}.json", part, kind, part);
}

} // namespace

TEST_CASE("shards of schedules part the orders, and together say what one run says") {
  DescribedProject project = scheduled_project("  const int i = get_global_id(0);\n"
                                               "  out[0] = in[i];\n"); // the last one wins
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "--schedules");
    const auto ran = project.run(options, kSimulator);
    INFO(ran.output);
    REQUIRE(ran.exit_code < 2);
    return ran;
  };
  CHECK(run({}).exit_code == 1);
  const auto alone = project.result("schedules.json");
  CHECK_FALSE(alone.contains("content"));

  project.description["settings"]["schedules.shards"] = "3";
  CHECK(run({"--shard", "1/3"}).exit_code == 0); // what it found, the whole says
  CHECK(run({"--shard", "3/3"}).exit_code == 0);
  const std::string kept = project.folder.read(shard_file("schedules", 1, 3));
  const auto ran = run({});
  CHECK(ran.exit_code == 1);
  CHECK_THAT(ran.output, ContainsSubstring("nothing is there of the shard 2/3"));
  CHECK_THAT(ran.output, !ContainsSubstring("shard 1/3") && !ContainsSubstring("shard 3/3"));
  CHECK(project.folder.read(shard_file("schedules", 1, 3)) == kept);
  const auto whole = project.result("schedules.json");
  REQUIRE(whole["cases"].size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(whole["cases"][i]["name"] == alone["cases"][i]["name"]);
    CHECK(whole["cases"][i]["verdict"] == "order dependent");
    CHECK(whole["cases"][i]["schedules"] == alone["cases"][i]["schedules"]);
    REQUIRE(whole["cases"][i]["findings"].size() == alone["cases"][i]["findings"].size());
    const auto& finding = whole["cases"][i]["findings"][0];
    CHECK(finding["kind"] == alone["cases"][i]["findings"][0]["kind"]);
    // It is a file of the whole, with which the finding is shown again.
    const auto file = project.folder.path() / finding["file"].get<std::string>();
    CHECK(run({"--schedule", file.string()}).exit_code == 1);
  }

  // Once more, and nothing counts twice.
  CHECK_THAT(run({}).output, !ContainsSubstring("nothing is there"));
  CHECK(project.result("schedules.json")["cases"] == whole["cases"]);
  // One that was cut off runs again.
  project.folder.write(shard_file("schedules", 2, 3), kept.substr(0, kept.size() / 2));
  CHECK_THAT(run({}).output, ContainsSubstring("nothing is there of the shard 2/3"));
  // Results of another case are of no use.
  project.folder.write("one.json",
                       R"({"arguments": {"in": {"size": 64, "fill": 7}, "out": {"size": 64}}})");
  const auto again = run({});
  for (const char* shard : {"1/3", "2/3", "3/3"})
    CHECK_THAT(again.output, ContainsSubstring(fmt::format("of the shard {}", shard)));
  CHECK(project.result("schedules.json")["cases"][0]["verdict"] == "held"); // all are 7
}

TEST_CASE("shards of schedules of a kernel that holds try each order once") {
  DescribedProject project = scheduled_project("  out[get_global_id(0)] = in[get_global_id(0)];");
  project.description["settings"]["schedules.count"] = "7";
  project.description["settings"]["schedules.shards"] = "4";
  REQUIRE(project.run({"--schedules"}, kSimulator).exit_code == 0);
  std::size_t orders = 0;
  for (unsigned number = 1; number <= 4; ++number) {
    const auto part = project.result(shard_file("schedules", number, 4));
    const auto count = part["cases"][0]["schedules"].get<std::size_t>();
    CHECK(count == (number == 4 ? 1 : 2));
    orders += count;
  }
  CHECK(orders == 7);
  CHECK(project.result("schedules.json")["cases"][0]["schedules"] == 7);
  const auto wrong = project.run({"--schedules", "--shard", "5/4"}, kSimulator);
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, ContainsSubstring("--shard '5/4': give K/N"));
}

TEST_CASE("shards of schedules that another program's property has judged run again") {
  DescribedProject project = scheduled_project("  out[get_global_id(0)] = in[get_global_id(0)];");
  project.description["settings"]["schedules.shards"] = "2";
  const auto other = project.folder.path() / "other"; // the same, and one byte more
  std::filesystem::copy_file(GPUTEST_HARNESS_FIXTURE, other);
  std::ofstream(other, std::ios::binary | std::ios::app) << ' ';
  for (const bool has_property : {false, true}) {
    CAPTURE(has_property);
    project.description["property"] = has_property ? "permuted" : "";
    REQUIRE(project.run({"--schedules"}, kSimulator).exit_code == 0);
    const auto again = process::run_command({"/usr/bin/env", kSimulator, other.string(),
                                             (project.folder.path() / "description.json").string(),
                                             "--schedules"});
    INFO(again.output);
    CHECK(again.exit_code == 0);
    CHECK((again.output.find("nothing is there of the shard 1/2") != std::string::npos) ==
          has_property);
  }
}

TEST_CASE("shards of fuzzing have inputs of their own, and each failure is told once") {
  DescribedProject project("kernel void k(global int* data, int n) {\n"
                           "  int i = get_global_id(0);\n"
                           "  if (i < n) data[data[i] == 77 ? n + 1000 : i] = 1;\n}\n");
  project.description["arguments"] = {"n=range(0,64)", "data:size=n"};
  project.description["requirements"] = {"n == global_size(0)"};
  project.description["settings"]["fuzz.shards"] = "2";
  std::string seconds = "1";
  const auto run = [&](std::vector<std::string> options) {
    std::vector<std::string> all{"--fuzz", seconds, "--seed", "3", "--no-device"};
    all.insert(all.end(), options.begin(), options.end());
    return project.run(all, kSimulator);
  };
  auto first = run({"--shard", "1/2"}), ran = run({});
  nlohmann::json one, two;
  const auto read = [&] {
    one = project.result(shard_file("fuzz", 1, 2));
    two = project.result(shard_file("fuzz", 2, 2));
    return !one["findings"].empty() && !two["findings"].empty();
  };
  for (const char* more : {"10", "100"}) // where the machine is busy
    if (!read()) {
      seconds = more;
      first = run({"--shard", "1/2"});
      ran = run({});
    }
  INFO(first.output);
  CHECK(first.exit_code == 0);
  INFO(ran.output);
  CHECK(ran.exit_code == 1);
  CHECK_THAT(ran.output, ContainsSubstring("nothing is there of the shard 2/2"));
  REQUIRE(read());
  const auto whole = project.result("fuzz.json");
  CHECK(one["seed"] == 3);
  CHECK(two["seed"] == 4);
  CHECK(whole["inputs"] == one["inputs"].get<std::size_t>() + two["inputs"].get<std::size_t>());
  REQUIRE(one["findings"].size() == 1);
  REQUIRE(two["findings"].size() == 1);
  REQUIRE(whole["findings"].size() == 1);
  CHECK(std::filesystem::exists(whole["findings"][0]["case"].get<std::string>()));
  CHECK_THAT(ran.output, ContainsSubstring(": 1 failure in "));

  // Another program decides otherwise: another number of seconds is enough to begin anew.
  const auto other = project.run({"--fuzz", "2", "--seed", "3", "--no-device"}, kSimulator);
  CHECK_THAT(other.output, ContainsSubstring("of the shard 1/2"));
}

TEST_CASE("shards of fuzzing are only of one number of work-items in lock step") {
  DescribedProject project("kernel void k(global int* data) {\n"
                           "  data[get_global_id(0)] = 1;\n}\n");
  project.description["arguments"] = {"data:size=global_size(0)"};
  project.description["settings"]["fuzz.shards"] = "2";
  const auto fuzz = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--fuzz", "1", "--no-device"});
    const auto ran = project.run(more, kSimulator);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    return ran.output;
  };
  project.description["lock_step"] = 4;
  fuzz({"--shard", "1/2"});
  CHECK_THAT(fuzz({}), !ContainsSubstring("of the shard 1/2"));
  project.description["lock_step"] = 8;
  CHECK_THAT(fuzz({}), ContainsSubstring("of the shard 1/2"));
}

TEST_CASE("shards of memory part the schedules of warps, and together say what one run says") {
  DescribedProject project("kernel void k(global const int* in, global int* out) {\n"
                           "  const int i = get_global_id(0);\n"
                           "  out[i * 16 % 1024] = in[i * 32 % 1024];\n}\n");
  project.description["global_size"] = {256};
  project.description["local_size"] = {64};
  project.description["arguments"] = {"in:size=1024,fill=1", "out:size=1024"};
  // Without files it is the case that is made of the arguments.
  const auto made = project.run({"--memory", "2"}, kSimulator);
  INFO(made.output);
  REQUIRE(made.exit_code < 2);
  const auto made_result = project.result("memory.json");
  REQUIRE(made_result["cases"].size() == 1);
  for (const char* name : {"one", "two"})
    project.add_case(name, fmt::format(R"({{"arguments": {{"in": {{"size": 1024, "fill": {}}},
                                                           "out": {{"size": 1024}}}}}})",
                                       name == std::string("one") ? 1 : 2));
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"--memory", "6"});
    const auto ran = project.run(options, kSimulator);
    INFO(ran.output);
    REQUIRE(ran.exit_code < 2);
    return ran;
  };
  CHECK(run({}).exit_code == 0);
  const auto alone = project.result("memory.json");

  project.description["settings"]["memory.shards"] = "3";
  CHECK(run({"--shard", "1/3"}).exit_code == 0);
  CHECK(run({"--shard", "3/3"}).exit_code == 0);
  CHECK(std::filesystem::exists(project.folder.path() / "shards/1-of-3/memory/1.json"));
  const auto ran = run({});
  CHECK_THAT(ran.output, ContainsSubstring("nothing is there of the shard 2/3: it runs here") &&
                             !ContainsSubstring("shard 1/3") && ContainsSubstring("3 shards:"));
  CHECK(project.result("memory.json") == alone);
  CHECK_THAT(run({}).output, !ContainsSubstring("nothing is there"));
  CHECK(run({"--overhead", "0"}).exit_code == 1);
  CHECK(run({"--warps", (project.folder.path() / "memory/1.json").string()}).exit_code == 0);
  const auto wrong = project.run({"--memory", "--shard", "0/3"}, kSimulator);
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, ContainsSubstring("--shard '0/3': give K/N"));
}
