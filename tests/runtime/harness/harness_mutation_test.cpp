#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/runtime/mutation_fixture.h"
#include "tests/runtime/processes.h"

#include <chrono>
#include <thread>

using namespace gputest;
using namespace gputest::tests;
using model::KillReason;
using model::Verdict;

namespace {

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("switched mutants are killed for every reason there is, or survive",
          "[needs][needs-device]") {
  require_device();
  auto ignored = switched("ignored", 1), equivalent = switched("equivalent", 1),
       duplicate = switched("duplicate", 1);
  ignored.ignored = true;
  ignored.ignore_reason = "because";
  equivalent.equivalent = true;
  duplicate.duplicate_of = "wrong";
  MutationProject project(
      {switched("wrong", 1), switched("bounds", 2), switched("budget", 3), switched("divergent", 4),
       switched("division", 5), switched("survivor", 7), switched("unreached", 7, 1),
       switched("undecided", 9), switched("past_end", 12), switched("in_three", 13),
       switched("site_of_three", 1, 2), ignored, equivalent, duplicate});
  auto results = project.results();
  expect_killed(results["wrong"], KillReason::WrongOutput,
                "out[0]: expected 2, got 3\n  out[1]: expected 4, got 6");
  expect_killed(results["bounds"], KillReason::OutOfBounds, "at kernel.cl:4:5: 'out[i]'");
  expect_killed(results["budget"], KillReason::BudgetExhausted, "more than 1070 loop iterations");
  expect_killed(results["divergent"], KillReason::DivergentBarrier, "at kernel.cl:3:7: 'i < n'");
  expect_killed(results["division"], KillReason::DivisionByZero, "divided by zero");
  expect_killed(results["past_end"], KillReason::OutOfBounds,
                "wrote 4 bytes past the end of 'out'");
  expect_killed(results["in_three"], KillReason::WrongOutput, "out[0]");
  expect_killed(results["site_of_three"], KillReason::WrongOutput, "out[0]");
  CHECK(results["wrong"].runs == 3);
  CHECK(results["wrong"].killed_by == Names{"four"});
  CHECK(results["wrong"].reached_by == Names{"four", "three"});
  CHECK(results["in_three"].killed_by == Names{"three"});
  CHECK(results["site_of_three"].reached_by == Names{"three"});
  CHECK(results["survivor"].verdict == Verdict::Survived);
  CHECK(results["survivor"].runs == 6);
  CHECK(results["unreached"].verdict == Verdict::NoCoverage);
  CHECK(results["unreached"].runs == 0);
  CHECK(results["undecided"].verdict == Verdict::Undecided);
  CHECK_THAT(results["undecided"].detail, ContainsSubstring("of 3 runs of case"));
  CHECK(results["ignored"].verdict == Verdict::Ignored);
  CHECK(results["equivalent"].verdict == Verdict::Equivalent);
  CHECK(results["duplicate"].verdict == Verdict::Duplicate);
  CHECK(project.mutation.deterministic);
  CHECK(project.mutation.cases == Names{"four", "three"});
  CHECK(project.mutation.executed == 10);
  CHECK_THAT(project.output,
             ContainsSubstring("kernel.cl:4:14: math_replacement: '2 * in[i]' → '2 + in[i]' "
                               "survived (2 cases reached it)"));
  // The case that killed the last neighbour comes first.
  CHECK(project.results({"--fresh", "--mutant", "in_three", "--mutant", "wrong"})["wrong"].runs ==
        3);
  CHECK(project.mutation.results.size() == 2);
}

TEST_CASE("a time limit leaves mutants out, and the next run goes on", "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1), switched("survivor", 7)});
  auto results = project.results({"--time-limit", "1ms"});
  CHECK(results["wrong"].verdict == Verdict::NotRun);
  CHECK(results["survivor"].verdict == Verdict::NotRun);
  CHECK(results["wrong"].reached_by.empty());
  CHECK(project.mutation.executed == 0);
  CHECK(project.mutation.time_limit == 0.001);
  CHECK_THAT(project.output, ContainsSubstring("2 of 2 mutants not run"));
  project.results({"--mutant", "wrong"});
  results = project.results({"--time-limit", "1ms"}); // the store knows one of them
  CHECK(results["wrong"].verdict == Verdict::Killed);
  CHECK(results["survivor"].verdict == Verdict::NotRun);
  CHECK(project.mutation.executed == 0);
  results = project.results({"--time-limit", "1h"});
  CHECK(results["survivor"].verdict == Verdict::Survived);
  CHECK(project.mutation.executed == 1);
  CHECK(project.results({"--functions", "scale", "--files", "*.cl"}).size() == 2);
}

TEST_CASE("crashes and hangs of the worker are verdicts, and the others run",
          "[needs][needs-cpu]") {
  require_cpu(); // GPUs answer an access out of bounds in their own ways
  MutationProject project({switched("crash", 6), switched("hang", 8), switched("crash_too", 6),
                           switched("wrong", 1), switched("last", 6)});
  auto results = project.results();
  for (const char* id : {"crash", "crash_too", "last"}) {
    expect_killed(results[id], KillReason::Crash, "SIGSEGV");
    CHECK(results[id].killed_by == Names{"four"});
  }
  CHECK(results["hang"].verdict == Verdict::Timeout);
  CHECK_THAT(results["hang"].detail, ContainsSubstring("ended after "));
  CHECK(results["wrong"].verdict == Verdict::Killed);
  CHECK(project.mutation.executed == 5);
  // All of them are in the store.
  auto again = project.results();
  CHECK(project.mutation.executed == 0);
  CHECK(again["hang"].verdict == Verdict::Timeout);
  CHECK(again["last"].reason == KillReason::Crash);
  // After a crash the other cases run, when all are wanted.
  CHECK(project.results({"--all-cases", "--mutant", "crash"})["crash"].killed_by ==
        Names{"four", "three"});
}

TEST_CASE("survivors among synchronisation mutants are run in other orders",
          "[needs][needs-device]") {
  require_device();
  auto second = switched("second", 10), first = switched("first", 11), plain = switched("p", 10);
  second.synchronisation = first.synchronisation = true;
  MutationProject project({second, first, plain});
  auto results = project.results();
  CHECK(results["second"].verdict == Verdict::Killed);
  CHECK_THAT(results["second"].order, ContainsSubstring("shuffled"));
  // The original fails in the reverse order, which thus says nothing.
  CHECK(results["first"].verdict == Verdict::Survived);
  CHECK(results["p"].verdict == Verdict::Survived);
  project.results();
  CHECK(project.mutation.executed == 0);
}

TEST_CASE("Mutants of the launch change its sizes on the device", "[needs][needs-device]") {
  require_device();
  auto swapped = launch_mutant("swapped", 0, 0);
  swapped.swapped = true;
  auto other_dimension = launch_mutant("other dimension", 1, 0);
  other_dimension.dimension = 1;
  MutationProject project({launch_mutant("group_less", 0, -1), launch_mutant("group_more", 0, 1),
                           launch_mutant("item_less", -1, 0), launch_mutant("none", -2, 0),
                           launch_mutant("far too many", 1 << 20, 0), swapped, other_dimension});
  auto results = project.results();
  CHECK(results["group_less"].reason == KillReason::WrongOutput);
  CHECK(results["group_more"].verdict == Verdict::Survived);
  CHECK(results["item_less"].reason == KillReason::WrongOutput);
  CHECK(results["none"].reason == KillReason::LaunchFailure);
  CHECK_THAT(results["none"].detail, ContainsSubstring("size of 0"));
  CHECK(results["far too many"].reason == KillReason::LaunchFailure);
  CHECK(results["swapped"].verdict == Verdict::NoCoverage); // two groups of two
  CHECK(results["other dimension"].verdict == Verdict::NoCoverage);
}

TEST_CASE("mutants with programs of their own", "[needs][needs-device]") {
  require_device();
  MutationProject project({own_program("own", "mutant-own.cl"),
                           own_program("broken", "mutant-broken.cl"), switched("wrong", 1)});
  auto results = project.results();
  CHECK(results["own"].verdict == Verdict::Killed);
  CHECK(results["broken"].verdict == Verdict::CompileError);
  CHECK(!results["broken"].detail.empty());
  project.results();
  CHECK(project.mutation.executed == 0);
  // What the program of one mutant is like matters to no other.
  project.folder.write("k/mutant-own.cl", mutation_data("mutant-own.cl") + "/* new */\n");
  project.results();
  CHECK(project.mutation.executed == 1);
}

TEST_CASE("without a sound original nothing is mutated", "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1)});
  project.add_case("wrong", R"({"arguments": {"in": [1, 2, 3, 4], "out": {"size": 4}, "n": 4},
                                "expected": {"out": [2, 4, 6, 9]}})");
  const auto result = project.run({"--mutation"});
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.output, ContainsSubstring("no mutant was run, because the original fails"));
  CHECK_THAT(result.output, ContainsSubstring("case 'wrong': 'out' differs in 1 of 4 values"));
  CHECK(!std::filesystem::exists(project.folder.path() / "k/mutation.json"));

  MutationProject crashing({switched("wrong", 1)});
  for (const char* file : {"k/mutants.cl", "k/original.cl"})
    crashing.folder.write(file, "kernel void scale(global const int* in, global int* out, int n, "
                                "global uint* state) { out[(size_t)1 << 45] = 1; }");
  crashing.folder.write("kernel.cl", "kernel void scale(global const int* in, global int* out, "
                                     "int n) { out[(size_t)1 << 45] = 1; }");
  const auto crash = crashing.run({"--mutation"});
  if (is_cpu()) {
    CHECK(crash.exit_code == 1);
    CHECK_THAT(crash.output, ContainsSubstring("case 'four': kernel 'scale' crashed"));
  }
}

