#include "model/cache.h"
#include "model/files.h"
#include "model/shell.h"
#include "model/text/depfile.h"
#include "model/text/file_name.h"

#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/temporary_folder.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace gputest::model;
using namespace gputest::tests;

namespace fs = std::filesystem;

namespace {

std::ptrdiff_t entries_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

} // namespace

TEST_CASE("a file is written whole, and replaced whole") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a.json";
  const std::string text("binary \0 too\n", 13);
  write_atomically(file, text);
  CHECK(folder.read("a.json") == text);
  write_atomically(file, "");
  CHECK(folder.read("a.json").empty());
  CHECK(entries_in(folder.path()) == 1);
}

TEST_CASE("a file below a folder is named relative to it") {
  CHECK(name_below("/p/src/k.cl", "/p") == "src/k.cl");
  CHECK(name_below("/p/src/../k.cl", "/p/") == "k.cl");
  CHECK(name_below("src/k.cl", "src") == "k.cl");
  CHECK_FALSE(name_below("/p2/k.cl", "/p"));
  CHECK_FALSE(name_below("/p/../k.cl", "/p"));
  CHECK_FALSE(name_below("k.cl", "/p")); // there is no way from one to the other
  CHECK_FALSE(name_below("/p/k.cl", "src"));
}

TEST_CASE("threads that write the same file do not meet") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a.json";
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        const std::string text(10'000, static_cast<char>('a' + i));
        for (int round = 0; round < 50; ++round)
          try {
            write_atomically(file, text);
            const std::string seen = folder.read("a.json");
            failures += seen != std::string(10'000, seen.front());
          } catch (const std::exception&) {
            ++failures;
          }
      });
  }
  CHECK(failures == 0);
  CHECK(entries_in(folder.path()) == 1);
}

TEST_CASE("a file that cannot be written is named, and nothing stays behind") {
  const TemporaryFolder folder;
  const auto refusal = [](const fs::path& file) {
    return message_of<std::runtime_error>([&] { write_atomically(file, "text"); });
  };
  const fs::path missing = folder.path() / "none" / "a.json";
  CHECK(refusal(missing) ==
        missing.string() + ": error: cannot be written: No such file or directory");
  CHECK(entries_in(folder.path()) == 0);
  const fs::path taken = folder.path() / "taken"; // by a folder that is not empty
  folder.write("taken/file", "");
  CHECK_THAT(refusal(taken), StartsWith(taken.string() + ": error: cannot be written: "));
  CHECK(entries_in(folder.path()) == 1);
}

TEST_CASE("what is full is no mistake of the user's") {
  const auto code = [](std::errc reason) {
    return exit_code_of_writing(std::make_error_code(reason));
  };
  CHECK(code(std::errc::permission_denied) == 2);
  CHECK(code(std::errc::read_only_file_system) == 2);
  CHECK(code(std::errc::no_such_file_or_directory) == 2);
  CHECK(code(std::errc::no_space_on_device) == 3);
  CHECK(code(std::errc::io_error) == 3);
  try {
    write_atomically("/dev/full/a.json", "text"); // a part of the path is no folder
    FAIL("it was written");
  } catch (const WriteError& error) {
    CHECK(error.reason() == std::errc::not_a_directory);
  }
}

TEST_CASE("JSON is laid out a key, and an element of an array, a line") {
  const auto json = nlohmann::ordered_json::parse(
      R"({"z": 1, "a": [{"b": [1, {"c": 2}]}, {}], "numbers": [1, 2], "o": {"p": {"q": 1}}})");
  CHECK(pretty(json) == "{\n"
                        "  \"z\": 1,\n"
                        "  \"a\": [\n"
                        "    {\"b\":[1,{\"c\":2}]},\n"
                        "    {}\n"
                        "  ],\n"
                        "  \"numbers\": [1,2],\n"
                        "  \"o\": {\n"
                        "    \"p\": {\"q\":1}\n"
                        "  }\n"
                        "}\n");
  CHECK(nlohmann::ordered_json::parse(pretty(json)) == json);
  CHECK(pretty({{"a", "\xff"}}) == "{\"a\":\"\xef\xbf\xbd\"}\n");
}

TEST_CASE("names in a rule of dependencies are those that were written") {
  const std::vector<std::string> names{"plain.h", "with space.h", "has#mark", "costs$1",
                                       "back\\slash"};
  std::string rule = "a b.o: ";
  for (const std::string& name : names)
    rule += depfile_name(name) + " \\\n  ";
  CHECK(depfile_names(rule + "\n") == names);
  CHECK(depfile_names("x.o: only.c") == std::vector<std::string>{"only.c"});
  CHECK(depfile_names("x.o:\n").empty());
  CHECK(depfile_names("no rule").empty());
}

