// The harness and the gputest command together.
#include "model/files.h"
#include "store/store.h"
#include "tests/random_count.h"
#include "tests/runtime/driven_project.h"

#include <fmt/format.h>
#include <fstream>
#include <map>

using namespace gputest;
using namespace gputest::tests;

TEST_CASE("mutants of a source run; alone they get the same verdicts", "[needs][needs-device]") {
  require_device();
  const DrivenProject project;
  const auto result = project.run({"--mutation"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  const model::Mutation mutation = project.mutation();
  CHECK(mutation.results.size() > 20);
  CHECK(mutation.sources.at("kernel.cl") == kDrivenSource);
  CHECK(model::tally(mutation.results).of(model::Verdict::Killed) > 15);
  CHECK(model::tally(mutation.results).of(model::Verdict::CompileError) == 0);

  const auto verified = project.run({"--verify", "2"});
  INFO(verified.output);
  CHECK(verified.exit_code == 0);
  CHECK_THAT(verified.output, ContainsSubstring("2 mutants: combined"));
  CHECK_THAT(verified.output, ContainsSubstring("0 of 2 verdicts differ"));
}

TEST_CASE("what was proved of survivors is kept, until --fresh", "[needs][needs-device]") {
  require_device();
  const DrivenProject project({}, "kernel void twice(global int* data, int n) {\n"
                                  "  int i = get_global_id(0);\n"
                                  "  if (i < n && i != -1)\n"
                                  "    data[i] = 2 * data[i];\n"
                                  "}\n");
  const auto proofs = [&](const std::vector<std::string>& options,
                          const std::string& environment = "") {
    const auto result = project.run(options, environment);
    INFO(result.output);
    CHECK(result.exit_code == 0);
    std::vector<std::string> found;
    for (const model::MutantResult& one : project.mutation().results)
      if (!one.mutant.proof.empty() && one.mutant.kind == model::MutantKind::Switched)
        found.push_back(one.detail);
    return found;
  };
  // If somebody ends Z3, or the machine gives it no time, that is no answer to keep.
  const std::filesystem::path killed = project.folder.path() / "killed";
  std::ofstream(killed) << "#!/bin/sh\nread line\nkill -KILL $$\n";
  std::filesystem::permissions(killed, std::filesystem::perms::owner_all);
  CHECK(proofs({"--mutation"}, "GPUTEST_SOLVER=" + killed.string()).empty());
  CHECK_THAT(project.mutation().not_mutated.back().reason,
             ContainsSubstring("did not end; the next run goes on"));
  const std::vector<std::string> proved = proofs({"--mutation"});
  CHECK(project.mutation().not_mutated.empty());
  REQUIRE_FALSE(proved.empty());
  const std::string name = project.mutation().name;
  {
    store::Store store(project.folder.path() / "results.db");
    auto kept = nlohmann::ordered_json::parse(store.document(name, "proofs"));
    for (auto& proof : kept["proofs"])
      if (!proof.get<std::string>().empty())
        proof = "as it was";
    store.put_document(name, "proofs", kept.dump());
  }
  CHECK(proofs({"--mutation"}) == std::vector<std::string>(proved.size(), "as it was"));
  CHECK(proofs({"--mutation", "--fresh"}) == proved);
}

TEST_CASE("programs of small cases are not optimised, unless that is no good",
          "[needs][needs-device][needs-pocl]") {
  require_device();
  const std::string preload = std::string("LD_PRELOAD=") + GPUTEST_CRASHING_COMPILER;
  const auto with = [&](const std::string& line, const DrivenProject& changed,
                        std::vector<std::string> options = kFew) {
    std::ofstream(changed.folder.path() / "mutants.cl", std::ios::app) << line << '\n';
    return changed.run(options, preload);
  };
  const DrivenProject unoptimised;
  const auto result = with("/* crash unoptimised */", unoptimised);
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, !ContainsSubstring("in one of their own each"));
  Undisturbed::check_same(unoptimised);
  needs("pocl",
        unoptimised.run({"--list-devices"}).output.find("Portable Computing Language") !=
            std::string::npos,
        "the device is not PoCL's; other devices' compilers always optimise");
  const DrivenProject small;
  const auto without = with("/* crash optimised */", small);
  INFO(without.output);
  CHECK(without.exit_code == 0);
  CHECK_THAT(without.output, !ContainsSubstring("SIGABRT"));
  Undisturbed::check_same(small);
  // Three work-items that go round 300,000 times are worth it.
  const std::string loop = "  for (int k = 0; k < (n == 3 ? 300000 : 0); ++k)\n    i += k & 0;\n";
  std::string source = kDrivenSource;
  source.insert(source.find("#if"), loop);
  const DrivenProject large({}, source);
  std::vector<std::string> some = kFew; // each dies by itself
  some.insert(some.end(), {"--sample", "3"});
  const auto optimised = with("/* crash optimised */", large, some);
  INFO(optimised.output);
  CHECK_THAT(optimised.output, ContainsSubstring("crashed the process: SIGABRT"));
}

TEST_CASE("mutants are not killed for what the original does out of bounds",
          "[needs][needs-device]") {
  require_device();
  // The work-item behind the last element reads behind the buffer, and has no use for it.
  const DrivenProject project({}, "kernel void twice(global int* data, int n) {\n"
                                  "  int i = get_global_id(0);\n"
                                  "  int next = data[i + 1];\n"
                                  "  if (i < n)\n"
                                  "    data[i] = next > 1000 ? 0 : 2 * data[i];\n"
                                  "}\n");
  const auto result = project.run({"--mutation"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("kernel.cl:3:14: warning: harm of the original: "
                                              "'data[i + 1]': the original accesses memory"));
  const model::Mutation mutation = project.mutation();
  REQUIRE(!mutation.not_mutated.empty());
  CHECK(mutation.not_mutated.back().construct == model::kHarmOfOriginal);
  unsigned survived = 0, killed = 0, out_of_bounds = 0;
  for (const model::MutantResult& one : mutation.results) {
    survived += one.verdict == model::Verdict::Survived;
    killed += one.verdict == model::Verdict::Killed;
    if (one.reason == model::KillReason::OutOfBounds) {
      ++out_of_bounds;
      CHECK_THAT(one.detail, !ContainsSubstring("kernel.cl:3:14")); // new harm
    }
  }
  CHECK(survived > 0);
  CHECK(killed > 5);
  CHECK(out_of_bounds > 0);
  // The same after a worker's death, from the store or not.
  project.run({"--mutation", "--fresh", "--mutant", mutation.results.back().mutant.id});
  CHECK(project.mutation().results.back().verdict == mutation.results.back().verdict);
}

TEST_CASE("mutants of the launch have a budget for what they give each work-item",
          "[needs][needs-device]") {
  require_device();
  // Each group writes all elements, so that the sizes do not matter to the results.
  DrivenProject project({}, "kernel void twice(global int* data, int n) {\n"
                            "  for (int i = get_local_id(0); i < n; i += get_local_size(0))\n"
                            "    data[i] = 2 * i;\n"
                            "}\n");
  project.description["global_size"] = {96};
  project.description["local_size"] = {96};
  project.description["test_cases"].clear();
  std::string expected;
  constexpr int kElements = 4000;
  for (int i = 0; i < kElements; ++i)
    expected += (i == 0 ? "" : ", ") + std::to_string(2 * i);
  project.add_case("all", fmt::format(R"({{"arguments": {{"data": {{"size": {0}}}, "n": {0}}},
                                          "expected": {{"data": [{1}]}}}})",
                                      kElements, expected));
  const auto result = project.run({"--mutation", "--operators", "alloc_swap"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  REQUIRE(project.mutation().results.size() == 1);
  CHECK(project.mutation().results.front().verdict == model::Verdict::Survived);
}

TEST_CASE("a mutant computes in one program what it computes alone", "[needs][needs-device]") {
  require_device();
  // Each statement leaves its value in an element of its own, so that what is said of a wrong
  // output tells values apart. Precedence, types that are converted, and sums with products are
  // where the two texts of a mutant are furthest from each other.
  const std::string source = R"(kernel void twice(global int* data, int n) {
  int i = data[0], j = data[1], k = data[2];
  uint u = data[3];
  long wide = data[4];
  short narrow = data[5];
  float f = data[6], g = data[7] * 0.3f, h = 1.7f;
  data[8] = i + j * k;
  data[9] = k - j % i << 1 & 127;
  data[10] = i << 1 | j & k;
  data[11] = i < j == k > n;
  data[12] = i + f * j;
  i -= u;
  data[13] = i;
  u += j;
  data[14] = u >> 1;
  k *= wide;
  data[15] = k;
  wide ^= j;
  data[16] = (int)wide;
  narrow -= k;
  data[17] = narrow;
  j += h;
  data[18] = j;
  f += g * h;
  data[19] = as_int(f);
  data[20] = as_int(f * g - h);
  data[21] = as_int(h - f * g * h);
  int own[3] = {i, j, k};
  own[1]++;
  data[22] = own[1] - own[n];
  own[0] = 5;
  data[23] = own[0] + own[2];
}
)";
  const std::string test_case =
      R"({"global_size": [1], "local_size": [1], "arguments": {"n": 1, "data": [-7, 5, 3, 11, -40, 6, 9, 2,
                                             0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}})";
  enum class Way { Combined, Large, Alone };  // as if there were many more
  const std::size_t sample = random_count(4); // each is compiled alone
  const auto outcomes = [&](Way way) {
    const bool alone = way == Way::Alone;
    DrivenProject project({}, source);
    project.description["test_cases"].clear();
    project.add_case("values", test_case);
    if (alone)
      for (const char* file : {"mutants.cl", "original.cl"})
        std::ofstream(project.folder.path() / file, std::ios::app) << "#error rejected\n";
    if (way == Way::Large) {
      const std::filesystem::path file = project.folder.path() / "mutants.cl";
      const std::string text = model::read_text(file).value();
      model::write_atomically(file, "#define GPUTEST_LARGE\n" + text);
    }
    const auto result =
        project.run({"--mutation", "--operators",
                     "arithmetic_replacement,assignment_replacement,"
                     "bitwise_replacement,relational_replacement,"
                     "constant_replacement,statement_deletion",
                     "--repeat", "1", "--sample", std::to_string(sample), "--seed", "2"});
    INFO(result.output);
    CHECK(result.exit_code == 0);
    CHECK(alone == (result.output.find("were built in 0 programs") != std::string::npos));
    std::map<std::string, std::pair<std::string, std::string>> by_id;
    for (const model::MutantResult& one : project.mutation().results)
      by_id[one.mutant.id] = {std::string(model::name_of(one.verdict)),
                              // alone there is no table of guards, which tells the place
                              one.detail.substr(0, one.detail.find(" at kernel.cl:"))};
    return by_id;
  };
  const auto alone = outcomes(Way::Alone);
  CHECK(alone.size() == sample);
  std::vector<Way> together{Way::Large};
  if (is_long_run()) // --verify compares some of these, too
    together.push_back(Way::Combined);
  for (const Way way : together)
    for (const auto& [id, outcome] : outcomes(way)) {
      INFO(id << ": " << outcome.first << ": " << outcome.second
              << "\nalone: " << alone.at(id).first << ": " << alone.at(id).second);
      CHECK(alone.at(id) == outcome);
    }
}

