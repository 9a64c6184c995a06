#include "process/ended.h"

#include "process/child.h"
#include "tests/catch.h"

#include <set>
#include <unistd.h>

using gputest::process::Child;
using gputest::process::Ended;
using gputest::process::Group;
using gputest::process::kTries;
using gputest::process::Tries;
using gputest::tests::ContainsSubstring;

TEST_CASE("Signals that no process raises itself are others' doing, and all others its own") {
  const std::set<int> own{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    CAPTURE(signal);
    CHECK(Ended{.signal = signal}.by_others() == !own.contains(signal));
    CHECK_FALSE(Ended{.signal = signal}.succeeded());
    CHECK_FALSE(Ended{.signal = signal, .timed_out = true}.by_others()); // we have ended it
  }
}

TEST_CASE("An exit code is others' doing only if a shell reports SIGKILL or SIGTERM with it") {
  for (int code = 0; code < 256; ++code) {
    CAPTURE(code);
    CHECK(Ended{.exit_code = code}.by_others() == (code == 137 || code == 143));
    CHECK(Ended{.exit_code = code}.succeeded() == (code == 0));
  }
}

TEST_CASE("An end that nobody knows is no success and no verdict") {
  CHECK(Ended{.is_unknown = true}.by_others());
  CHECK_FALSE(Ended{.is_unknown = true}.succeeded());
}

TEST_CASE("What others end begins again kTries times in a row, and any other end counts anew") {
  const Ended killed{.signal = SIGKILL};
  Tries tries;
  for (int round = 0; round < 3; ++round) {
    for (unsigned i = 1; i < kTries; ++i) {
      CHECK(tries.again(killed, "the program"));
      CHECK(tries.given_up().empty());
    }
    CHECK_FALSE(tries.again(Ended{.exit_code = 1}, "the program"));
    CHECK(tries.given_up().empty());
  }
  for (unsigned i = 1; i < kTries; ++i)
    CHECK(tries.again(killed, "the program"));
  CHECK_FALSE(tries.again(killed, "the program"));
  CHECK_THAT(tries.given_up(), ContainsSubstring("the program was killed by SIGKILL, 4 times in a "
                                                 "row, by somebody else or for want of memory"));
}

TEST_CASE("A child's end is told as it was, whoever caused it") {
  CHECK(Child::fork([] { ::_exit(7); }).wait().exit_code == 7);
  CHECK(Child::fork([] { throw 1; }).wait().exit_code == 1);
  CHECK(Child::fork([] {}).wait().succeeded());
  for (const int signal : {SIGKILL, SIGTERM, SIGSEGV, SIGABRT, SIGHUP}) {
    CAPTURE(signal);
    for (const Group group : {Group::Ours, Group::Own, Group::Lasting}) {
      const Ended ended = Child::fork(
                              [&] {
                                std::signal(signal, SIG_DFL);
                                ::raise(signal);
                              },
                              group)
                              .wait();
      CHECK(ended.signal == signal);
    }
  }
}
