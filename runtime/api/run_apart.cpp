// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/run_apart.h"

#include "runtime/process/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <sys/mman.h>

namespace gputest::runtime {
namespace {

// Memory that this process and its children share.
class SharedMemory {
public:
  explicit SharedMemory(std::size_t size) : size_(std::max<std::size_t>(size, 1)) {
    memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED)
      throw DeviceError("there is not enough memory for the kernel's arguments");
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { ::munmap(memory_, size_); }

  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(memory_) + offset; }

private:
  std::size_t size_;
  void* memory_ = nullptr;
};

// The arguments that come back, and the places of their content in the shared memory.
struct Shares {
  explicit Shares(const std::vector<KernelArgument>& given) {
    for (const KernelArgument& argument : given) {
      offsets.push_back(size);
      sizes.push_back(
          argument.read_back || argument.output
              ? std::max({argument.size, argument.bytes.size(), argument.image.pixels.size()})
              : 0);
      size += sizes.back();
    }
  }
  std::vector<std::size_t> offsets, sizes;
  std::size_t size = 0;
};

// What the process sends; the bytes of outputs are in the shared memory.
struct Outcome {
  std::optional<std::string> wrong{}; // in the kernel
  double seconds = 0;
  std::string device{};
  std::vector<std::pair<std::size_t, std::string>> outputs{}; // positions and names
};
constexpr auto fields_of(const Outcome*) {
  using T = Outcome;
  using model::field;
  return std::tuple{field("wrong", &T::wrong), field("seconds", &T::seconds),
                    field("device", &T::device), field("outputs", &T::outputs)};
}
using model::from_json, model::to_json;

} // namespace

Result run_apart(const std::string& what, double timeout, std::vector<KernelArgument> given,
                 const std::function<Result(std::vector<KernelArgument>)>& run) {
  const Shares shares(given);
  const SharedMemory memory(shares.size);
  const auto work = [&](const runtime::WorkerChannel& channel, std::size_t) {
    channel.start(0);
    channel.phase(what);
    std::vector<KernelArgument> arguments = given;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].read_back)
        arguments[i].read_back = memory.at(shares.offsets[i]);
    try {
      const Result result = run(std::move(arguments));
      Outcome outcome{.seconds = result.seconds, .device = result.device};
      for (const Result::Output& output : result.outputs()) {
        std::ranges::copy(output.bytes, memory.at(shares.offsets[output.position]));
        outcome.outputs.emplace_back(output.position, output.name);
      }
      channel.done(0, outcome);
    } catch (const KernelError& error) {
      channel.done(0, Outcome{.wrong = error.what()});
    }
  };
  Outcome outcome;
  std::string lost;
  runtime::run_isolated({
      .cases = 1,
      .timeout = timeout,
      .work = work,
      .on_info = [](const Json&) {},
      .on_done = [&](std::size_t,
                     const Json& message) { outcome = runtime::received<Outcome>(message); },
      .on_lost =
          [&](std::size_t, runtime::Loss loss, const std::string& message, double) {
            if (loss == runtime::Loss::Disturbed) // another process ended the child
              throw DeviceError(message);
            lost = loss == runtime::Loss::Timeout
                       ? fmt::format("{} did not end within {:g} s (RunOptions::timeout)", what,
                                     timeout)
                       : message;
          },
  });
  if (!lost.empty())
    throw KernelCrash(lost);
  if (outcome.wrong)
    throw KernelError(*outcome.wrong);
  std::vector<Result::Output> outputs;
  for (const auto& [position, name] : outcome.outputs) {
    const std::span bytes(memory.at(shares.offsets[position]), shares.sizes[position]);
    outputs.push_back({position, name, {bytes.begin(), bytes.end()}});
  }
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].read_back)
      std::copy_n(memory.at(shares.offsets[i]), shares.sizes[i], given[i].read_back);
  return {outcome.seconds, outcome.device, std::move(outputs)};
}

} // namespace gputest::runtime
