// Which launches stay of those that processes of a program keep.
#include "model/files.h"
#include "model/launches/launch_records.h"
#include "process/child.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <map>
#include <sys/resource.h>

using namespace gputest::model;
using namespace gputest::tests;

namespace fs = std::filesystem;

namespace {

LaunchSnapshot launch(std::uint64_t threads, std::uint64_t number, std::uint64_t content) {
  LaunchSnapshot snapshot{
      .launch = {}, .contents = fmt::format("contents {}", content), .content = content};
  snapshot.launch.kernel = snapshot.launch.mangled = "k";
  snapshot.launch.file = "k.cu";
  snapshot.launch.code = "c.code";
  snapshot.launch.code_digest = "c";
  snapshot.launch.grid = {threads, 1, 1};
  snapshot.launch.block = {1, 1, 1};
  snapshot.launch.number = number;
  return snapshot;
}

// Threads and numbers of those that are there.
std::vector<std::pair<std::uint64_t, std::uint64_t>> kept(const LaunchRecords& records) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const RecordedLaunches& one : records.read())
    if (!one.launch.left_out)
      found.emplace_back(one.launch.threads(), one.launch.number);
  std::ranges::sort(found);
  return found;
}

} // namespace

TEST_CASE("The largest launches with different contents stay, and of equal ones the first",
          "[launches]") {
  const TemporaryFolder folder;
  const LaunchRecords records(folder.path() / "records");
  records.prepare();
  using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  records.keep(launch(64, 1, 10), nullptr, 2);
  records.keep(launch(32, 2, 11), nullptr, 2);
  CHECK(kept(records) == Pairs{{32, 2}, {64, 1}});
  records.keep(launch(64, 3, 10), nullptr, 2); // it is there
  CHECK(kept(records) == Pairs{{32, 2}, {64, 1}});
  records.keep(launch(64, 4, 12), nullptr, 2);
  records.keep(launch(64, 5, 13), nullptr, 2);
  CHECK(kept(records) == Pairs{{64, 1}, {64, 4}});
  const LaunchSnapshot before = launch(1024, 6, 14);
  records.keep(launch(128, 7, 15), &before, 2);
  CHECK(kept(records) == Pairs{{64, 1}, {128, 7}});
  // Other code is another kernel.
  LaunchSnapshot other = launch(16, 8, 16);
  other.launch.code_digest = "d";
  records.keep(other, nullptr, 2);
  CHECK(kept(records) == Pairs{{16, 8}, {64, 1}, {128, 7}});
  for (const RecordedLaunches& one : records.read()) {
    CHECK(read_text(records.folder() / one.launch.contents) ==
          fmt::format("contents {}", one.launch.number == 7   ? 15
                                     : one.launch.number == 8 ? 16
                                                              : 10));
    CHECK(one.launch.before.has_value() == (one.launch.number == 7));
    if (one.launch.before)
      CHECK(read_kept_launch(records.folder() / *one.launch.before).number == 6);
  }
  // Two files of each, those of the launch before, and what says that all is well.
  CHECK(std::distance(fs::directory_iterator(records.folder()), fs::directory_iterator()) == 9);
}

TEST_CASE("Launches that are left out have one file for a reason, and are counted", "[launches]") {
  const TemporaryFolder folder;
  const LaunchRecords records(folder.path());
  records.prepare();
  for (unsigned i = 1; i <= 1000; ++i) {
    KeptLaunch left_out = launch(64, i, i).launch;
    left_out.left_out = i % 4 == 0 ? "it failed" : "it is too large";
    records.leave_out(left_out);
  }
  const KeptLaunch running = launch(64, 1001, 1).launch;
  records.begin(running);
  std::map<std::string, std::uint64_t> reasons;
  for (const RecordedLaunches& one : records.read())
    reasons[one.launch.left_out.value()] += one.launches;
  CHECK(reasons == std::map<std::string, std::uint64_t>{
                       {"it failed", 250}, {"it is too large", 750}, {"it has not ended", 1}});
  records.end(running);
  CHECK(records.read().size() == 2);
  CHECK_THROWS_AS(records.end(running), WriteError);
}

TEST_CASE("Who can write no more says why, also on a full disk", "[launches]") {
  const TemporaryFolder folder;
  const LaunchRecords records(folder.path() / "records");
  records.prepare();
  CHECK(!records.given_up());
  const gputest::process::Ended ended =
      gputest::process::Child::fork([&] { // a file may have so many bytes here
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit few{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &few);
        LaunchSnapshot large = launch(64, 1, 1);
        large.contents = std::string(10'000, 'x');
        try {
          records.keep(large, nullptr, 1);
        } catch (const WriteError&) {
          if (records.give_up("a longer reason") && records.give_up("a reason"))
            return;
        }
        throw std::runtime_error("it could write, or could not say that it cannot");
      })
          .wait();
  CHECK(ended.succeeded());
  CHECK(records.given_up() == "a reason");
  CHECK(kept(records).empty());
  CHECK(records.give_up(std::string(10'000, 'x')));
  CHECK(records.given_up() == std::string(4096, 'x'));
  fs::remove_all(records.folder());
  CHECK_FALSE(records.give_up("a reason"));
  CHECK_THAT(records.given_up().value_or(""),
             ContainsSubstring("the folder of kept launches has gone"));
  CHECK(records.read().empty());
  CHECK_THROWS_AS(records.keep(launch(64, 1, 1), nullptr, 1), WriteError);
}
