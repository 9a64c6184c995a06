// --fuzz with what only a host program knows: a reference, a property, a device.
#include "tests/runtime/described_project.h"

using namespace gputest::tests;

namespace {

constexpr const char* kNoDevice = "--no-device";

// `body` works on data[i], one of n elements.
DescribedProject project_of(const std::string& body) {
  DescribedProject project("kernel void k(global int* data, int n) {\n"
                           "  int i = get_global_id(0);\n"
                           "  if (i >= n) return;\n" +
                           body + "\n}\n");
  project.description["arguments"] = {"n=range(0,64)", "data:size=n"};
  project.description["requirements"] = {"n <= global_size(0)"};
  return project;
}

nlohmann::json case_of(const DescribedProject& project, const std::string& name) {
  return nlohmann::json::parse(project.folder.read("fuzz/" + name));
}

// Looks for a failure. A busy machine needs more seconds than a quiet one.
gputest::process::CommandResult found_by(const DescribedProject& project, int& seconds,
                                         std::vector<std::string> options) {
  options.insert(options.begin(), {"--fuzz", "", kNoDevice});
  while (true) {
    options[1] = std::to_string(seconds);
    const auto ran = project.run(options);
    if (ran.exit_code != 0 || seconds > 200)
      return ran;
    seconds *= 10;
  }
}

} // namespace

TEST_CASE("what a reference says of one number is found and shrunk to it") {
  DescribedProject project = project_of("data[i] = data[i] == 77 ? 0 : data[i] * 2;");
  project.description["reference"] = "twice";
  project.description["requirements"] = {"n == global_size(0)"};
  int seconds = 1;
  const auto ran = found_by(project, seconds, {"--seed", "3"});
  INFO(ran.output);
  CHECK(ran.exit_code == 1);
  CHECK_THAT(ran.output, ContainsSubstring("k: " + std::to_string(seconds) + " s with seed 3"));
  CHECK_THAT(ran.output, ContainsSubstring("reference: 'data' differs in 1 of 1 value:"));
  CHECK_THAT(ran.output, ContainsSubstring("data[0]: expected 154, got 0"));
  CHECK(case_of(project, "k-reference.json")["arguments"]["data"] == nlohmann::json({77}));
  const auto result = project.result("fuzz.json");
  CHECK(result["format"] == "gputest-fuzz-1");
  CHECK(result["seed"] == 3);
  REQUIRE(result["findings"].size() == 1);
  CHECK(result["findings"][0]["kind"] == "reference");

  // The command that is printed, and what an ordinary test makes of the case.
  const std::string file = (project.folder.path() / "fuzz/k-reference.json").string();
  CHECK_THAT(ran.output, ContainsSubstring(" --fuzz --replay " + file));
  const auto replayed = project.run({"--fuzz", "--replay", file, kNoDevice});
  CHECK(replayed.exit_code == 1);
  CHECK_THAT(replayed.output, ContainsSubstring("expected 154, got 0"));
  CHECK(project
            .run({"--device", "simulator", "--case-file", file},
                 "GPUTEST_SIMULATOR=" GPUTEST_SIMULATOR_PROGRAM)
            .exit_code == 1);
}

TEST_CASE("a reference that crashes is the failure, and is started again") {
  DescribedProject project = project_of("data[i] = 1;");
  project.description["reference"] = "crash";
  const auto ran = project.run({"--fuzz", "5", "--time-limit", "1s", kNoDevice});
  CHECK(ran.exit_code == 1);
  CHECK_THAT(ran.output, ContainsSubstring("the reference function was ended by signal 11"));
  CHECK_THAT(ran.output, ContainsSubstring("k: 1 failure in"));
  CHECK_THAT(ran.output, ContainsSubstring("; 4 s not run: the time limit was over; "));
  CHECK(project.result("fuzz.json")["seconds_not_run"] == 4);
}

TEST_CASE("a property that does not hold is found, and its kinds are told apart") {
  // Sorts pairs; of equal numbers it makes one.
  DescribedProject project = project_of("if (i % 2 == 1) {\n"
                                        "  int a = data[i - 1], b = data[i];\n"
                                        "  data[i - 1] = min(a, b);\n"
                                        "  data[i] = a == 5 && b == 5 ? 6 : max(a, b); }");
  project.description["arguments"] = {"n=values(2)", "data:size=n"};
  project.description["requirements"] = {"global_size(0) >= 2"};
  project.description["property"] = "sorted";
  int seconds = 1;
  const auto ran = found_by(project, seconds, {"--seed", "1"});
  INFO(ran.output);
  CHECK(ran.exit_code == 1);
  CHECK_THAT(ran.output,
             ContainsSubstring("the property does not hold: 'data' does not hold what"));
  CHECK_THAT(ran.output, !ContainsSubstring("is not sorted"));
  CHECK(case_of(project, "k-property.json")["arguments"]["data"] == nlohmann::json({5, 5}));
}

TEST_CASE("a property of a case is looked at by tests and by mutation, too",
          "[needs][needs-device]") {
  require_device();
  DescribedProject project("kernel void k(global int* data, int n) {\n"
                           "  int a = data[0], b = data[1];\n"
                           "  data[0] = a < b ? a : b;\n"
                           "  data[1] = a < b ? b : a;\n"
                           "}\n",
                           {"mutants"});
  project.description["global_size"] = {1};
  project.description["local_size"] = {1};
  project.description["property"] = "sorted";
  project.add_case("swapped", R"({"arguments": {"data": [2, 1], "n": 2}})");
  const auto test = project.run();
  CHECK(test.exit_code == 0);
  CHECK_THAT(test.output, !ContainsSubstring("no oracle"));
  const auto mutation = project.run({"--mutation"});
  INFO(mutation.output);
  CHECK(mutation.exit_code == 0);
  CHECK_THAT(project.folder.read("mutation.json"), ContainsSubstring("the property does not hold"));

  project.description["property"] = "text";
  const auto failed = project.run();
  CHECK(failed.exit_code == 1);
  CHECK_THAT(failed.output, ContainsSubstring("the property does not hold: it never holds"));
  // What was known of mutants under the other property is of another program, or of none.
  CHECK(project.run({"--mutation"}).exit_code != 0);
}

