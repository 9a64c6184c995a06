#include "tests/report/command.h"

#include "driver/command_error.h"
#include "driver/commands.h"
#include "tests/report/fixtures.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace gputest::tests {
namespace {

// What is written to a file descriptor while this lives goes to a file.
class Redirection {
public:
  Redirection(int descriptor, const std::filesystem::path& file)
      : descriptor_(descriptor), saved_(::dup(descriptor)) {
    const int target = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(target, descriptor);
    ::close(target);
  }
  ~Redirection() {
    std::cout.flush();
    std::fflush(nullptr);
    ::dup2(saved_, descriptor_);
    ::close(saved_);
  }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

private:
  int descriptor_, saved_;
};

} // namespace

namespace {

Result run(std::string name, int (*command)(int, char**), std::vector<std::string> arguments) {
  ::unsetenv("GITHUB_ACTIONS"); // what tests expect is the same there
  const TemporaryFolder directory;
  arguments.insert(arguments.begin(), name);
  std::vector<char*> argv;
  for (std::string& argument : arguments)
    argv.push_back(argument.data());
  Result result;
  {
    const Redirection out(1, directory.path() / "out"), err(2, directory.path() / "err");
    result.code = driver::run_command(
        name, [&] { return command(static_cast<int>(argv.size()), argv.data()); });
  }
  result.out = read_file(directory.path() / "out");
  result.err = read_file(directory.path() / "err");
  return result;
}

} // namespace

Result run_report(std::vector<std::string> arguments) {
  return run("report", driver::report_command, std::move(arguments));
}

Result run_cases(std::vector<std::string> arguments) {
  return run("cases", driver::cases_command, std::move(arguments));
}

} // namespace gputest::tests
