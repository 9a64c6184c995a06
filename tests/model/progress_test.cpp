#include "process/progress.h"

#include "model/mutation/progress.h"
#include "tests/catch.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <string>
#include <unistd.h>

namespace gputest::model {
namespace {

using process::fitting;
using process::ProgressInbox;
using process::ProgressLine;

// Standard output is none.
class NoTerminal {
public:
  NoTerminal() : before_(::dup(STDOUT_FILENO)) {
    const int nothing = ::open("/dev/null", O_WRONLY);
    ::dup2(nothing, STDOUT_FILENO);
    ::close(nothing);
  }
  ~NoTerminal() {
    std::fflush(stdout);
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
  }
  NoTerminal(const NoTerminal&) = delete;
  NoTerminal& operator=(const NoTerminal&) = delete;

private:
  int before_;
};

} // namespace

TEST_CASE("what is cut to a width ends between characters") {
  CHECK(fitting("abc", 5) == "abc");
  CHECK(fitting("abc", 3) == "abc");
  CHECK(fitting("abc", 2) == "ab");
  CHECK(fitting("é→x", 2) == "é→");
  CHECK(fitting("é→x", 1) == "é");
  CHECK(fitting("é→x", 0).empty());
}

TEST_CASE("The progress line counts the mutants that have run and those that survive") {
  CHECK(progress_text(0, 1200, 0, 0, 0) == "0/1200 mutants, 0 killed, 0 survived");
  CHECK(progress_text(340, 1200, 210, 12, 430) ==
        "340/1200 mutants, 210 killed, 12 survived, 430 per second, 2 s left");
}

TEST_CASE("how far a run is arrives where it is shown") {
  const NoTerminal no_terminal;
  {
    ProgressLine nobody("early"); // nobody listens, and nothing happens
    CHECK_FALSE(nobody.is_due());
  }
  ProgressInbox inbox;
  CHECK_FALSE(inbox.next());
  {
    ProgressLine line("sum");
    CHECK(line.is_due());
    line.show("1/9\nand more");
    CHECK_FALSE(line.is_due());
    const auto message = inbox.next();
    REQUIRE(message);
    CHECK(message->process == ::getpid());
    CHECK(message->name == "sum");
    CHECK(message->text == "1/9 and more");
    CHECK_FALSE(inbox.next());
  }
  const auto last = inbox.next();
  REQUIRE(last);
  CHECK(last->text.empty());
}

TEST_CASE("where nobody has a terminal, standard error gets a line from time to time") {
  const NoTerminal no_terminal;
  std::FILE* const said = std::tmpfile();
  const int before = ::dup(STDERR_FILENO);
  ::dup2(::fileno(said), STDERR_FILENO);
  {
    ProgressLine line("sum", std::chrono::milliseconds(0));
    if (line.is_due())
      line.show("1/9");
    ProgressLine later("later", std::chrono::hours(1));
    if (later.is_due())
      later.show("too early");
  }
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  std::rewind(said);
  char text[64] = {};
  CHECK(std::fread(text, 1, sizeof text, said) == 9);
  CHECK(std::string(text) == "sum: 1/9\n");
  std::fclose(said);
}

TEST_CASE("Showing progress neither waits nor fails if nobody reads it") {
  const NoTerminal no_terminal;
  std::optional<ProgressInbox> inbox(std::in_place);
  ProgressLine line("sum");
  for (int i = 0; i < 10000; ++i)
    line.show("text"); // neither waits
  inbox.reset();
  line.show("text"); // nor ends this process
  CHECK(std::getenv("GPUTEST_PROGRESS") == nullptr);
}

} // namespace gputest::model
