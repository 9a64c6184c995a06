#include "tests/simulator/simulated.h"

#include "simulator/guard.h"
#include "simulator/protocol.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::simulator::tests {
namespace {

// A memory file with the arguments' content.
class Shared {
public:
  explicit Shared(const std::vector<Given>& arguments)
      : descriptor(::memfd_create("test", MFD_CLOEXEC)) {
    std::size_t end = 0;
    for (const Given& argument : arguments) {
      offsets.push_back(shared_offset(end, argument.bytes.size()));
      end = shared_end(offsets.back(), argument.bytes.size());
    }
    size_ = end + kPageBytes;
    if (::ftruncate(descriptor, static_cast<off_t>(size_)) != 0)
      std::abort();
    bytes = static_cast<std::byte*>(
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (!arguments[i].bytes.empty())
        std::memcpy(bytes + offsets[i], arguments[i].bytes.data(), arguments[i].bytes.size());
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    ::munmap(bytes, size_);
    ::close(descriptor);
  }

  int descriptor;
  std::byte* bytes = nullptr;
  std::vector<std::size_t> offsets;

private:
  std::size_t size_ = 0;
};

} // namespace

std::string Ran::findings() const {
  std::string text;
  for (const Finding& finding : result.findings)
    text += finding.kind + " " + std::to_string(finding.site.line) +
            (finding.other.line ? "/" + std::to_string(finding.other.line) : "") + "\n";
  return text;
}

Ran run(const Run& what) {
  const Shared shared(what.arguments);
  LaunchRequest request;
  request.global_size = {what.global_size, 1, 1};
  request.local_size = {what.local_size, 1, 1};
  request.order = what.order;
  request.limit = what.limit;
  for (std::size_t i = 0; i < what.arguments.size(); ++i) {
    const Given& given = what.arguments[i];
    ArgumentData argument;
    argument.kind = given.kind;
    argument.name = "argument " + std::to_string(i);
    argument.offset = shared.offsets[i];
    argument.size = given.kind == Parameter::Kind::Local ? given.local_size : given.bytes.size();
    argument.null = given.null;
    request.arguments.push_back(argument);
  }
  Ran ran;
  on_large_stack([&] {
    const Cache none{std::filesystem::path()};
    Program program({.name = "t.cl",
                     .text = "#line 1 \"/t.cl\"\n" + what.text,
                     .definitions = {},
                     .include_directories = {},
                     .options = {},
                     .cl_std = what.cl_std},
                    none);
    const Program::Ready& ready = program.kernel({.kernel = "k",
                                                  .ordered = !what.order.items_ascend(),
                                                  .checks = checks_named(what.checks),
                                                  .wide = what.local_size > kNarrowItems});
    ran.result = launch(ready.code, ready.shape, request, shared.descriptor);
  });
  for (std::size_t i = 0; i < what.arguments.size(); ++i)
    ran.memory.emplace_back(shared.bytes + shared.offsets[i],
                            shared.bytes + shared.offsets[i] + what.arguments[i].bytes.size());
  return ran;
}

} // namespace gputest::simulator::tests
