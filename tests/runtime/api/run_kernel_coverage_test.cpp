#include "gputest/run_kernel.h"
#include "model/coverage.h"
#include "tests/catch.h"
#include "tests/runtime/device_needs.h"
#include "tests/temporary_folder.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace gputest;
using namespace gputest::tests;

namespace {

struct Setup {
  TemporaryFolder folder;
  std::filesystem::path source =
      folder.write("clip.cl", "kernel void clip(global int* data, int top) {\n"
                              "  int i = get_global_id(0);\n"
                              "  if (data[i] > top) data[i] = top;\n"
                              "}\n");
  Setup() {
    gputest::tests::require_device();
    ::setenv("GPUTEST_COVERAGE_DIR", (folder.path() / "coverage").c_str(), 1);
    ::setenv("GPUTEST_DRIVER", GPUTEST_DRIVER, 1);
  }
  ~Setup() { ::unsetenv("GPUTEST_COVERAGE_DIR"); }

  std::vector<int> run(std::vector<int> data, int top) const {
    run_kernel(source, "clip", {.global_size = {data.size()}}, data, top);
    return data;
  }
  model::Tally branches() const {
    const auto file = folder.path() / "coverage" / "clip.clip.coverage.json";
    return model::tally(model::read_coverage(file)).branch;
  }
};

} // namespace

TEST_CASE("calls of run_kernel add up to one coverage result", "[needs][needs-device]") {
  const Setup setup;
  CHECK(setup.run({1, 2}, 5) == std::vector<int>{1, 2});
  CHECK(setup.branches().covered == 1);
  CHECK(setup.run({8, 9}, 5) == std::vector<int>{5, 5});
  CHECK(setup.branches().covered == 2);
  CHECK(setup.branches().total == 2);
}

TEST_CASE("another version of the source begins anew", "[needs][needs-device]") {
  const Setup setup;
  setup.run({8, 2}, 5);
  CHECK(setup.branches().covered == 2);
  setup.folder.write("clip.cl", "kernel void clip(global int* data, int top) {\n"
                                "  if (data[0] < top) data[0] = top;\n"
                                "}\n");
  setup.run({8}, 5);
  CHECK(setup.branches().covered == 1);
}

TEST_CASE("one of several processes", "[.child]") {
  std::vector<int> data{1};
  run_kernel(std::getenv("GPUTEST_CHILD_SOURCE"), "clip", {.global_size = {1}}, data, 5);
}

TEST_CASE("processes that run at once lose nothing", "[needs][needs-device]") {
  const Setup setup;
  setup.run({8}, 5);
  ::setenv("GPUTEST_CHILD_SOURCE", setup.source.c_str(), 1);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) {
      ::execl("/proc/self/exe", "child", "[.child]", nullptr);
      ::_exit(1);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const auto coverage =
      model::read_coverage(setup.folder.path() / "coverage" / "clip.clip.coverage.json");
  for (const model::SiteCoverage& entry : coverage.sites)
    if (entry.site.criterion == model::Criterion::Branch)
      CHECK(entry.hits == std::vector<std::uint64_t>{1, 4});
}