TEST_CASE("an original that is not deterministic is said to be, and its spread is no kill",
          "[needs][needs-cpu]") {
  require_cpu(); // what is left in __local memory is any device's own matter
  MutationProject project({switched("survivor", 7), switched("wrong", 1)});
  std::string text = mutation_data("mutants.cl");
  const std::string last = "out[i] = factor * in[i];";
  text.replace(text.find(last), last.size(), "out[i] = factor * in[i] + (i == 0 ? RUNS % 2 : 0);");
  project.folder.write("k/mutants.cl", text);
  project.folder.write("kernel.cl",
                       "kernel void scale(global const int* in, global int* out, int n) {\n"
                       "  local int runs;\n"
                       "  int i = get_global_id(0);\n"
                       "  if (i == 0)\n    runs = runs + 1;\n"
                       "  if (i < n)\n    out[i] = 2 * in[i] + (i == 0 ? runs & 1 : 0);\n}\n");
  project.environment = "POCL_MAX_PTHREAD_COUNT=1"; // one copy of __local memory
  project.description["test_cases"].clear();
  project.add_case("no oracle",
                   R"({"arguments": {"in": [1, 2, 3, 4], "out": {"size": 4}, "n": 4}})");
  auto results = project.results();
  CHECK(!project.mutation.deterministic);
  CHECK_THAT(project.output, ContainsSubstring("differ from run to run"));
  CHECK(results["survivor"].verdict == Verdict::Survived);
  CHECK(results["wrong"].verdict == Verdict::Killed);
  CHECK_THAT(results["wrong"].detail, ContainsSubstring("compared with the original's output"));
}