TEST_CASE("a mutant that divides the smallest number by -1 is stopped there",
          "[needs][needs-device]") {
  require_device();
  for (const auto& [operation, assignment] : {std::pair{"/", "%="}, {"%", "/="}}) {
    DrivenProject project({}, fmt::format("kernel void twice(global int* data, int n) {{\n"
                                          "  int i = get_global_id(0), d = data[i];\n"
                                          "  data[i] = (n + 1) {} d;\n"
                                          "  int m = n + 1;\n"
                                          "  m {} d;\n"
                                          "}}\n",
                                          operation, assignment));
    project.description["test_cases"].clear();
    project.add_case("least", R"({"arguments": {"data": [-1, -1, -1, -1], "n": -2147483647}})");
    const auto result = project.run({"--mutation", "--operators", "arithmetic_replacement"});
    INFO(result.output);
    CHECK(result.exit_code == 0);
    const std::vector<model::MutantResult> results = project.mutation().results;
    const auto less = std::ranges::count_if(results, [](const model::MutantResult& one) {
      return one.mutant.replacement == "n - 1" && one.reason == model::KillReason::DivisionByZero;
    });
    CHECK(less == 2);
    CHECK(std::ranges::none_of(results, [](const model::MutantResult& one) {
      return one.reason == model::KillReason::Crash;
    }));
    CHECK(project.run({"--verify", "2"}).exit_code == 0);
    if (!is_long_run())
      return; // both operations have been there
  }
}

