#include "process/children.h"

#include "model/files.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sched.h>
#include <unistd.h>

using gputest::process::ChildSettings;
using gputest::process::run_child;
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

TEST_CASE("The time in which others have the processor does not count for a limit") {
  const TemporaryFolder folder;
  cpu_set_t before, one;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &before))
      CPU_SET(i, &one);
  constexpr double kLimit = 0.3;
  gputest::process::Children children;
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  for (std::size_t i = 0; i < 3; ++i) {
    ChildSettings settings;
    settings.command = {"sh", "-c", i == 2 ? "sleep 1000" : "while :; do :; done"};
    settings.output = folder.path() / fmt::format("output{}.txt", i);
    settings.timeout = kLimit;
    children.start(i, settings);
  }
  ::sched_setaffinity(0, sizeof before, &before);
  std::map<std::size_t, double> seconds;
  while (children.count() != 0) {
    const auto [number, ended] = children.wait();
    CHECK(ended.timed_out);
    seconds[number] = ended.seconds;
  }
  // Two share the processor: each had at most half of the first limit.
  CHECK(seconds[0] > 1.2 * kLimit);
  CHECK(seconds[1] > 1.2 * kLimit);
  CHECK(seconds[2] < seconds[0]); // it waits for no processor
}

TEST_CASE("A second run has the input of the first, from where that began") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "input.txt") << "one\ntwo\n";
  const Input input(folder.path() / "input.txt");
  ::lseek(STDIN_FILENO, 4, SEEK_SET);
  const auto from = gputest::process::repeatable_input();
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

TEST_CASE("Input is repeatable if it is a file or /dev/null, and not if it is a pipe") {
  {
    const Input input("/dev/null");
    CHECK(gputest::process::repeatable_input() == 0);
  }
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  {
    const Input input("/proc/self/fd/" + std::to_string(ends[0]));
    CHECK_FALSE(gputest::process::repeatable_input().has_value());
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("A child that has a descriptor is heard, and ended") {
  const TemporaryFolder folder;
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  gputest::process::Children children;
  ChildSettings settings;
  settings.command = {"sh", "-c", "echo hello >&" + std::to_string(ends[1]) + "; sleep 20"};
  settings.output = folder.path() / "output.txt";
  settings.descriptor = ends[1];
  children.start(7, settings);
  CHECK(children.process(7) > 0);
  CHECK(children.process(8) == 0);
  CHECK_FALSE(children.wait({ends[0]})); // there is something to read
  char text[7] = {};
  CHECK(::read(ends[0], text, 6) == 6);
  CHECK(std::string(text) == "hello\n");
  children.end(8);
  CHECK(children.count() == 1);
  children.end(7);
  CHECK(children.count() == 0);

  settings.command = {"sh", "-c", "exit 4"};
  children.start(9, settings);
  const auto ended = children.wait({ends[0]}); // nothing is said
  REQUIRE(ended);
  CHECK(ended->first == 9);
  CHECK(ended->second.exit_code == 4);
  settings.command = {"sh", "-c", "sleep 20"};
  settings.timeout = 0.1;
  children.start(10, settings);
  const auto late = children.wait({ends[0]});
  REQUIRE(late);
  CHECK(late->second.timed_out);
  ::close(ends[0]);
  ::close(ends[1]);
}
