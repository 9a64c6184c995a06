#include "driver/watch/file_changes.h"
#include "tests/catch.h"
#include "tests/needs.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <fstream>

using namespace gputest;
namespace fs = std::filesystem;

namespace {

void save(const fs::path& file) {
  std::ofstream(file) << "text\n";
}

std::set<std::string> names_of(const std::set<fs::path>& files) {
  std::set<std::string> names;
  for (const fs::path& file : files)
    names.insert(file.filename().string());
  return names;
}

} // namespace

TEST_CASE("file changes: what links lead to is watched, and no loop is followed") {
  const tests::TemporaryFolder folder;
  const fs::path project = folder.path() / "project", elsewhere = folder.path() / "elsewhere";
  fs::create_directories(project / "cases");
  fs::create_directories(elsewhere / "folder");
  save(elsewhere / "one.json");
  save(elsewhere / "other.json");
  fs::create_symlink(elsewhere / "one.json", project / "cases/one.json");
  fs::create_directory_symlink(elsewhere / "folder", project / "linked");
  fs::create_directory_symlink(project, project / "loop");
  const process::EndSignals signals;
  driver::FileChanges changes(project);

  save(elsewhere / "other.json"); // nothing leads to it
  save(elsewhere / "one.json");
  save(elsewhere / "folder/two.json");
  save(project / "cases/three.json");
  CHECK(names_of(changes.next(signals, 50)) ==
        std::set<std::string>{"one.json", "three.json", "two.json"});
  fs::create_symlink(elsewhere / "other.json", project / "other.json");
  CHECK(names_of(changes.next(signals, 50)) == std::set<std::string>{"other.json"});
  save(elsewhere / "other.json");
  CHECK(names_of(changes.next(signals, 50)) == std::set<std::string>{"other.json"});
}

TEST_CASE("file changes: more than the system keeps is not lost", "[needs][needs-short_queue]") {
  std::size_t most = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
  REQUIRE(most > 0);
  tests::needs("short_queue", most <= 100'000,
               "the system keeps " + std::to_string(most) + " events: too many to try");
  const tests::TemporaryFolder folder;
  fs::create_directories(folder.path() / "below");
  save(folder.path() / "below/before.cl");
  const process::EndSignals signals;
  driver::FileChanges changes(folder.path());
  save(folder.path() / "a");
  for (std::size_t i = 0; i <= most; ++i)
    fs::rename(folder.path() / (i % 2 == 0 ? "a" : "b"), folder.path() / (i % 2 == 0 ? "b" : "a"));
  save(folder.path() / "below/kernel.cl");
  fs::create_directories(folder.path() / "new");
  save(folder.path() / "new/case.json");
  const std::set<std::string> changed = names_of(changes.next(signals, 50));
  CHECK(changed.contains("kernel.cl"));
  CHECK(changed.contains("case.json"));
  // The folder that is new is watched.
  save(folder.path() / "new/case.json");
  CHECK(names_of(changes.next(signals, 50)) == std::set<std::string>{"case.json"});
}