TEST_CASE("mutants.cl that computes something else than the original is an internal error",
          "[needs][needs-device]") {
  require_device();
  const bool has_oracle = GENERATE(true, false), varies = GENERATE(true, false);
  MutationProject project({switched("survivor", 7), switched("wrong", 1)});
  std::string text = mutation_data("mutants.cl");
  const std::string first = "factor = REVERSED ? 3 : 2;";
  text.replace(text.find(first), first.size(), varies ? "factor = 3 + (RUNS & 1);" : "factor = 3;");
  project.folder.write("k/mutants.cl", text);
  if (!has_oracle) {
    project.description["test_cases"].clear();
    project.add_case("four", R"({"arguments": {"in": [1, 2, 3, 4], "out": {"size": 4}, "n": 4}})");
  }
  const auto result = project.run({"--mutation"});
  INFO(result.output);
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.output, ContainsSubstring("case 'four': "));
  CHECK_THAT(result.output, ContainsSubstring("mutants.cl, without a mutant, computes something "
                                              "else than the original"));
  CHECK_THAT(result.output, ContainsSubstring("out[0]: expected 2, got"));
  CHECK_THAT(result.output, ContainsSubstring("Please report it"));
  CHECK_THAT(result.output, !ContainsSubstring("differ from run to run"));
}