TEST_CASE("the simulator and the device are compared", "[needs][needs-device]") {
  require_device();
  // The simulator's is another one, and so is neither's.
  const DescribedProject sound = project_of("data[i] = 7;");
  const auto same = sound.run({"--fuzz", "1", "--seed", "1"});
  INFO(same.output);
  CHECK(same.exit_code == 0);
  CHECK_THAT(same.output, ContainsSubstring("compared with "));
  const DescribedProject other =
      project_of("#ifdef POCL_DEVICE_ADDRESS_BITS\ndata[i] = 1;\n#else\ndata[i] = 2;\n#endif");
  auto differs = other.run({"--fuzz", "1", "--seed", "1"});
  for (const char* more : {"10", "100"}) // where the machine is busy
    if (differs.exit_code == 0)
      differs = other.run({"--fuzz", more, "--seed", "1"});
  INFO(differs.output);
  CHECK(differs.exit_code == 1);
  CHECK_THAT(differs.output, ContainsSubstring("device: 'data' differs in"));
  CHECK_THAT(differs.output, ContainsSubstring("compared with the simulator)"));
  const std::string file = (other.folder.path() / "fuzz/k-device.json").string();
  CHECK(other.run({"--fuzz", "--replay", file}).exit_code == 1);
  CHECK(other.run({"--fuzz", "--replay", file, kNoDevice}).exit_code == 0);
}

TEST_CASE("what --fuzz cannot do is refused") {
  DescribedProject project = project_of("data[i] = 1;");
  const auto refused = [&](const std::vector<std::string>& options, const std::string& message) {
    const auto ran = project.run(options);
    INFO(ran.output);
    CHECK(ran.exit_code == 2);
    CHECK_THAT(ran.output, ContainsSubstring(message));
  };
  refused({"--fuzz", "0"}, "--fuzz: '0' is not a whole number, at least 1");
  refused({"--judge"}, "--judge is for `gputest fuzz` to give");
  refused({"--fuzz", "--replay", "nowhere.json"}, "no such file");
  refused({"--fuzz", "--verbose"}, "--verbose says nothing of --fuzz");
  project.description["requirements"] = {"n > 64"};
  refused({"--fuzz", "1", kNoDevice}, "no input of kernel 'k' was found that obeys");
  project.description["requirements"] = {"m > 64"};
  refused({"--fuzz", "1", kNoDevice}, "has no argument 'm'");
  project.description["requirements"] = nlohmann::json::array();
  project.description["driver"] = "/no/such/gputest";
  CHECK(project.run({"--fuzz", "1"}).exit_code == 3);
}

TEST_CASE("a case that breaks REQUIRE is refused by its name, with any analysis") {
  DescribedProject project = project_of("data[i] = data[i] * 2;");
  project.description["requirements"] = {"ascending(data)", "size(data) == n"};
  project.description["reference"] = "twice";
  project.folder.write("cases.json", R"([
    {"name": "rising", "global_size": [4], "arguments": {"data": [1, 2, 2, 5], "n": 4}},
    {"name": "falling", "global_size": [4], "arguments": {"data": [1, 2, 0, 5], "n": 4}},
    {"name": "short", "global_size": [4], "arguments": {"data": [1, 2], "n": 4}}])");
  const std::string file = (project.folder.path() / "cases.json").string();
  const auto run = [&](const std::string& name) {
    return project.run({"--device", "simulator", "--case-file", file, "--case", name},
                       "GPUTEST_SIMULATOR=" GPUTEST_SIMULATOR_PROGRAM);
  };
  CHECK(run("rising").exit_code == 0);
  for (const auto& [name, why] :
       {std::pair{"falling", "REQUIRE \"ascending(data)\" does not hold: ascending(data): data[2] "
                             "is 0 after 2"},
        std::pair{"short", "REQUIRE \"size(data) == n\" does not hold"}}) {
    const auto ran = run(name);
    INFO(ran.output);
    CHECK(ran.exit_code != 0);
    CHECK_THAT(ran.output, ContainsSubstring(std::string("case '") + name + "': " + why));
  }
  project.description["requirements"] = {"ascending(n)"};
  const auto mistaken = run("rising");
  CHECK(mistaken.exit_code == 2);
  CHECK_THAT(mistaken.output, ContainsSubstring("character 11: 'n' is no buffer with elements"));
}

TEST_CASE("a requirement on elements of several numbers is told what bounds them") {
  DescribedProject project("kernel void k(global float4* data) {\n"
                           "  data[get_global_id(0)] *= 2;\n"
                           "}\n");
  project.description["global_size"] = {1};
  project.description["requirements"] = {"all(x in data: x < 2)"};
  project.add_case("one", R"({"arguments": {"data": [[1, 2, 3, 4]]}})");
  const auto ran =
      project.run({"--device", "simulator"}, "GPUTEST_SIMULATOR=" GPUTEST_SIMULATOR_PROGRAM);
  CHECK(ran.exit_code == 2);
  CHECK_THAT(ran.output, ContainsSubstring("an element of 'data' is not one number; ARGUMENTS "
                                           "data:range(low,high) bounds each of its numbers"));
}
