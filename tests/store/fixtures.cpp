#include "tests/store/fixtures.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::tests {
namespace fs = std::filesystem;

store::Outcome outcome(unsigned number) {
  return {.mutant = "m" + std::to_string(number),
          .test_case = "case",
          .runs = 3,
          .noticed = number % 4,
          .verdict = model::Verdict::Killed,
          .reason = model::KillReason::WrongOutput,
          .detail = "element " + std::to_string(number),
          .seconds = 0.25 * number};
}

std::size_t count(const fs::path& store, const std::string& program) {
  return store::Store(store).outcomes(program).size();
}

pid_t start_child(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool held = false;
    try {
      held = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    ::_exit(held ? 0 : 1); // Catch's and the parent's things are not ours to end
  }
  REQUIRE(child > 0);
  return child;
}

void wait_for(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

void in_child(const std::function<bool()>& body) {
  wait_for(start_child(body));
}

void execute(const fs::path& database, const std::string& sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(database.c_str(), &handle) == SQLITE_OK);
  const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr);
  const std::string message = sqlite3_errmsg(handle);
  sqlite3_close(handle);
  INFO(message);
  REQUIRE(code == SQLITE_OK);
}

void check_error(const std::function<void()>& call, int exit_code, const fs::path& file,
                 const std::vector<std::string>& parts) {
  try {
    call();
  } catch (const store::StoreError& error) {
    CHECK(error.exit_code() == exit_code);
    CHECK_THAT(error.what(), StartsWith(file.string() + ": error: "));
    for (const std::string& part : parts)
      CHECK_THAT(error.what(), ContainsSubstring(part));
    return;
  }
  FAIL("no StoreError for " << file);
}

} // namespace gputest::tests