TEST_CASE("for a device with other macros than assumed, mutants are made anew",
          "[needs][needs-device]") {
  require_device();
  const DrivenProject project({"--device-macro", "__OPENCL_VERSION__=110"});
  const auto result = project.run(kFew);
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK(std::filesystem::exists(project.folder.path() / "variants"));
  for (const model::MutantResult& one : project.mutation().results)
    CHECK(one.mutant.line <= 5); // not of the other branch
}

TEST_CASE("only mutants on changed lines", "[needs][needs-device]") {
  require_device();
  const DrivenProject project;
  const auto git = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"/usr/bin/env", "git", "-C", project.folder.path().string(), "-c",
                      "user.email=a@b.c", "-c", "user.name=a"});
    run_checked(arguments);
  };
  git({"init", "-q"});
  git({"add", "kernel.cl"});
  git({"commit", "-q", "-m", "first"});
  std::string changed = kDrivenSource;
  changed.replace(changed.find("if (i < n)"), 10, "if (n > i)");
  project.folder.write("kernel.cl", changed);
  CHECK(project.run({"--mutation", "--since", "HEAD"}).exit_code == 0);
  CHECK(project.mutation().since == "HEAD");
  CHECK(!project.mutation().results.empty());
  for (const model::MutantResult& one : project.mutation().results)
    CHECK(one.mutant.line <= 4);
  const auto unknown = project.run({"--mutation", "--since", "nowhere"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.output, ContainsSubstring("no such commit, branch or tag"));
}
