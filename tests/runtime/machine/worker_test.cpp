#include "runtime/process/worker.h"

#include "gputest/error.h"
#include "process/ended.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <chrono>
#include <csignal>
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gputest;
using namespace gputest::runtime;
using tests::contains;
using tests::message_of;

namespace {

// Runs `count` cases, each by `body`, and returns "verdict: message" for each.
std::map<std::size_t, std::string> run(std::size_t count, double timeout,
                                       const std::function<void(std::size_t)>& body) {
  std::map<std::size_t, std::string> verdicts;
  run_isolated({
      .cases = count,
      .timeout = timeout,
      .work =
          [&](const WorkerChannel& channel, std::size_t first) {
            for (std::size_t i = first; i < count; ++i) {
              channel.start(i);
              channel.phase("kernel 'k'");
              body(i);
              channel.done(i, "fine");
            }
          },
      .on_info = {},
      .on_done = [&](std::size_t i,
                     const Json& message) { verdicts[i] = "done: " + message.get<std::string>(); },
      .on_lost = [&](std::size_t i, Loss loss, const std::string& message,
                     double) { verdicts[i] = std::string(name_of(loss)) + ": " + message; },
  });
  return verdicts;
}

} // namespace

TEST_CASE("a crash is charged to its case, and the others run") {
  const auto verdicts = run(4, 60, [](std::size_t i) {
    if (i == 1)
      std::raise(SIGSEGV);
    if (i == 2)
      ::_exit(5);
  });
  REQUIRE(verdicts.size() == 4);
  CHECK(verdicts.at(0) == "done: fine");
  CHECK(verdicts.at(1) ==
        "crashed: kernel 'k' crashed the process: SIGSEGV (often an access out of "
        "bounds or a divergent barrier)");
  CHECK(contains(verdicts.at(2), "it exited with code 5"));
  CHECK(verdicts.at(3) == "done: fine");
}

TEST_CASE("a hang ends after the time-out, and the others run") {
  const auto start = std::chrono::steady_clock::now();
  const auto verdicts = run(2, 2, [](std::size_t i) {
    while (i == 0)
      ::pause();
  });
  CHECK(contains(verdicts.at(0), "timeout: kernel 'k' timed out after 2 s"));
  CHECK(verdicts.at(1) == "done: fine");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::minutes(2));
}

// Numbers that workers and their parent share.
class SharedCounts {
public:
  SharedCounts() {
    void* const memory = ::mmap(nullptr, sizeof(int) * 16, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    counts_ = static_cast<int*>(memory);
  }
  SharedCounts(const SharedCounts&) = delete;
  SharedCounts& operator=(const SharedCounts&) = delete;
  ~SharedCounts() { ::munmap(counts_, sizeof(int) * 16); }
  int& operator[](std::size_t i) { return counts_[i]; }

private:
  int* counts_;
};

TEST_CASE("a case whose worker somebody else ends is run again") {
  const int signal = GENERATE(SIGKILL, SIGTERM, SIGXCPU, SIGHUP);
  INFO(process::signal_name(signal));
  SharedCounts begun;
  const auto verdicts = run(4, 60, [&](std::size_t i) {
    ++begun[i];
    if (i == 1 && begun[i] < 3) {
      ::signal(signal, SIG_DFL); // nohup leaves SIGHUP ignored
      ::kill(::getpid(), signal);
    }
  });
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(verdicts.at(i) == "done: fine");
    CHECK(begun[i] == (i == 1 ? 3 : 1));
  }
}

TEST_CASE("a worker that is ended again and again is an error, and the others run") {
  SharedCounts begun;
  const auto verdicts = run(3, 60, [&](std::size_t i) {
    ++begun[i];
    if (i == 1)
      ::kill(::getpid(), SIGKILL);
  });
  CHECK(begun[1] == static_cast<int>(process::kTries));
  CHECK(contains(verdicts.at(1), "error: the worker process was killed by SIGKILL, 4 times in a "
                                 "row, by somebody else or for want of memory"));
  CHECK(verdicts.at(0) == "done: fine");
  CHECK(verdicts.at(2) == "done: fine");
}