TEST_CASE("last bits of mutants.cl may differ from the original's", "[needs][needs-device]") {
  require_device();
  const bool is_close = GENERATE(true, false);
  MutationProject project({switched("survivor", 7)});
  const auto as_float = [](std::string text) {
    for (const char* of : {"const int* in", "global int* out"})
      text.replace(text.find(of), std::string(of).size(),
                   std::string(of).replace(std::string(of).find("int"), 3, "float"));
    return text;
  };
  std::string text = as_float(mutation_data("mutants.cl"));
  const std::string last = "out[i] = factor * in[i];";
  text.replace(text.find(last), last.size(),
               is_close ? "out[i] = nextafter(factor * in[i], 9.0f);"
                        : "out[i] = factor * in[i] * 1.01f;");
  project.folder.write("k/mutants.cl", text);
  project.folder.write("kernel.cl", as_float(mutation_data("scale.cl")));
  auto interface = model::read_interface(project.folder.path() / "k/interface.json");
  for (auto& argument : interface.kernels.front().arguments)
    if (argument.name != "n")
      argument.type = pointer(argument.name, kFloat, argument.name == "out").type;
  model::write_interface(interface, project.folder.path() / "k/interface.json");
  project.description["test_cases"].clear();
  project.add_case("four", R"({"arguments": {"in": [1, 2, 3, 4], "out": {"size": 4}, "n": 4}})");
  const auto result = project.run({"--mutation"});
  INFO(result.output);
  CHECK(result.exit_code == (is_close ? 0 : 3));
  CHECK_THAT(result.output, !ContainsSubstring("differ from run to run"));
}

TEST_CASE("a threshold that is missed is exit code 1", "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1), switched("survivor", 7)});
  project.results({"--threshold", "50"});
  project.results({"--threshold", "50.1"}, 1);
  CHECK_THAT(project.output, ContainsSubstring("mutation score 50.0 % is below the threshold"));
  project.description["settings"] = {{"mutation.threshold", "80"}};
  project.results({}, 1);
}

TEST_CASE("samples are the same each time and say so", "[needs][needs-device]") {
  require_device();
  MutationProject project(survivors(50));
  const auto ten = project.results({"--sample", "10"});
  CHECK(ten.size() == 10);
  CHECK(project.mutation.population == 50);
  CHECK(project.mutation.sample_seed == 1);
  CHECK_THAT(project.output, ContainsSubstring("a sample of 10 of 50 mutants, seed 1"));
  project.results({"--sample", "20"});
  CHECK(project.mutation.executed == 10);
}

