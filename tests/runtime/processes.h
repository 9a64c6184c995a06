// Harnesses that run while the test goes on, and the processes that they start.
#pragma once

#include "model/files.h"
#include "tests/catch.h"
#include "tests/runtime/mutation_fixture.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace gputest::tests {

// Starts the harness and returns its process.
inline pid_t start(const MutationProject& project, const std::vector<std::string>& options) {
  // At once, because harnesses that were started before may read it now.
  const auto file = project.folder.path() / "description.json";
  model::write_atomically(file, project.description.dump());
  std::vector<std::string> words{GPUTEST_HARNESS_FIXTURE, file.string(), "--mutation"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr)
      ::_exit(126);
    if (!project.environment.empty())
      ::putenv(const_cast<char*>(project.environment.c_str()));
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  return pid;
}

inline int wait_for(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// `count` that are switched: wrong outputs, accesses out of bounds, survivors.
inline std::vector<model::Mutant> switched_mutants(unsigned count) {
  std::vector<model::Mutant> mutants;
  for (unsigned i = 0; i < count; ++i)
    mutants.push_back(switched("s" + std::to_string(i), i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 7));
  return mutants;
}

// Each mutant has the verdict that it has in `expected`, for the same reason.
template <typename Results> void check_verdicts(const Results& results, const Results& expected) {
  REQUIRE(results.size() == expected.size());
  for (const auto& [id, result] : expected) {
    INFO(id);
    CHECK(results.at(id).verdict == result.verdict);
    CHECK(results.at(id).reason == result.reason);
  }
}

// Who the children of a process are.
inline std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream stream(entry.path() / "stat");
    std::string text;
    std::getline(stream, text);
    const std::size_t end = text.rfind(") ");
    int of = 0;
    char state = 0;
    if (end != std::string::npos &&
        std::sscanf(text.c_str() + end + 2, "%c %d", &state, &of) == 2 && of == parent)
      children.push_back(static_cast<pid_t>(std::strtol(text.c_str(), nullptr, 10)));
  }
  return children;
}

// All processes below it, and itself.
inline std::vector<pid_t> family_of(pid_t pid) {
  std::vector<pid_t> family{pid};
  for (std::size_t i = 0; i < family.size(); ++i)
    for (const pid_t child : children_of(family[i]))
      family.push_back(child);
  return family;
}

} // namespace gputest::tests
