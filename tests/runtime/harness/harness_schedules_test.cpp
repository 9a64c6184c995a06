// Kernels that are wrong whatever the order: no order is to blame, and none of them holds.
#include "tests/runtime/described_project.h"

using namespace gputest;
using namespace gputest::tests;

namespace {

struct Outcome {
  process::CommandResult run;
  nlohmann::json only;
};

Outcome schedules_of(const std::string& body, const std::vector<std::string>& options = {}) {
  DescribedProject project("kernel void k(global const int* in, volatile global int* out) {\n" +
                               body + "\n}\n",
                           {"schedule"});
  project.description["global_size"] = {64};
  project.description["local_size"] = {16};
  project.add_case("only", R"({"arguments": {"in": {"size": 64, "fill": "iota"},
                                             "out": {"size": 64}}})");
  std::vector<std::string> all{"--schedules", "--strategy", "permute"};
  all.insert(all.end(), options.begin(), options.end());
  Outcome outcome{project.run(all), {}};
  const auto cases = project.result("schedules.json")["cases"];
  if (cases.size() == 1)
    outcome.only = cases[0];
  return outcome;
}

} // namespace

TEST_CASE("a kernel that holds, for comparison", "[needs][needs-device]") {
  require_device();
  const Outcome outcome = schedules_of("  out[get_global_id(0)] = in[get_global_id(0)];");
  INFO(outcome.run.output);
  CHECK(outcome.run.exit_code == 0);
  CHECK(outcome.only.at("verdict") == "held");
}

namespace {

void check_without_memory(const std::string& device) {
  DescribedProject project("kernel void k(global int* out) { if (out) out[0] = 1; }\n",
                           {"schedule"});
  project.description["global_size"] = {64};
  project.description["local_size"] = {16};
  project.description["device"] = device;
  project.description["simulator"] = GPUTEST_SIMULATOR_PROGRAM;
  project.add_case("only", R"({"arguments": {"out": null}})");
  const auto held = project.run({"--schedules"});
  INFO(held.output);
  CHECK(held.exit_code == 0);
  CHECK(contains(held.output, "1 of 1 cases hold"));
}

} // namespace

TEST_CASE("a kernel whose only buffer is a null pointer holds") {
  check_without_memory("simulator");
}

TEST_CASE("a kernel whose only buffer is a null pointer holds on a device, too",
          "[needs][needs-device]") {
  require_device();
  check_without_memory("");
}

TEST_CASE("writes past the end of a buffer, the same in each order", "[needs][needs-device]") {
  require_device();
  const Outcome known = schedules_of("  out[get_global_id(0) + 8] = 1;");
  INFO(known.run.output);
  CHECK(known.run.exit_code == 1);
  CHECK(known.only.at("verdict") == "failed");
  CHECK(contains(known.run.output, "out of bounds at kernel.cl:2:3: 'out[get_global_id(0) + 8]'"));

  // What the guards of accesses cannot follow, the zone behind the buffer tells.
  const Outcome unknown =
      schedules_of("  volatile global int* to = in[1] == 1 ? out : (volatile global int*)in;\n"
                   "  *(volatile global int*)((size_t)to + 4 * (get_global_id(0) + 8)) = 1;");
  INFO(unknown.run.output);
  CHECK(unknown.run.exit_code == 1);
  CHECK(unknown.only.at("verdict") == "failed");
  CHECK(contains(unknown.run.output, "wrote 32 bytes past the end of 'out' (64 elements)"));
}

TEST_CASE("a crash in each order is no order's fault", "[needs][needs-cpu]") {
  require_cpu(); // GPUs answer an access out of bounds in their own ways
  const Outcome outcome =
      schedules_of("  out[get_global_id(0)] = *(volatile global int*)(size_t)(in[16]);");
  INFO(outcome.run.output);
  CHECK(outcome.run.exit_code == 1);
  CHECK(outcome.only.at("verdict") == "failed");
  CHECK(contains(outcome.run.output, "failed: only"));
  CHECK(contains(outcome.run.output, "crash: kernel 'k' crashed the process: SIGSEGV"));
  CHECK(contains(outcome.run.output, "That is the launch as it is: no other order was tried"));
}

TEST_CASE("a loop without end in each order is no order's fault", "[needs][needs-device]") {
  require_device();
  const Outcome outcome = schedules_of("  while (out[0] != 99)\n    out[1] = 1;");
  INFO(outcome.run.output);
  CHECK(outcome.run.exit_code == 1);
  CHECK(outcome.only.at("verdict") == "failed");
  CHECK(contains(outcome.run.output, "waits: a loop does not end within "));
  CHECK(contains(outcome.run.output, "kernel.cl:2:3: 'while (out[0] != 99)"));
}

TEST_CASE("a launch without end in each order is no order's fault", "[needs][needs-device]") {
  require_device();
  // The loop counts, so that it does not wait for anybody.
  const Outcome outcome = schedules_of("  for (int i = in[0]; i < 100; i += in[0])\n"
                                       "    out[1] = i;",
                                       {"--timeout", "3"});
  INFO(outcome.run.output);
  CHECK(outcome.run.exit_code == 1);
  CHECK(outcome.only.at("verdict") == "failed");
}

namespace {

// Work-items take the next place of `data` each, so the outputs depend on the order. `more`: keys
// of the case. `not_compared`: an argument that is no output.
process::CommandResult next_places(const std::string& device, const std::string& property,
                                   const std::string& more = "",
                                   const std::string& not_compared = "") {
  DescribedProject project("kernel void k(volatile global int* next, global int* data) {\n"
                           "  data[atomic_inc(next)] = get_global_id(0);\n"
                           "}\n",
                           {"schedule"});
  project.description["global_size"] = {64};
  project.description["local_size"] = {16};
  project.description["device"] = device;
  project.description["simulator"] = GPUTEST_SIMULATOR_PROGRAM;
  project.description["property"] = property;
  project.add_case("only", R"({"arguments": {"next": [0], "data": {"size": 64, "fill": "iota"}})" +
                               more + "}");
  auto interface = project.result("interface.json");
  for (auto& argument : interface["kernels"][0]["arguments"])
    if (argument["name"] == not_compared)
      argument["output"] = false;
  project.folder.write("interface.json", interface.dump());
  return project.run({"--schedules"});
}

void check_properties(const std::string& device) {
  const auto held = next_places(device, "permuted");
  INFO(held.output);
  CHECK(held.exit_code == 0);
  CHECK(contains(held.output, "1 of 1 cases hold"));
  // It sees what is not compared, and decides where outputs are recorded.
  const std::string expected = R"(, "expected": {"next": [64], "data": {"size": 64}})";
  const std::string recorded = R"(, "generated": {"expected": "recorded, not verified"})";
  for (const auto& other : {next_places(device, "counted", "", "next"),
                            next_places(device, "permuted", expected + recorded)}) {
    INFO(other.output);
    CHECK(other.exit_code == 0);
    CHECK(contains(other.output, "1 of 1 cases hold"));
  }
  for (const auto& wrong : {next_places(device, ""), next_places(device, "sorted"),
                            next_places(device, "sorted", expected + recorded),
                            next_places(device, "permuted", expected),
                            next_places(device, "counted twice", "", "next")}) {
    INFO(wrong.output);
    CHECK(wrong.exit_code == 1);
    CHECK(contains(wrong.output, "order dependent: only"));
  }
}

} // namespace

TEST_CASE("with a property, orders may leave other outputs for which it holds") {
  check_properties("simulator");
}

TEST_CASE("a property judges the orders of a device, too", "[needs][needs-device]") {
  require_device();
  check_properties("");
}
