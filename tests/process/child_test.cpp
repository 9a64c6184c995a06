#include "process/child.h"

#include "process/command.h"
#include "process/descriptor.h"
#include "process/memory_file.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gputest::process;
using gputest::tests::ContainsSubstring;
using gputest::tests::TemporaryFolder;

namespace {

// What a program prints.
std::string output_of(Program program) {
  Ends ends = pipe_to_us();
  program.descriptors.emplace_back(ends.theirs.number(), STDOUT_FILENO);
  Child child = Child::start(program);
  ends.theirs.close();
  std::string text = read_all(ends.ours.number());
  child.wait();
  return text;
}

bool is_gone_soon(pid_t process) {
  for (int i = 0; i < 500; ++i) {
    if (::kill(process, 0) != 0 && errno == ESRCH)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

} // namespace

TEST_CASE("A program has the variables, the folder and the words that it is given") {
  const TemporaryFolder folder;
  ::setenv("GPUTEST_OURS", "old", 1);
  CHECK(output_of({.words = {"sh", "-c", "echo \"$0 $1 $GPUTEST_OURS $GPUTEST_NEW $(pwd -P)\"",
                             "a b", ""},
                   .environment = {{"GPUTEST_OURS", "new"}, {"GPUTEST_NEW", "=x"}},
                   .folder = folder.path().string()}) ==
        "a b  new =x " + std::filesystem::canonical(folder.path()).string() + "\n");
  ::unsetenv("GPUTEST_OURS");
}

TEST_CASE("Descriptors arrive where they are wanted, also if they change places") {
  const MemoryFile one("one"), two("two");
  one.write_at(0, std::as_bytes(std::span(std::string_view("1"))));
  two.write_at(0, std::as_bytes(std::span(std::string_view("2"))));
  const int first = one.descriptor(), second = two.descriptor();
  CHECK(output_of({.words = {"sh", "-c",
                             "cat /proc/self/fd/" + std::to_string(first) + " /proc/self/fd/" +
                                 std::to_string(second)},
                   .descriptors = {{first, second}, {second, first}}}) == "21");
  CHECK(output_of({.words = {"sh", "-c",
                             "test -e /proc/self/fd/" + std::to_string(first) +
                                 " || echo closed"}}) == "closed\n");
}

TEST_CASE("A program that cannot be started is named, with the reason") {
  const TemporaryFolder folder;
  try {
    Child::start({.words = {"/no/such/program"}});
    FAIL("it was started");
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()) ==
          "/no/such/program: error: cannot be run: No such file or directory");
  }
  CHECK_THROWS_AS(Child::start({.words = {folder.path().string()}}), std::runtime_error);
  CHECK_THROWS_AS(Child::start({.words = {"true"}, .folder = "/no/such/folder"}),
                  std::runtime_error);
  CHECK_THROWS_AS(Child::start({.words = {"true"}, .descriptors = {{1000, 3}}}),
                  std::runtime_error);
  CHECK(::waitpid(-1, nullptr, WNOHANG) < 0); // and no child is left of them
}

TEST_CASE("A handler of this process does not run in a program that it starts") {
  static std::atomic<int> handled = 0;
  const auto before = std::signal(SIGUSR1, [](int) { ++handled; });
  Child child = Child::start({.words = {"sh", "-c", "kill -USR1 $$; sleep 20"}});
  CHECK(child.wait().signal == SIGUSR1);
  CHECK(handled == 0);
  std::signal(SIGUSR1, before);
}

TEST_CASE("What a child has started ends with it if it leads a group") {
  for (const Group group : {Group::Own, Group::Lasting}) {
    Ends ends = pipe_to_us();
    Child child = Child::start({.words = {"sh", "-c", "sleep 100 & echo $!"},
                                .descriptors = {{ends.theirs.number(), STDOUT_FILENO}},
                                .group = group});
    ends.theirs.close();
    const pid_t group_number = child.id();
    char text[32] = {};
    REQUIRE(::read(ends.ours.number(), text, sizeof text - 1) > 0);
    const pid_t left = std::atoi(text);
    CHECK(child.wait().succeeded());
    if (group == Group::Lasting) {
      CHECK(::kill(left, 0) == 0);
      ::kill(-group_number, SIGKILL);
    }
    CHECK(is_gone_soon(left));
  }
}

TEST_CASE(
    "A child is killed with the object that owns it, and not by a fork's copy of that object") {
  pid_t process = 0;
  {
    Child child = Child::start({.words = {"sleep", "100"}});
    process = child.id();
    CHECK(Child::fork([copy = &child] { *copy = Child(); }).wait().succeeded());
    CHECK_FALSE(child.look());
    Child moved = std::move(child);
    CHECK_FALSE(child.runs()); // NOLINT(bugprone-use-after-move)
    CHECK(moved.id() == process);
  }
  CHECK(is_gone_soon(process));
}

TEST_CASE("Waiting ends when it is over, and tells an end that came before") {
  Child slow = Child::fork([] { ::sleep(100); });
  int looks = 0;
  CHECK_FALSE(slow.wait([&] { return ++looks == 3; }));
  CHECK(slow.runs());
  CHECK(slow.end().signal == SIGKILL);
  const auto ended = Child::fork([] { ::_exit(3); }).wait([] { return false; });
  REQUIRE(ended);
  CHECK(ended->exit_code == 3);
  Child left_behind = Child::fork([] {
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(left_behind.end().signal == SIGABRT); // what it did by itself, not that it was killed
}

TEST_CASE("Nobody's child runs without a child of ours, and says why it could not start") {
  CHECK(run_command({"/bin/sh", "-c", "exit 3"}).exit_code == 3);
  CHECK(run_command({"/bin/sh", "-c", "kill -TERM $$"}).ended.by_others());
  // Whoever ends the process that waits for the command hides how the command ends.
  const CommandResult hidden = run_command({"/bin/sh", "-c", "kill -KILL $PPID"});
  CHECK(hidden.ended.by_others());
  CHECK(hidden.exit_code == 127);
  const CommandResult missing = run_command({"/no/such/program"});
  CHECK(missing.exit_code == 127);
  CHECK_THAT(missing.output, ContainsSubstring("No such file"));
}

TEST_CASE("A file in memory keeps its bytes for whoever maps, reads or changes it") {
  MemoryFile file("test", 10);
  CHECK(file.size() == 10);
  CHECK(file.text() == std::string(10, '\0'));
  file.write_at(2, std::as_bytes(std::span(std::string_view("abc"))));
  CHECK(static_cast<char>(file.map()[4]) == 'c');
  file.map()[5] = std::byte{'d'};
  std::vector<std::byte> read(4);
  file.read_at(2, read);
  CHECK(static_cast<char>(read[3]) == 'd');
  CHECK_THROWS_AS(file.read_at(8, read), std::runtime_error);
  file.clear(3);
  CHECK(file.text() == std::string(3, '\0'));
  file.clear(0);
  CHECK(file.map().empty());
}
