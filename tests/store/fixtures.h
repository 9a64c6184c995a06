// What tests of the store share: outcomes to put in, files beside each other, other processes.
#pragma once

#include "store/store.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <functional>
#include <sqlite3.h>

namespace gputest::tests {

// A folder of a test's own that every user can enter, gone when the test ends.
class Folder : public TemporaryFolder {
public:
  Folder() { std::filesystem::permissions(path(), std::filesystem::perms::all); }

  std::filesystem::path operator/(const std::string& name) const { return path() / name; }
};

// The outcome of the mutant "m<number>" on one case, different for different numbers.
store::Outcome outcome(unsigned number);

std::size_t count(const std::filesystem::path& store, const std::string& program);

// `body` in a process of its own; fails the test unless it ends, returning true.
void in_child(const std::function<bool()>& body);
pid_t start_child(const std::function<bool()>& body);
void wait_for(pid_t child);

// Has a database at hand as another program would.
void execute(const std::filesystem::path& database, const std::string& sql);

// What `call` throws; fails the test if it is no StoreError of this exit code that begins with the
// name of `file` and says all `parts`.
void check_error(const std::function<void()>& call, int exit_code,
                 const std::filesystem::path& file, const std::vector<std::string>& parts);

} // namespace gputest::tests
