// Mutants in the simulator: no OpenCL device is needed, and every verdict is that of a device.
#include "model/files.h"
#include "tests/catch.h"
#include "tests/runtime/checked_project.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

using namespace gputest;
using namespace gputest::tests;
using model::KillReason;
using model::Verdict;

namespace {

constexpr const char* kNoDevice = "OCL_ICD_VENDORS=/nonexistent";

class SimulatedProject : public MutationProject {
public:
  explicit SimulatedProject(const std::vector<model::Mutant>& mutants) : MutationProject(mutants) {
    description["device"] = "simulator";
    description["simulator"] = GPUTEST_SIMULATOR_PROGRAM;
    environment = kNoDevice;
  }
};

} // namespace

TEST_CASE("in the simulator switched mutants are killed for every reason there is, or survive") {
  SimulatedProject project(
      {switched("wrong", 1), switched("bounds", 2), switched("budget", 3), switched("divergent", 4),
       switched("division", 5), switched("survivor", 7), switched("unreached", 7, 1),
       switched("undecided", 9), switched("past_end", 12), switched("in_three", 13)});
  auto results = project.results();
  CHECK(project.mutation.device == "simulator");
  expect_killed(results["wrong"], KillReason::WrongOutput, "out[0]: expected 2, got 3");
  expect_killed(results["bounds"], KillReason::OutOfBounds, "at kernel.cl:4:5: 'out[i]'");
  expect_killed(results["budget"], KillReason::BudgetExhausted, "more than 1070 loop iterations");
  expect_killed(results["divergent"], KillReason::DivergentBarrier, "at kernel.cl:3:7: 'i < n'");
  expect_killed(results["division"], KillReason::DivisionByZero, "divided by zero");
  expect_killed(results["past_end"], KillReason::OutOfBounds,
                "wrote 4 bytes past the end of 'out'");
  expect_killed(results["in_three"], KillReason::WrongOutput, "out[0]");
  CHECK(results["wrong"].runs == 3);
  CHECK(results["survivor"].verdict == Verdict::Survived);
  CHECK(results["survivor"].runs == 6);
  CHECK(results["unreached"].verdict == Verdict::NoCoverage);
  CHECK(results["undecided"].verdict == Verdict::Undecided);
  CHECK(project.mutation.deterministic);
  CHECK(project.mutation.executed == 9);
  project.results();
  CHECK(project.mutation.executed == 0); // all of it is in the store
  project.results({"--repeat", "2"});
  CHECK(project.mutation.executed == 9);
}

TEST_CASE("what ends a kernel in the simulator is a verdict with its place, and the others run") {
  SimulatedProject project({switched("crash", 6), switched("hang", 8), switched("crash_too", 6),
                            switched("wrong", 1), switched("last", 6)});
  auto results = project.results();
  for (const char* id : {"crash", "crash_too", "last"}) {
    expect_killed(results[id], KillReason::OutOfBounds, "memory that belongs to no argument");
    CHECK(results[id].runs == 1);
  }
  CHECK(results["hang"].verdict == Verdict::Timeout);
  CHECK_THAT(results["hang"].detail, ContainsSubstring("the kernel still runs after 4.5 s"));
  CHECK(results["wrong"].verdict == Verdict::Killed);
  project.results();
  CHECK(project.mutation.executed == 0);
}

TEST_CASE("divisions by zero and barriers that some leave out end a kernel in the simulator") {
  SimulatedProject project({switched("division", 20), switched("divergent", 21),
                            switched("null", 22), switched("survivor", 7)});
  std::string text = mutation_data("mutants.cl");
  text.replace(text.find("  case 13:"), 0,
               "  case 20:\n    factor = 4 / ((int)get_global_size(0) - 4);\n    break;\n"
               "  case 21:\n    if (i % 2)\n      barrier(CLK_LOCAL_MEM_FENCE);\n    break;\n"
               "  case 22:\n    *(volatile global int*)(out - get_global_size(1) * (size_t)out / "
               "4) = 1;\n    break;\n");
  project.write_kernels(text);
  auto results = project.results();
  CHECK(results["division"].verdict == Verdict::Killed);
  CHECK(results["division"].reason == KillReason::DivisionByZero);
  expect_killed(results["divergent"], KillReason::DivergentBarrier, "barrier");
  CHECK(results["null"].verdict == Verdict::Killed);
  CHECK(results["survivor"].verdict == Verdict::Survived);
}