TEST_CASE("the cache is where the environment says") {
  const Environment environment(
      {{"GPUTEST_CACHE_DIR", "/c"}, {"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}});
  CHECK(cache_folder() == "/c");
  ::setenv("GPUTEST_CACHE_DIR", "", 1); // as good as unset
  CHECK(cache_folder() == "/x/gputest");
  ::unsetenv("XDG_CACHE_HOME");
  CHECK(cache_folder() == "/h/.cache/gputest");
  ::unsetenv("HOME");
  CHECK(cache_folder().empty());
}

TEST_CASE("the cache keeps below its size, and what was used last stays") {
  const TemporaryFolder cache;
  const fs::path folder = cache.path() / "simulator";
  fs::create_directories(folder);
  fs::create_directories(cache.path() / "calls");
  const auto now = fs::file_time_type::clock::now();
  constexpr std::size_t kHalf = 512 * 1024;
  const auto write = [&](const fs::path& file, std::size_t bytes, std::chrono::hours age) {
    std::ofstream(file) << std::string(bytes, 'x');
    fs::last_write_time(file, now - age);
  };
  // Makes six files of half a MiB, the first the oldest, and returns those that are left.
  const auto left = [&](const char* size, bool is_looked_at_before = false) {
    for (int i = 0; i < 6; ++i)
      write(folder / std::to_string(i), kHalf, std::chrono::hours(6 - i));
    write(folder / "small", 100, std::chrono::hours(9));
    write(cache.path() / "calls" / "other", 2 * kHalf, std::chrono::hours(9));
    if (!is_looked_at_before)
      fs::remove(cache.path() / "bounded");
    const Environment environment(
        {{"GPUTEST_CACHE_DIR", cache.path().c_str()}, {"GPUTEST_CACHE_SIZE", size}});
    mark_used(folder / "0");
    bound_cache();
    CHECK(fs::exists(folder / "small"));
    CHECK(fs::exists(cache.path() / "calls" / "other"));
    std::string names;
    for (int i = 0; i < 6; ++i)
      if (fs::exists(folder / std::to_string(i)))
        names += std::to_string(i);
    return names;
  };
  CHECK(left("3") == "012345");
  CHECK(left("2") == "045"); // at most 4/5 of 2 MiB
  CHECK(left("1") == "0");   // is in use, though the folder is the size
  CHECK(left("0") == "012345");
  CHECK(left("much") == "012345");    // as without: a warning tells
  CHECK(left("1", true) == "012345"); // looked at a moment ago
}

TEST_CASE("A shell reads a quoted word as it is") {
  for (const std::string word : {"plain/file-1.json",
                                 "a b",
                                 "",
                                 "it's",
                                 "'",
                                 "''x'",
                                 "$HOME",
                                 "`id`",
                                 "a\"b",
                                 "a\\b",
                                 "*",
                                 "~",
                                 "a;b",
                                 "a\nb",
                                 "#x",
                                 "!x",
                                 "a&b",
                                 "ä",
                                 "(x)",
                                 "{a,b}",
                                 "-x=1"}) {
    const std::string command = "printf '[%s]' " + quoted_for_shell(word);
    FILE* const shell = ::popen(command.c_str(), "r");
    REQUIRE(shell != nullptr);
    std::string said;
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell))
      said += static_cast<char>(c);
    ::pclose(shell);
    INFO(command);
    CHECK(said == "[" + word + "]");
  }
  CHECK(replay_command("a b/case-1.json") == "gputest replay 'a b/case-1.json'");
  CHECK(replay_command("a/case-1.json") == "gputest replay a/case-1.json");
}

TEST_CASE("Names of files are short, and stay different", "[files]") {
  CHECK(file_name_of("six in parts of 2") == "six_in_parts_of_2");
  const std::string most(kMostFileName, 'a'), longer = most + "a";
  CHECK(file_name_of(most) == most);
  CHECK(file_name_of(longer).size() == kMostFileName);
  CHECK(file_name_of(longer).starts_with("aaaa"));
  // Templates of one kernel begin alike.
  CHECK(file_name_of(longer + "<1>") != file_name_of(longer + "<2>"));
  CHECK(file_name_of(longer) == file_name_of(longer));
  const TemporaryFolder folder;
  write_atomically(folder.path() / file_name_of(std::string(5000, '<')), "text");
  CHECK(entries_in(folder.path()) == 1);
}
