#include "runtime/variants/instrument.h"

#include "gputest/error.h"
#include "process/command.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace gputest;
using namespace gputest::runtime;
using tests::contains;
using tests::message_of;

namespace {

// A stand-in for the gputest command that notes each call in calls.txt and writes empty results.
constexpr const char* kDriver = R"(#!/bin/sh
here=$(dirname "$0")
echo "$@" >> "$here/calls.txt"
while [ $# -gt 0 ]; do
  case "$1" in
    --output-dir) out=$2;;
    --depfile) dep=$2;;
    -D) if [ "$2" = FAIL=2 ]; then echo "k.cl:1:1: error: wrong"; exit 2; fi
        if [ "$2" = FAIL=3 ]; then echo "bang"; exit 3; fi;;
  esac
  shift
done
touch "$out/coverage.cl" "$out/sites.json"
echo "coverage.cl: $here/k.cl $here/my\\ header.h" > "$dep"
)";

struct Setup {
  tests::TemporaryFolder folder;
  InstrumentRequest request;
  std::filesystem::path driver, cache;

  Setup() {
    driver = folder.write("driver.sh", kDriver);
    std::filesystem::permissions(driver, std::filesystem::perms::owner_all);
    request.source = folder.write("k.cl", "kernel void k() {}");
    folder.write("my header.h", "");
    cache = folder.path() / "cache";
  }
  std::filesystem::path run() { return instrument(request, driver, cache); }
  auto calls() const {
    const std::string text = folder.read("calls.txt");
    return std::count(text.begin(), text.end(), '\n');
  }
};

} // namespace

TEST_CASE("the same request is instrumented once, until an input changes") {
  Setup setup;
  const auto first = setup.run();
  CHECK(setup.run() == first);
  CHECK(setup.calls() == 1);
  setup.folder.write("my header.h", "#define X");
  CHECK(setup.run() == first);
  CHECK(setup.calls() == 2);
  setup.request.settings.definitions = {"N=3"};
  CHECK(setup.run() != first);
  CHECK(setup.calls() == 3);
}

TEST_CASE("the driver gets everything that decides what it instruments") {
  Setup setup;
  setup.request.function = "f";
  setup.request.settings = {{"-w"}, {"N=3"}, {"/include"}, "CL1.2"};
  setup.request.device_macros = {{"cl_khr_fp64", "1", "", 0}, {"cl_khr_fp16", std::nullopt, "", 0}};
  setup.run();
  CHECK(contains(setup.folder.read("calls.txt"),
                 "k.cl --function f -D N=3 -I /include --cl-std CL1.2 --device-macro cl_khr_fp64=1 "
                 "--no-device-macro cl_khr_fp16 --output-dir"));
}

TEST_CASE("a driver that fails says why, and the next call tries again") {
  Setup setup;
  setup.request.settings.definitions = {"FAIL=2"};
  CHECK(message_of<UsageError>([&] { setup.run(); }) == "k.cl:1:1: error: wrong\n");
  CHECK_THROWS_AS(setup.run(), UsageError);
  CHECK(setup.calls() == 2);
  setup.request.settings.definitions = {"FAIL=3"};
  CHECK(contains(message_of<DeviceError>([&] { setup.run(); }), "failed with exit code 3:\nbang"));
}

TEST_CASE("a driver that is not there is named") {
  CHECK(contains(message_of<DeviceError>([] { find_driver(""); }), "GPUTEST_DRIVER"));
  CHECK(contains(message_of<DeviceError>([] { find_driver("/no/such/gputest"); }),
                 "/no/such/gputest"));
}

TEST_CASE("commands that cannot be started or are killed have an exit code too") {
  CHECK(process::run_command({"/no/such/command"}).exit_code == 127);
  CHECK(process::run_command({"/bin/sh", "-c", "kill -9 $$"}).exit_code == 137);
  const process::CommandResult result =
      process::run_command({"/bin/sh", "-c", "echo out; echo err >&2; exit 4"});
  CHECK(result.exit_code == 4);
  CHECK(result.output == "out\nerr\n");
}

TEST_CASE("a command that is started is nobody's child and has the descriptors it is given alone") {
  CHECK_THROWS_AS(process::start_command({"/no/such/command"}, {}), std::runtime_error);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t process =
      process::start_command({"/bin/sh", "-c",
                              "echo $$ >&3; for n in 0 1 2 3 4 5 6 7 8 9; do "
                              "[ -e /proc/$$/fd/$n ] && printf '%s ' $n; done >&3"},
                             {ends[1]});
  ::close(ends[1]);
  std::string text;
  for (char letter = 0; ::read(ends[0], &letter, 1) == 1;)
    text += letter;
  ::close(ends[0]);
  CHECK(text == std::to_string(process) + "\n0 1 2 3 ");
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}
