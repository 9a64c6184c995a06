// What people give the command that cannot work, and what happens to it meanwhile:
// docs/generation.md has the list.
#include "model/files.h"
#include "tests/needs.h"
#include "tests/testgen/command.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace fs = std::filesystem;
using gputest::tests::ContainsSubstring;
using namespace gputest::testgen::tests;

namespace {

std::set<std::string> files_of(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ignored; // there may be none
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    names.insert(entry.path().filename().string());
  return names;
}

// Each case is whole. What begins with a '.' is not in place yet.
std::size_t whole_cases(const fs::path& folder) {
  std::size_t cases = 0;
  for (const std::string& name : files_of(folder))
    if (name.front() != '.' && name.ends_with(".json")) {
      INFO(name);
      CHECK_NOTHROW(nlohmann::json::parse(gputest::model::read_text(folder / name).value_or("")));
      ++cases;
    }
  return cases;
}

std::string into(const Folder& folder) {
  return fmt::format("-o '{}/cases'", folder.path.string());
}

} // namespace

TEST_CASE("Sizes that no buffer can have leave everything open") {
  const Folder folder;
  for (const char* size : {"0-rows-1", "rows*0+1000000000", "rows/0"}) {
    const Ran ran = run(fmt::format("{} -k rows --argument 'sums:size={}' --budget 0.5 {}",
                                    kernel("matrix.cl"), size, into(folder)));
    INFO(size << '\n' << ran.output);
    CHECK(ran.exit_code == 0);
    CHECK_THAT(ran.output, ContainsSubstring("rows: 0 of "));
    CHECK(files_of(folder.path / "cases").empty());
  }
  const Ran circular = run(fmt::format("{} -k rows --argument 'sums:size=size(row_start)' "
                                       "--argument 'row_start:size=size(sums)' {}",
                                       kernel("matrix.cl"), into(folder)));
  CHECK(circular.exit_code == 2);
  CHECK_THAT(circular.output, ContainsSubstring("the size of 'row_start' depends on itself"));
}

TEST_CASE("A disk that is full gets no half of a case", "[needs][needs-mounts]") {
  gputest::tests::needs("mounts", std::system("unshare -rm true 2>/dev/null") == 0,
                        "no file system can be made here");
  const Folder folder;
  // A page, which is full; and the cache there, too.
  std::ofstream(folder.path / "script") << fmt::format(
      "mount -t tmpfs -o size=4k none '{0}' && head -c 4096 /dev/zero >'{0}/filler' && "
      "GPUTEST_CACHE_DIR='{0}' '{1}' generate {2} -o '{0}'; echo \"exit code $?\"; ls -A '{0}'",
      folder.path.string(), GPUTEST_COMMAND,
      fmt::format("\"{}/kernels/loops.cl\"", GPUTEST_TEST_DATA));
  const std::string output =
      gputest::tests::run_shell(fmt::format("unshare -rm sh '{}/script'", folder.path.string()))
          .output;
  INFO(output);
  CHECK_THAT(output, ContainsSubstring("exit code 3\n"));
  CHECK_THAT(output, ContainsSubstring(".json"));
  const std::size_t listed = output.find("exit code ");
  const std::string left = output.substr(output.find('\n', listed) + 1);
  CHECK_THAT(left, ContainsSubstring("filler"));
  CHECK(left.find(".json") == std::string::npos);
}

TEST_CASE("A place that is no folder, or one where nobody may write, is told") {
  for (const char* place : {"/proc/gputest", "/dev/null/cases"}) { // for root, too
    const Ran refused = run(fmt::format("{} -o {}", kernel("loops.cl"), place));
    INFO(refused.output);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.output, ContainsSubstring(place));
  }
}

TEST_CASE("Two that generate into one folder lose nothing of each other") {
  const Folder folder;
  Ran second;
  std::thread other(
      [&] { second = run(fmt::format("{} --seed 2 {}", kernel("loops.cl"), into(folder))); });
  const Ran first = run(fmt::format("{} --seed 1 {}", kernel("loops.cl"), into(folder)));
  other.join();
  CHECK(first.exit_code == 0);
  CHECK(second.exit_code == 0);
  std::size_t told = 0;
  for (const std::string& output : {first.output, second.output})
    for (std::size_t at = 0; (at = output.find(".json: ", at)) != std::string::npos; ++at)
      ++told;
  CHECK(told > 0);
  CHECK(whole_cases(folder.path / "cases") == told);
  // A third has nothing to add.
  const auto before = files_of(folder.path / "cases");
  CHECK(run(fmt::format("{} {}", kernel("loops.cl"), into(folder))).exit_code == 0);
  CHECK(files_of(folder.path / "cases") == before);
}

TEST_CASE("Ended while it generates, it leaves whole cases, and the next run goes on") {
  const Folder folder;
  const fs::path cases = folder.path / "cases";
  const pid_t process = ::fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    const std::string file = std::string(GPUTEST_TEST_DATA) + "/kernels/contents.cl";
    ::freopen("/dev/null", "w", stdout);
    ::execl(GPUTEST_COMMAND, GPUTEST_COMMAND, "generate", file.c_str(), "-o", cases.c_str(),
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  // As the first case comes, while others are still to be written.
  for (int i = 0; i < 6000 && files_of(cases).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(process, SIGKILL);
  int status = 0;
  ::waitpid(process, &status, 0);
  CHECK(!files_of(cases).empty());
  const std::size_t before = whole_cases(cases);
  const Ran next = run(fmt::format("{} {}", kernel("contents.cl"), into(folder)));
  CHECK(next.exit_code == 0);
  CHECK_THAT(next.output, ContainsSubstring(" 0 open"));
  CHECK(whole_cases(cases) >= before);
}