TEST_CASE("in the simulator survivors among synchronisation mutants are run in other orders") {
  auto second = switched("second", 10), first = switched("first", 11), plain = switched("p", 10);
  second.synchronisation = first.synchronisation = true;
  SimulatedProject project({second, first, plain});
  auto results = project.results();
  CHECK(results["second"].verdict == Verdict::Killed);
  CHECK_THAT(results["second"].order, ContainsSubstring("shuffled"));
  CHECK(results["first"].verdict == Verdict::Survived);
  CHECK(results["p"].verdict == Verdict::Survived);
}

TEST_CASE("in the simulator mutants of the launch, and those with programs of their own") {
  SimulatedProject project({launch_mutant("group_less", 0, -1), launch_mutant("group_more", 0, 1),
                            launch_mutant("item_less", -1, 0), launch_mutant("none", -2, 0),
                            own_program("own", "mutant-own.cl"),
                            own_program("broken", "mutant-broken.cl")});
  auto results = project.results();
  CHECK(results["group_less"].reason == KillReason::WrongOutput);
  CHECK(results["group_more"].verdict == Verdict::Survived);
  CHECK(results["item_less"].reason == KillReason::WrongOutput);
  CHECK(results["none"].reason == KillReason::LaunchFailure);
  CHECK(results["own"].verdict == Verdict::Killed);
  CHECK(results["broken"].verdict == Verdict::CompileError);
  CHECK_THAT(results["broken"].detail, ContainsSubstring("error:"));
}

TEST_CASE("a launch that the simulator refuses is a launch failure") {
  SimulatedProject project({launch_mutant("item_less", -1, 0), switched("wrong", 1)});
  std::string text = mutation_data("mutants.cl");
  text.replace(text.find("kernel void"), 6,
               "__attribute__((reqd_work_group_size(2, 1, 1))) kernel");
  project.write_kernels(text);
  auto results = project.results();
  CHECK(results["item_less"].reason == KillReason::LaunchFailure);
  CHECK_THAT(results["item_less"].detail, ContainsSubstring("reqd_work_group_size"));
  CHECK(results["wrong"].reason == KillReason::WrongOutput);
}

TEST_CASE("__local memory is not 0 for mutants in the simulator") {
  SimulatedProject project({switched("reads", 20), switched("survivor", 7)});
  std::string text = mutation_data("mutants.cl");
  text.replace(text.find("  int factor"), 0, "  local int kept[2];\n");
  text.replace(text.find("  case 13:"), 0,
               "  case 20:\n    factor = kept[get_local_id(0)] == 0 ? 2 : 3;\n    break;\n");
  project.write_kernels(text);
  auto results = project.results();
  CHECK(results["reads"].verdict == Verdict::Killed);
  CHECK(results["survivor"].verdict == Verdict::Survived);
}

TEST_CASE("a race that a mutant of synchronisation makes kills it, whatever the outputs are",
          "[needs][needs-device]") {
  require_device();
  // What the race reads is never the number, whoever comes first.
  CheckedProject project("kernel void k(global const int* in, global int* out) {\n"
                         "  local int flag;\n"
                         "  const int i = get_global_id(0);\n"
                         "  if (get_local_id(0) == 0)\n"
                         "    flag = in[i];\n"
                         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "  out[i] = flag == 123456789 ? 1 : in[i];\n"
                         "}\n");
  project.add_copy_of_eight();
  auto results = project.results({"--operators", "barrier_deletion"});
  INFO(project.output);
  REQUIRE(results.size() == 1);
  expect_killed(results.front(), KillReason::Race, "kernel.cl:5");
  CHECK_THAT(results.front().detail, ContainsSubstring("kernel.cl:7: "));
  CHECK(results.front().killed_by == std::vector<std::string>{"eight"});
  results = project.results({"--operators", "barrier_deletion"});
  CHECK(project.mutation.executed == 0);
  CHECK(results.front().reason == KillReason::Race);
  // Without the simulator it survives, and that is said.
  results = project.results({"--operators", "barrier_deletion", "--no-simulator"});
  CHECK(results.front().verdict == Verdict::Survived);
  CHECK_THAT(project.output, ContainsSubstring("1 survivors were not looked at in the simulator"));
  project.description.erase("simulator");
  results = project.results({"--operators", "barrier_deletion"});
  CHECK(results.front().verdict == Verdict::Survived);
  CHECK_THAT(project.output, ContainsSubstring("there is none beside this gputest"));
}

