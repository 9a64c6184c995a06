#include "program/child.h"

#include "model/files.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fcntl.h>
#include <fstream>
#include <unistd.h>

using gputest::program::ChildSettings;
using gputest::program::run_child;
using gputest::tests::TemporaryFolder;

namespace {

// Another standard input, until the end of the test.
class Input {
public:
  explicit Input(const std::filesystem::path& file) : before_(::dup(STDIN_FILENO)) {
    const int opened = ::open(file.c_str(), O_RDONLY);
    ::dup2(opened, STDIN_FILENO);
    ::close(opened);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }

private:
  int before_;
};

} // namespace

TEST_CASE("How a program ended is told") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& script, double timeout = 0) {
    ChildSettings settings;
    settings.command = {"sh", "-c", script};
    settings.output = folder.path() / "output.txt";
    settings.timeout = timeout;
    return run_child(settings);
  };
  CHECK(run("exit 3").text() == "exit code 3");
  CHECK(run("kill -SEGV $$").text() == "killed by SIGSEGV");
  CHECK(run("sleep 20", 0.1).timed_out);
  CHECK(run("echo out; echo err >&2").succeeded());
  CHECK(gputest::model::read_text(folder.path() / "output.txt") == "out\nerr\n");
}

TEST_CASE("A second run has the input of the first, from where that began") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "input.txt") << "one\ntwo\n";
  const Input input(folder.path() / "input.txt");
  ::lseek(STDIN_FILENO, 4, SEEK_SET);
  const auto from = gputest::program::repeatable_input();
  REQUIRE(from == 4);
  ::lseek(STDIN_FILENO, 0, SEEK_END); // the first has read it
  ChildSettings settings;
  settings.command = {"cat"};
  settings.output = folder.path() / "output.txt";
  CHECK(run_child(settings).succeeded());
  CHECK(gputest::model::read_text(settings.output) == "");
  settings.input_from = from;
  CHECK(run_child(settings).succeeded());
  CHECK(gputest::model::read_text(settings.output) == "two\n");
}

TEST_CASE("A pipe cannot be read twice, and nothing can") {
  {
    const Input input("/dev/null");
    CHECK(gputest::program::repeatable_input() == 0);
  }
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  {
    const Input input("/proc/self/fd/" + std::to_string(ends[0]));
    CHECK_FALSE(gputest::program::repeatable_input().has_value());
  }
  ::close(ends[0]);
  ::close(ends[1]);
}
