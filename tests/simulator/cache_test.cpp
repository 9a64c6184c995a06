// Processes that share a folder of compiled kernels, and those that are killed while they write.
#include "tests/catch.h"

#include "process/scratch_folder.h"
#include "simulator/execute/cache.h"

#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace gputest::ir;
using namespace gputest::simulator;
namespace fs = std::filesystem;

namespace {

class Folder {
  const gputest::process::ScratchFolder scratch_{"gputest-cache"};

public:
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }

  const fs::path path = scratch_.path();
};

Source source() {
  Source given;
  given.name = "k.cl";
  given.text = "kernel void k() {}";
  return given;
}

CodeVariant variant() {
  CodeVariant given;
  given.kernel = "k";
  return given;
}

constexpr std::size_t kBytes = std::size_t{8} << 20;

// All bytes of one code are the same, so that parts of two would be seen.
Code code_of(char byte) {
  Code code;
  code.shape.name = "k";
  code.object.assign(kBytes, byte);
  return code;
}

bool whole(const Code& code) {
  return code.shape.name == "k" && code.object.size() == kBytes &&
         code.object.find_first_not_of(code.object.front()) == std::string::npos;
}

template <typename Act> pid_t child(Act&& act) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    act();
    ::_exit(0);
  }
  return pid;
}

bool succeeded(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

TEST_CASE("Processes that write and read the same code see all of one") {
  const Folder folder;
  const Cache cache(folder.path);
  const auto write = [&](char byte) {
    const Code code = code_of(byte);
    for (int i = 0; i < 15; ++i)
      cache.keep(source(), variant(), {}, code);
  };
  const auto read = [&] {
    for (int i = 0; i < 30; ++i)
      if (const std::optional<Code> code = cache.find(source(), variant()); code && !whole(*code))
        ::_exit(1);
  };
  cache.keep(source(), variant(), {}, code_of('a'));
  const pid_t first = child([&] { write('b'); }), second = child([&] { write('c'); });
  const pid_t reader = child(read);
  CHECK(succeeded(first));
  CHECK(succeeded(second));
  CHECK(succeeded(reader));
  REQUIRE(cache.find(source(), variant()));
  CHECK(folder.files() == 1); // nobody has left anything else
}

TEST_CASE("A process that is killed while it writes leaves what was there, or all of it") {
  const Folder folder;
  const Cache cache(folder.path);
  bool found = false;
  for (int i = 0; i < 10 || (!found && i < 200); ++i) { // a busy machine writes nothing at first
    CAPTURE(i);
    const Code code = code_of(static_cast<char>('a' + i % 20));
    const pid_t writer = child([&] {
      while (true)
        cache.keep(source(), variant(), {}, code);
    });
    ::usleep(static_cast<useconds_t>(3000 * i)); // in the middle of it, somewhere
    ::kill(writer, SIGKILL);
    CHECK_FALSE(succeeded(writer));
    const std::optional<Code> kept = cache.find(source(), variant());
    CHECK((!found || kept)); // what was there once stays
    if (kept)
      CHECK(whole(*kept));
    found = found || kept.has_value();
  }
  CHECK(found);
  cache.keep(source(), variant(), {}, code_of('z')); // and it goes on
  CHECK(cache.find(source(), variant())->object.front() == 'z');
}

TEST_CASE("A damaged file counts as none") {
  const Folder folder;
  const Cache cache(folder.path);
  cache.keep(source(), variant(), {}, code_of('a'));
  const fs::path file = fs::directory_iterator(folder.path)->path();
  fs::resize_file(file, fs::file_size(file) / 2);
  CHECK_FALSE(cache.find(source(), variant()));
  fs::resize_file(file, 3);
  CHECK_FALSE(cache.find(source(), variant()));
  cache.keep(source(), variant(), {}, code_of('b'));
  CHECK(cache.find(source(), variant()));
}