TEST_CASE("wrong usage is exit code 2 and says what to do") {
  MutationProject project({switched("wrong", 1)});
  const auto refused = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "--mutation");
    const auto result = project.run(options);
    CHECK(result.exit_code == 2);
    return result.output;
  };
  CHECK_THAT(refused({"--operators", "math_replacment"}), ContainsSubstring("did you mean"));
  CHECK_THAT(refused({"--threshold", "101"}), ContainsSubstring("'101' is not a percentage"));
  CHECK_THAT(refused({"--mutant", "nobody"}), ContainsSubstring("there is no mutant 'nobody'"));
  CHECK_THAT(refused({"--since", "HEAD"}), ContainsSubstring("no git work tree"));
  CHECK_THAT(refused({"--shard", "3/2"}), ContainsSubstring("give K/N"));
  CHECK_THAT(refused({"--coverage"}), ContainsSubstring("exclude each other"));
  std::filesystem::remove(project.folder.path() / "k/mutants.json");
  CHECK_THAT(refused({}), ContainsSubstring("add MUTATION to gputest_add_kernel()"));
  CHECK(project.run({"--fresh"}).exit_code == 2);
}

TEST_CASE("a store that is none is exit code 2, and no device is 77", "[needs][needs-device]") {
  MutationProject project({switched("wrong", 1)});
  CHECK(project.run({"--mutation"}, "OCL_ICD_VENDORS=/nonexistent").exit_code == 77);
  require_device();
  project.folder.write("results.db", "this is no database, but some text that goes on and on");
  const auto result = project.run({"--mutation"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.output, ContainsSubstring("results.db"));
}

TEST_CASE("a device that is gone in the middle is exit code 3, and nothing is lost",
          "[needs][needs-cpu]") {
  require_cpu(); // a GPU may not survive the endless mutant
  MutationProject project({switched("wrong", 1), switched("hang", 8), switched("survivor", 7)});
  const auto vendors = project.folder.path() / "vendors";
  const auto ended_after = [&](std::chrono::seconds time) {
    std::filesystem::copy("/etc/OpenCL/vendors", vendors);
    const pid_t pid = [&] {
      const Environment of_its_own({{"OCL_ICD_VENDORS", vendors.string() + "/"}});
      return start(project, {"--timeout-factor", "2", "--fresh"});
    }();
    std::this_thread::sleep_for(time);
    std::filesystem::remove_all(vendors);
    return wait_for(pid);
  };
  int code = ended_after(std::chrono::seconds(3)); // in the endless one by now
  if (code != 3)                                   // on a busy machine it had not come to it
    code = ended_after(std::chrono::seconds(30));
  CHECK(code == 3);
  // Who hung is not to blame for what the device did.
  auto results = project.results({"--timeout-factor", "2"});
  CHECK(project.mutation.executed == 2);
  CHECK(results["hang"].verdict == Verdict::Timeout);
}

TEST_CASE("where the device takes none of mutants.cl, each mutant gets its own program",
          "[needs][needs-device]") {
  require_device();
  MutationProject project(
      {switched("wrong", 1), switched("survivor", 7), launch_mutant("group_less", 0, -1)});
  project.set_driver("3");
  project.write_kernels("this is no OpenCL C\n");
  auto results = project.results();
  CHECK(results["wrong"].verdict == Verdict::Killed);
  CHECK(results["survivor"].verdict == Verdict::Survived);
  CHECK(results["group_less"].verdict == Verdict::Killed);
  CHECK_THAT(project.output, ContainsSubstring("in 0 programs, and 2 in one of their own each"));
}

TEST_CASE("--verify compares the verdicts of both ways", "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1), switched("survivor", 7)});
  const auto verify = [&](const std::string& factor_of_wrong) {
    project.set_driver(factor_of_wrong);
    return project.run({"--verify"});
  };
  const auto same = verify("3");
  CHECK(same.exit_code == 0);
  CHECK_THAT(same.output, ContainsSubstring("2 mutants: combined"));
  CHECK_THAT(same.output, ContainsSubstring("0 of 2 verdicts differ"));
  CHECK_THAT(project.run({"--verify", "1"}).output, ContainsSubstring("0 of 1 verdicts differ"));
  const auto different = verify("2");
  CHECK(different.exit_code == 1);
  CHECK_THAT(different.output, ContainsSubstring("combined killed (wrong output), alone survived"));
  CHECK(!std::filesystem::exists(project.folder.path() / "results.db"));
}
