// Files that are no store, or cannot be written.
#include "tests/store/fixtures.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace gputest;
using namespace gputest::tests;
using store::Store;
using store::StoreError;
namespace fs = std::filesystem;

namespace {

void fill(const fs::path& file, unsigned outcomes) {
  Store results(file);
  for (unsigned number = 0; number < outcomes; ++number)
    results.put("program", outcome(number));
}

std::string bytes(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// Root may write everything, so who runs as root becomes nobody, in a process of its own.
void as_nobody(const std::function<void()>& body) {
  in_child([&] {
    if (::geteuid() == 0 && ::seteuid(65534) != 0)
      return false;
    body();
    return true;
  });
}

// check_error() for a process of its own, where Catch2 cannot report.
void require_error(const std::function<void()>& call, int exit_code,
                   const std::vector<std::string>& parts) {
  try {
    call();
  } catch (const StoreError& error) {
    for (const std::string& part : parts)
      if (std::string(error.what()).find(part) == std::string::npos)
        throw std::runtime_error(std::string(error.what()) + "\ndoes not say: " + part);
    if (error.exit_code() != exit_code)
      throw std::runtime_error(std::string(error.what()) + "\nhas another exit code");
    return;
  }
  throw std::runtime_error("no StoreError");
}

} // namespace

TEST_CASE("What is no database is refused and stays as it is", "[store]") {
  const Folder folder;
  for (const std::string& text :
       {std::string("xy"), std::string("{\"format\": \"gputest-coverage-1\"}\n"),
        std::string(100'000, '\0'), std::string(5'000, 'z')}) {
    const auto file = folder.write("results.db", text);
    check_error([&] { Store{file}; }, 2, file, {"no store", "choose another file"});
    CHECK(bytes(file) == text);
  }
}

TEST_CASE("Another program's database is refused and stays as it is", "[store]") {
  const Folder folder;
  execute(folder / "table.db", "CREATE TABLE mine (a)");
  execute(folder / "application.db", "PRAGMA application_id = 7; CREATE TABLE outcomes (a)");
  execute(folder / "version.db", "PRAGMA user_version = 1");
  for (const char* name : {"table.db", "application.db", "version.db"}) {
    const auto file = folder / name;
    const std::string before = bytes(file);
    check_error([&] { Store{file}; }, 2, file, {"another program", "choose another file"});
    CHECK(bytes(file) == before);
  }
}

TEST_CASE("A store of another version is refused", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  fill(file, 1);
  for (const char* version : {"0", "2"}) {
    execute(file, fmt::format("PRAGMA user_version = {}", version));
    check_error([&] { Store{file}; }, 2, file,
                {fmt::format("of version {}", version), "has version 1",
                 "delete it, and results will be run again"});
  }
}

TEST_CASE("A truncated store is refused", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  fill(file, 1000);
  const auto size = fs::file_size(file);
  REQUIRE(size > 40'000);
  for (const auto left :
       {size / 2, std::uintmax_t{4096}, std::uintmax_t{200}, std::uintmax_t{50}}) {
    INFO(left);
    fs::resize_file(file, left);
    check_error([&] { Store{file}; }, 2, file, {"is damaged", "results will be run again"});
  }
  fs::resize_file(file, 10);
  check_error([&] { Store{file}; }, 2, file, {"no store"});
}

TEST_CASE("A store with garbage inside is an error, not nonsense", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  fill(file, 1000);
  std::string text = bytes(file);
  std::fill(text.begin() + 4096, text.end(), '\xa5');
  folder.write("results.db", text);
  Store results(file);
  check_error([&] { results.outcomes("program"); }, 2, file, {"is damaged"});
  check_error([&] { results.put("program", outcome(1)); }, 2, file, {"is damaged"});
  Store other(folder / "other.db");
  check_error([&] { other.merge(file); }, 2, file, {"is damaged"});
}

TEST_CASE("A store without its tables, or with words nobody knows, is damaged", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  fill(file, 2);
  execute(file, "UPDATE outcomes SET verdict = 'kiled' WHERE mutant = 'm1'");
  check_error([&] { Store(file).outcomes("program"); }, 2, file, {"is damaged", "'kiled'"});
  execute(file, "UPDATE outcomes SET verdict = 'killed', reason = 'mood'");
  check_error([&] { Store(file).outcomes("program"); }, 2, file, {"is damaged", "'mood'"});
  execute(file, "DROP TABLE outcomes");
  check_error([&] { Store{file}; }, 2, file, {"is damaged", "outcomes"});
}

TEST_CASE("A folder is no store, and a file no folder", "[store]") {
  const Folder folder;
  fs::create_directory(folder / "results.db");
  check_error([&] { Store(folder / "results.db"); }, 2, folder / "results.db", {"is a folder"});
  folder.write("file", "text");
  check_error([&] { Store(folder / "file/results.db"); }, 2, folder / "file/results.db",
              {"folder cannot be created"});
}

TEST_CASE("A store that may not be written or read is refused", "[store]") {
  const Folder folder;
  const auto file = folder / "inner/results.db";
  fill(file, 3);
  const auto inner = folder / "inner";
  constexpr fs::perms to_read{0444}, to_enter{0111};

  fs::permissions(file, to_read);
  fs::permissions(inner, fs::perms::all);
  as_nobody([&] {
    require_error([&] { Store{file}; }, 2,
                  {file.string() + ": error: may not be written", "writable"});
  });

  fs::permissions(file, fs::perms::none);
  as_nobody([&] {
    require_error([&] { store::require_store(file); }, 2,
                  {file.string() + ": error: may not be read", "readable"});
  });

  fs::permissions(file, fs::perms::all);
  fs::permissions(inner, to_read | to_enter);
  as_nobody([&] {
    require_error([&] { Store{file}; }, 2,
                  {file.string() + ": error: may not be written", inner.string(), "writable"});
    require_error([&] { Store(folder / "inner/new.db"); }, 2, {"may not be written"});
    require_error([&] { Store(folder / "inner/new/results.db"); }, 2, {"cannot be created"});
    // But it can be read, and nothing is left beside it.
    store::require_store(file);
    Store other(folder / "other.db");
    if (other.merge(file).changed != 3)
      throw std::runtime_error("not all merged");
  });
  CHECK(std::distance(fs::directory_iterator(inner), {}) == 1);
  fs::permissions(inner, fs::perms::all);
  CHECK(count(folder / "other.db", "program") == 3);
}

TEST_CASE("A full disk is an error that loses nothing", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  const auto limit_files_to = [](rlim_t size) {
    std::signal(SIGXFSZ, SIG_IGN); // as on a full disk, write() fails
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  in_child([&] {
    Store results(file);
    limit_files_to(300'000);
    unsigned written = 0;
    require_error(
        [&] {
          for (; written < 10'000; ++written)
            results.put("program", outcome(written));
        },
        3, {file.string() + ": error: cannot be written: the disk is full", "make room"});
    require_error([&] { results.put_document("a", "b", std::string(1'000'000, 'x')); }, 3,
                  {"the disk is full"});
    if (results.outcomes("program").size() != written)
      throw std::runtime_error("lost while full");
    limit_files_to(RLIM_INFINITY);
    results.put("program", outcome(written++)); // there is room again
    return ::write(ends[1], &written, sizeof written) == sizeof written;
  });
  ::close(ends[1]);
  unsigned written = 0;
  REQUIRE(::read(ends[0], &written, sizeof written) == sizeof written);
  ::close(ends[0]);
  CHECK(written > 10);
  CHECK(count(file, "program") == written);

  in_child([&] {
    limit_files_to(0);
    require_error([&] { Store(folder / "new.db"); }, 3, {"the disk is full"});
    return true;
  });
  CHECK(count(folder / "new.db", "program") == 0); // what it left can be used
}