TEST_CASE("a race of the original kills no mutant", "[needs][needs-device]") {
  require_device();
  CheckedProject project("kernel void k(global const int* in, global int* out) {\n"
                         "  local int flag;\n"
                         "  const int i = get_global_id(0);\n"
                         "  if (get_local_id(0) == 0)\n"
                         "    flag = in[i];\n"
                         "  out[i] = flag == 123456789 ? 1 : in[i];\n"
                         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "}\n");
  project.add_copy_of_eight();
  const auto results = project.results({"--operators", "barrier_deletion"});
  REQUIRE(results.size() == 1);
  CHECK(results.front().verdict == Verdict::Survived);
}

TEST_CASE("mutants that leave a variable without a value are killed, whatever it held",
          "[needs][needs-device]") {
  require_device();
  CheckedProject project("kernel void k(global const int* in, global int* out) {\n"
                         "  const int i = get_global_id(0);\n"
                         "  int best;\n"
                         "  best = 0;\n"
                         "  if (in[i] > 4)\n"
                         "    best = 1;\n"
                         "  out[i] = best == 123456789 ? 7 : in[i];\n"
                         "}\n");
  project.add_copy_of_eight();
  const auto results =
      project.results({"--operators", "assignment_replacement,statement_deletion"});
  INFO(project.output);
  unsigned first = 0, uninitialized = 0, survivors = 0;
  for (const model::MutantResult& one : results) {
    INFO(one.mutant.replacement << ": " << one.detail);
    survivors += one.verdict == Verdict::Survived;
    if (one.mutant.line != 4)
      continue;
    ++first;
    uninitialized += one.reason == KillReason::Uninitialized;
    // `best &= 0` is proved equivalent, and those that are the same are duplicates.
    CHECK(one.verdict != Verdict::Survived);
    CHECK(one.verdict != Verdict::Undecided);
  }
  CHECK(first >= 8);
  CHECK(uninitialized >= 1);
  // The output says as little of a variable that has a value, and its mutant survives.
  CHECK(survivors > 0);
}

TEST_CASE("whoever ends the simulator does not end the run, nor make verdicts") {
  std::vector<model::Mutant> mutants;
  for (unsigned i = 0; i < 2000; ++i)
    mutants.push_back(switched("s" + std::to_string(i), 7));
  SimulatedProject project(mutants);
  // The first three are ended after a while.
  const auto mortal = project.folder.write(
      "mortal", fmt::format("#!/bin/sh\ncd {}\necho >> starts\n[ $(wc -l < starts) -gt 3 ] && exec "
                            "{} \"$@\"\nexec timeout --foreground -s KILL 0.4 {} \"$@\"\n",
                            project.folder.path().string(), GPUTEST_SIMULATOR_PROGRAM,
                            GPUTEST_SIMULATOR_PROGRAM));
  std::filesystem::permissions(mortal, std::filesystem::perms::owner_all);
  project.description["simulator"] = mortal.string();
  const auto results = project.results();
  CHECK(std::ranges::count(project.folder.read("starts"), '\n') == 4);
  CHECK(results.size() == 2000);
  CHECK(std::ranges::all_of(
      results, [](const auto& entry) { return entry.second.verdict == Verdict::Survived; }));
}

TEST_CASE("a simulator that ends whatever it is asked is exit code 3, and tried three more times") {
  SimulatedProject project({switched("wrong", 1), own_program("own", "mutant-own.cl")});
  const bool comes_back = GENERATE(false, true);
  const auto dying = project.folder.write(
      "dying",
      fmt::format("#!/bin/sh\ncd {}\necho >> starts\n[ $(wc -l < starts) -gt {} ] || exit 5\n"
                  "exec {} \"$@\"\n",
                  project.folder.path().string(), comes_back ? 3 : 1000,
                  GPUTEST_SIMULATOR_PROGRAM));
  std::filesystem::permissions(dying, std::filesystem::perms::owner_all);
  project.description["simulator"] = dying.string();
  if (comes_back) {
    CHECK(project.results()["own"].verdict == Verdict::Killed);
    return;
  }
  const auto result = project.run({"--mutation"}, kNoDevice);
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, ContainsSubstring("the simulator has ended without an answer"));
}

TEST_CASE("--verify in the simulator compares the verdicts of both ways") {
  SimulatedProject project({switched("wrong", 1), switched("survivor", 7)});
  project.set_driver("3");
  const auto same = project.run({"--verify"}, kNoDevice);
  CHECK(same.exit_code == 0);
  CHECK_THAT(same.output, ContainsSubstring("0 of 2 verdicts differ"));
  project.set_driver("2");
  const auto different = project.run({"--verify"}, kNoDevice);
  CHECK(different.exit_code == 1);
  CHECK_THAT(different.output, ContainsSubstring("combined killed (wrong output), alone survived"));
}

