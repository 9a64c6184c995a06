#include "tests/simulator/simulated.h"

#include "simulator/cuda/file_kernel.h"
#include "simulator/memory/guard.h"
#include "simulator/service/protocol.h"

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

LaunchRequest request_of(const Run& what, const Shared& shared) {
  LaunchRequest request;
  request.sizes.global = {what.global_size, what.height, what.depth};
  request.sizes.offset = {what.global_offset, 0, 0};
  request.sizes.local = {what.local_size, what.height, what.depth};
  request.order = what.order;
  request.limit = what.limit;
  request.shared_bytes = what.shared_bytes;
  for (std::size_t i = 0; i < what.arguments.size(); ++i) {
    const Given& given = what.arguments[i];
    ArgumentData argument;
    argument.kind = given.kind;
    argument.name = "argument " + std::to_string(i);
    argument.offset = shared.offsets[i];
    argument.size =
        given.kind == ir::Parameter::Kind::Local ? given.local_size : given.bytes.size();
    argument.null = given.null;
    argument.image = given.image;
    argument.access = given.access;
    argument.output = given.kind == ir::Parameter::Kind::Buffer && !given.null;
    request.arguments.push_back(argument);
  }
  return request;
}

// Calls `act` with the program.
template <typename Act> void with_program(const Run& what, Act&& act) {
  on_large_stack([&] {
    const Cache none{std::filesystem::path()};
    Program program({.name = "t.cl",
                     .text = "#line 1 \"/t.cl\"\n" + what.text,
                     .definitions = what.definitions,
                     .cl_std = what.cl_std},
                    none);
    act(program);
  });
}

// Calls `act` with the kernel, built.
template <typename Act> void with_kernel(const Run& what, const CodeVariant& variant, Act&& act) {
  with_program(what, [&](Program& program) { act(program.kernel(variant)); });
}

// The same with a kernel of a CUDA file.
template <typename Act> void with_cuda_kernel(const Run& what, Act&& act) {
  on_large_stack([&] {
    ::setenv("GPUTEST_CUDA_TOOLKIT", GPUTEST_CUDA_TOOLKIT, 1);
    const Cache none{std::filesystem::path()};
    cuda::OwnDevice device;
    cuda::FileKernel kernel({.name = "/t.cu",
                             .text = "#line 1 \"/t.cu\"\n" + what.text,
                             .definitions = what.definitions,
                             .cl_std = ""},
                            "k", none, device);
    act(kernel);
  });
}

Ran ran(LaunchResult result, const Run& what, const Shared& shared) {
  Ran all{.result = std::move(result), .memory = {}};
  for (std::size_t i = 0; i < what.arguments.size(); ++i)
    all.memory.emplace_back(shared.bytes + shared.offsets[i],
                            shared.bytes + shared.offsets[i] + what.arguments[i].bytes.size());
  return all;
}

} // namespace

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings)
    text += finding.kind + " " + std::to_string(finding.site.line) +
            (finding.other.line ? "/" + std::to_string(finding.other.line) : "") + "\n";
  return text;
}

std::string Ran::findings() const {
  return text_of(result.findings);
}

Ran run(const Run& what) {
  return std::move(run_all({what}).front());
}

std::vector<Ran> run_all(const std::vector<Run>& all) {
  std::vector<Ran> results;
  const Run& first = all.front();
  if (first.cuda) {
    with_cuda_kernel(first, [&](cuda::FileKernel& kernel) {
      for (const Run& what : all) {
        const Shared shared(what.arguments);
        results.push_back(
            ran(kernel.launch(request_of(what, shared), first.checks, shared.descriptor), what,
                shared));
      }
    });
    return results;
  }
  const CodeVariant variant{.kernel = "k",
                            .ordered = !first.order.items_ascend(),
                            .checks = checks_named(first.checks, first.table)};
  with_program(first, [&](Program& program) {
    for (const Run& what : all) {
      const Shared shared(what.arguments);
      const Program::Ready& ready = program.kernel(variant);
      if (what.in_full) {
        ready.code.has_run(1e9);
        ready.accesses(1e9);
      }
      results.push_back(
          ran(program.launch(variant, request_of(what, shared), shared.descriptor), what, shared));
    }
  });
  return results;
}

ExploredLaunch explore(const Run& what, const ExplorationBounds& bounds) {
  return std::move(explore_all({what}, bounds).front());
}

std::vector<ExploredLaunch> explore_all(const std::vector<Run>& all,
                                        const ExplorationBounds& bounds) {
  std::vector<ExploredLaunch> results;
  const auto each = [&](const auto& explored) {
    for (const Run& what : all) {
      const Shared shared(what.arguments);
      results.push_back(explored(request_of(what, shared), shared.descriptor));
    }
  };
  if (all.front().cuda)
    with_cuda_kernel(all.front(), [&](cuda::FileKernel& kernel) {
      each([&](const LaunchRequest& request, int memory) {
        return kernel.explore(request, bounds, memory);
      });
    });
  else
    with_kernel(all.front(), {.kernel = "k", .interleaved = true},
                [&](const Program::Ready& ready) {
                  each([&](const LaunchRequest& request, int memory) {
                    return explore_launch(ready.code, ready.shape, request, bounds, memory);
                  });
                });
  return results;
}

Ran run_turns(const Run& what, const std::vector<model::Turn>& turns) {
  const Shared shared(what.arguments);
  LaunchResult result;
  const LaunchRequest request = request_of(what, shared);
  if (what.cuda)
    with_cuda_kernel(what, [&](cuda::FileKernel& kernel) {
      result = kernel.launch_turns(request, turns, shared.descriptor);
    });
  else
    with_kernel(what, {.kernel = "k", .interleaved = true}, [&](const Program::Ready& ready) {
      result = launch_turns(ready.code, ready.shape, request, turns, shared.descriptor);
    });
  return ran(std::move(result), what, shared);
}

} // namespace gputest::simulator::tests
