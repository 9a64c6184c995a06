// The harness and the gputest command together: mutants made of a source, not written by hand.
#include "model/mutation.h"
#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

using namespace gputest;
using namespace gputest::tests;

namespace {

constexpr const char* kSource = "kernel void twice(global int* data, int n) {\n"
                                "  int i = get_global_id(0);\n"
                                "#if __OPENCL_VERSION__ >= 120\n"
                                "  if (i < n)\n"
                                "    data[i] = 2 * data[i];\n"
                                "#else\n"
                                "  data[i] = 77;\n"
                                "#endif\n"
                                "}\n";

void run_checked(const std::vector<std::string>& command) {
  const auto result = runtime::run_command(command);
  if (result.exit_code != 0)
    throw std::runtime_error(result.output);
}

class DrivenProject : public HarnessProject {
public:
  // `options` are for `gputest mutants`.
  explicit DrivenProject(const std::vector<std::string>& options = {})
      : HarnessProject(kSource, kernel_interface(
                                    "twice", {pointer("data", kInt, true), by_value("n", kInt)})) {
    std::vector<std::string> command{GPUTEST_DRIVER,
                                     "mutants",
                                     (folder.path() / "kernel.cl").string(),
                                     "--source-root",
                                     folder.path().string(),
                                     "--output-dir",
                                     folder.path().string()};
    command.insert(command.end(), options.begin(), options.end());
    run_checked(command);
    description["driver"] = GPUTEST_DRIVER;
    description["mutation"] = {{"store", (folder.path() / "results.db").string()}};
    add_case("three", R"({"arguments": {"data": [1, 2, 3, 4], "n": 3},
                          "expected": {"data": [2, 4, 6, 4]}})");
  }

  model::Mutation mutation() const { return model::read_mutation(folder.path() / "mutation.json"); }
};

} // namespace

TEST_CASE("mutants of a source run; alone they get the same verdicts") {
  require_device();
  const DrivenProject project;
  const auto result = project.run({"--mutation"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  const model::Mutation mutation = project.mutation();
  CHECK(mutation.results.size() > 20);
  CHECK(mutation.sources.at("kernel.cl") == kSource);
  CHECK(model::tally(mutation.results).of(model::Verdict::Killed) > 15);
  CHECK(model::tally(mutation.results).of(model::Verdict::CompileError) == 0);

  const auto verified = project.run({"--verify", "6"});
  INFO(verified.output);
  CHECK(verified.exit_code == 0);
  CHECK_THAT(verified.output, ContainsSubstring("6 mutants: combined"));
  CHECK_THAT(verified.output, ContainsSubstring("0 of 6 verdicts differ"));
}

TEST_CASE("a device that rejects the mutants of one site gets pieces without it") {
  require_device();
  const DrivenProject project;
  CHECK(project.run({"--mutation"}).exit_code == 0);
  const std::vector<model::MutantResult> whole = project.mutation().results;
  const auto rejected = std::ranges::find_if(whole, [](const model::MutantResult& one) {
    return one.mutant.kind == model::MutantKind::Switched &&
           one.verdict == model::Verdict::Killed && one.mutant.site > 1;
  });
  REQUIRE(rejected != whole.end());

  // What the gputest command writes for that site, or for more with it, is no OpenCL C.
  const std::filesystem::path driver = project.folder.write(
      "rejecting",
      fmt::format("#!/bin/sh\n{0} \"$@\" || exit $?\n"
                  "while [ $# -gt 1 ]; do\n  case $1 in\n    --sites) sites=$2;;\n"
                  "    --output) out=$2;;\n  esac\n  shift\ndone\n"
                  "if [ -n \"$sites\" ] && [ ${{sites%-*}} -le {1} ] && [ ${{sites#*-}} -ge "
                  "{1} ]; then\n  echo '#error rejected' >> $out\nfi\nexit 0\n",
                  GPUTEST_DRIVER, rejected->mutant.site));
  std::filesystem::permissions(driver, std::filesystem::perms::owner_all);
  DrivenProject pieces;
  pieces.description["driver"] = driver.string();
  std::ofstream(pieces.folder.path() / "mutants.cl", std::ios::app) << "#error rejected\n";
  const auto result = pieces.run({"--mutation"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.output, ContainsSubstring("in one of their own each"));
  const std::vector<model::MutantResult> parts = pieces.mutation().results;
  REQUIRE(parts.size() == whole.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    INFO(parts[i].mutant.id);
    CHECK(parts[i].verdict == whole[i].verdict);
    CHECK(parts[i].reached_by == whole[i].reached_by);
  }
}

TEST_CASE("for a device with other macros than assumed, mutants are made anew") {
  require_device();
  const DrivenProject project({"--device-macro", "__OPENCL_VERSION__=110"});
  const auto result = project.run({"--mutation", "--operators", "conventional"});
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK(std::filesystem::exists(project.folder.path() / "variants"));
  for (const model::MutantResult& one : project.mutation().results)
    CHECK(one.mutant.line <= 5); // not of the other branch
}

TEST_CASE("only mutants on changed lines") {
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
  std::string changed = kSource;
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