TEST_CASE("a worker that somebody else ends outside any case begins again") {
  const bool has_cases = GENERATE(true, false);
  const unsigned deaths = GENERATE(1u, 100u);
  SharedCounts begun;
  bool told = false;
  const auto run_it = [&] {
    run_isolated({.cases = has_cases ? 1u : 0u,
                  .work =
                      [&](const WorkerChannel& channel, std::size_t) {
                        if (static_cast<unsigned>(++begun[0]) <= deaths)
                          std::raise(SIGKILL);
                        channel.info("here");
                        if (has_cases) {
                          channel.start(0);
                          channel.done(0, "fine");
                        }
                      },
                  .on_info = [&](const Json&) { told = true; },
                  .on_done = [](std::size_t, const Json&) {},
                  .on_lost = {}});
  };
  if (deaths == 1) {
    run_it();
    CHECK(told);
    CHECK(begun[0] == 2);
  } else {
    CHECK(contains(message_of<DeviceError>(run_it), "killed by SIGKILL, 4 times in a row"));
  }
}

TEST_CASE("a worker that is stopped until its time is over is no time-out") {
  SharedCounts begun;
  const auto verdicts = run(2, 0.3, [&](std::size_t i) {
    if (i == 0 && ++begun[0] == 1)
      std::raise(SIGSTOP);
  });
  CHECK(begun[0] == 2);
  CHECK(verdicts.at(0) == "done: fine");
  CHECK(verdicts.at(1) == "done: fine");
}

TEST_CASE("exceptions of the worker are those of the run") {
  const auto throwing = [](auto error) {
    return [=] {
      run_isolated({.cases = 1,
                    .work = [=](const WorkerChannel&, std::size_t) { throw error; },
                    .on_info = {},
                    .on_done = {},
                    .on_lost = {}});
    };
  };
  CHECK(message_of<UsageError>(throwing(UsageError("wrong"))) == "wrong");
  CHECK(message_of<NoDevice>(throwing(NoDevice())) == "skipped: no OpenCL device");
  CHECK(message_of<NoDevice>(throwing(NoDevice("no CUDA GPU"))) == "skipped: no CUDA GPU");
  CHECK(message_of<DeviceError>(throwing(std::runtime_error("broken"))) == "broken");
}

TEST_CASE("a worker that dies before any case says so") {
  const std::string message = message_of<DeviceError>([] {
    run_isolated({.cases = 1,
                  .work = [](const WorkerChannel&, std::size_t) { std::raise(SIGABRT); },
                  .on_info = {},
                  .on_done = {},
                  .on_lost = {}});
  });
  CHECK(contains(message, "outside any test case: SIGABRT"));
}

TEST_CASE("long messages arrive whole") {
  std::string received;
  const std::string sent(1'000'000, 'x');
  run_isolated({.work = [&](const WorkerChannel& channel, std::size_t) { channel.info(sent); },
                .on_info = [&](const Json& text) { received = text.get<std::string>(); },
                .on_done = {},
                .on_lost = {}});
  CHECK(received == sent);
}

TEST_CASE("no worker outlives its parent, however that ends") {
  const int signal = GENERATE(SIGKILL, SIGTERM, SIGINT);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    std::signal(SIGTERM, SIG_DFL); // Catch2 has handlers
    std::signal(SIGINT, SIG_DFL);
    ::setsid(); // signals reach the parent alone, not by way of the terminal
    run_isolated({.cases = 1,
                  .work =
                      [&](const WorkerChannel&, std::size_t) {
                        const pid_t worker = ::getpid();
                        if (::write(ends[1], &worker, sizeof worker) > 0)
                          ::pause();
                      },
                  .on_info = {},
                  .on_done = {},
                  .on_lost = {}});
    ::_exit(0);
  }
  pid_t worker = 0;
  REQUIRE(::read(ends[0], &worker, sizeof worker) == sizeof worker);
  ::kill(parent, signal);
  int status = 0;
  REQUIRE(::waitpid(parent, &status, 0) == parent);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == signal);
  // The write end is closed when the last of them is gone.
  ::close(ends[1]);
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 0);
  ::close(ends[0]);
}

TEST_CASE("a worker that gives up says why, and as what") {
  std::vector<std::string> lost;
  run_isolated(
      {.cases = 4,
       .work =
           [](const WorkerChannel& channel, std::size_t first) {
             channel.start(first);
             channel.phase("kernel 'k'");
             if (first == 0)
               channel.lose("the device is gone");
             if (first == 1)
               channel.lose("kernel 'k': a fault");
             if (first == 2)
               channel.lose("too many iterations", Loss::Exhausted);
             channel.done(first, {});
           },
       .on_info = {},
       .on_done = [&](std::size_t, const Json&) { lost.emplace_back("done"); },
       .on_lost = [&](std::size_t, Loss loss, const std::string& message,
                      double) { lost.push_back(std::string(name_of(loss)) + ": " + message); }});
  CHECK(lost == std::vector<std::string>{"crashed: kernel 'k': the device is gone",
                                         "crashed: kernel 'k': a fault",
                                         "exhausted: too many iterations", "done"});
}
