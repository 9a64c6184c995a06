#include "driver/report/git.h"
#include "tests/catch.h"
#include "tests/shell.h"
#include "tests/temporary_folder.h"

#include <fmt/format.h>

using namespace gputest;

TEST_CASE("a commit is dirty when files that people save differ from it") {
  const tests::TemporaryFolder folder;
  folder.write("kernels/one.cl", "kernel void one() {}\n");
  folder.write(".gitignore", "ignored\n");
  const auto git = [&](const std::string& words) {
    const tests::Ran ran = tests::run_shell(fmt::format(
        "git -C '{}' -c user.name=a -c user.email=a@b {}", folder.path().string(), words));
    INFO(ran.output);
    REQUIRE(ran.exit_code == 0);
  };
  CHECK(driver::commit_of(folder.path()).empty()); // no work tree
  git("init -q");
  git("add .");
  git("commit -q -m one");
  const std::string clean = driver::commit_of(folder.path());
  CHECK(clean.size() == 12);
  const auto dirty_below = [&](const std::string& part) {
    const std::string commit = driver::commit_of(folder.path() / part);
    REQUIRE(commit.starts_with(clean));
    return commit == clean + "-dirty";
  };

  // What is no source.
  folder.write("build/CMakeCache.txt", "");
  folder.write("build/gputest/one/harness.cpp", "int main() {}\n");
  folder.write(".editor/settings", "");
  folder.write("kernels/one.cl~", "");
  folder.write("__pycache__/one.pyc", "");
  folder.write("ignored", "");
  CHECK_FALSE(dirty_below("."));

  // A source that Git does not have, also one whose name Git would write in quotes.
  folder.write("new/k\303\244se \"1\".json", "{}\n");
  CHECK(dirty_below("."));
  CHECK_FALSE(dirty_below("kernels"));
  git("add .");
  CHECK(dirty_below("."));
  git("commit -q -m two");

  folder.write("kernels/one.cl", "kernel void one(int n) {}\n");
  CHECK(driver::commit_of(folder.path()).ends_with("-dirty"));
}