TEST_CASE("the simulator tells what a device translates wrongly", "[needs][needs-device]") {
  require_device();
  CheckedProject project("kernel void k(global const int* in, global int* out) {\n"
                         "  out[get_global_id(0)] = in[get_global_id(0)] + 12345;\n}\n");
  project.description["device"] = "abacus";
  project.add_case("one", R"({"arguments": {"in": {"size": 8}, "out": {"size": 8}}})");
  const auto right = project.run({"--mutation"}, "");
  INFO(right.output);
  CHECK(right.exit_code == 0);

  const auto original = project.run({"--mutation", "--fresh"}, "ABACUS_WRONG=original");
  INFO(original.output);
  CHECK(original.exit_code == 1); // a finding
  CHECK_THAT(original.output,
             ContainsSubstring("the device's compiler translates the kernel wrongly") &&
                 !ContainsSubstring("error of gputest") && ContainsSubstring("no mutant was run"));

  const auto variant = project.run({"--mutation", "--fresh"}, "ABACUS_WRONG=variant");
  INFO(variant.output);
  CHECK(variant.exit_code == 3);
  CHECK_THAT(variant.output, ContainsSubstring("mutants.cl wrongly") &&
                                 !ContainsSubstring("error of gputest") &&
                                 ContainsSubstring("no mutant was run"));

  // An oracle that is right blames the device. One that recorded what the device left does, too.
  const auto blames_device = [](const process::CommandResult& result) {
    INFO(result.output);
    CHECK(result.exit_code == 1);
    CHECK_THAT(result.output,
               ContainsSubstring("the device's compiler translates the kernel wrongly"));
  };
  const auto expecting = [&](int number) {
    project.description["test_cases"] = nlohmann::json::array();
    std::string numbers;
    for (int i = 0; i < 8; ++i)
      numbers += (i == 0 ? "" : ", ") + std::to_string(number);
    project.add_case(std::to_string(number),
                     R"({"arguments": {"in": {"size": 8}, "out": {"size": 8}},
                                                 "expected": {"out": [)" +
                         numbers + "]}}");
  };
  expecting(12345);
  blames_device(project.run({"--mutation", "--fresh"}, "ABACUS_WRONG=original"));
  blames_device(project.run({"--mutation", "--fresh"}, "ABACUS_WRONG=both"));
  expecting(12346);
  blames_device(project.run({"--mutation", "--fresh"}, "ABACUS_WRONG=original"));
  const auto wrong = project.run({"--mutation", "--fresh"}, ""); // in the simulator, too
  INFO(wrong.output);
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.output, ContainsSubstring("expected 12346, got 12345") &&
                               !ContainsSubstring("the device's compiler"));
  expecting(12345);

  // Both are wrong in the simulator as well: the text itself is.
  const auto file = project.folder.path() / "mutants.cl";
  std::string text = model::read_text(file).value();
  for (std::size_t at = 0; (at = text.find("12345", at)) != std::string::npos;)
    text.replace(at, 5, "12340");
  std::ofstream(file) << text;
  const auto own = project.run({"--mutation", "--fresh"}, "");
  INFO(own.output);
  CHECK(own.exit_code == 3);
  CHECK_THAT(own.output, ContainsSubstring("This is an error of gputest"));
}

TEST_CASE("a kernel that the checks find at fault is to blame, and not the device",
          "[needs][needs-device]") {
  require_device();
  CheckedProject project("kernel void k(global const int* in, global int* out) {\n"
                         "  const int i = get_global_id(0);\n"
                         "  out[i / 2] = in[i] + i + 12345;\n}\n");
  project.description["device"] = "abacus";
  project.add_case("one", R"({"arguments": {"in": {"size": 8}, "out": {"size": 8}}})");
  for (const char* const wrong : {"ABACUS_WRONG=original", "ABACUS_WRONG=variant"}) {
    const auto result = project.run({"--mutation", "--fresh"}, wrong);
    INFO(result.output);
    CHECK(result.exit_code == 1);
    CHECK_THAT(result.output, ContainsSubstring("because it is at fault") &&
                                  ContainsSubstring("kernel.cl:3:14: error: ") &&
                                  ContainsSubstring("[race]") &&
                                  !ContainsSubstring("the device's compiler"));
  }
}
