// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/checked_launch.h"

#include "gputest/error.h"
#include "ir/cuda/code_digest.h"
#include "memory/trace/device_memory.h"
#include "model/files.h"
#include "model/whole_number.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <system_error>

namespace gputest::memory {
namespace {

namespace fs = std::filesystem;
using model::KeptAllocation;
using model::KeptLaunch;

constexpr std::uint64_t kMostOfBlock = 1024; // threads
constexpr std::uint64_t kMostOfLaunch = std::uint64_t{1} << 60;
// Negative numbers of the file are larger.
constexpr std::uint64_t kMostOfSize = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw UsageError(fmt::format("{}: error: {}", file.string(), what));
}

fs::path path_beside(const fs::path& file, const std::string& name) {
  if (name.empty() || fs::path(name).filename() != name)
    refuse(file, fmt::format("'{}' is not the name of a file beside it", name));
  return file.parent_path() / name;
}

std::string read_beside(const fs::path& file, const std::string& name) {
  const fs::path path = path_beside(file, name);
  std::optional<std::string> bytes = model::read_text(path);
  if (!bytes)
    refuse(path, "cannot be read");
  return std::move(*bytes);
}

// Whether a part of so many bytes lies in `all` bytes. Sums do not overflow.
bool lies_in(std::uint64_t begin, std::uint64_t size, std::uint64_t all) {
  return begin <= all && size <= all - begin;
}

std::optional<std::string> problem_of_sizes(const KeptLaunch& launch) {
  double block = 1, all = 1; // products may be too large for 64 bits
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0 || launch.block[i] == 0)
      return "a size of its grid or block is 0";
    if (std::max(launch.grid[i], launch.block[i]) > kMostOfSize)
      return "a size of its grid or block is negative or too large";
    block *= static_cast<double>(launch.block[i]);
    all *= static_cast<double>(launch.block[i]) * static_cast<double>(launch.grid[i]);
  }
  if (block > kMostOfBlock || all > static_cast<double>(kMostOfLaunch))
    return "it has more threads than a launch can have";
  if (launch.warp_size != 32 && launch.warp_size != 64)
    return fmt::format("its warps have {} threads: 32 and 64 are possible", launch.warp_size);
  if (launch.shared_bytes > model::kSharedBytes.most)
    return "it has more shared memory than a launch can have";
  return std::nullopt;
}

std::optional<std::string> problem_of_memory(const KeptLaunch& launch) {
  for (const model::KeptParameter& parameter : launch.parameters) {
    if (!lies_in(parameter.offset, parameter.size, launch.arguments_bytes))
      return fmt::format("parameter '{}' is not in the block of arguments", parameter.name);
    if (parameter.is_pointer && parameter.size != sizeof(std::uint64_t))
      return fmt::format("parameter '{}' is a pointer of {} bytes", parameter.name, parameter.size);
  }
  std::uint64_t end = 0;
  for (const KeptAllocation& one : launch.memory) {
    if (one.size == 0 || !DeviceMemory::has(one.address, one.size))
      return fmt::format("'{}' is not in the memory of a device", one.name);
    if (one.address < end)
      return fmt::format("'{}' is not behind the allocation before it", one.name);
    end = one.address + one.size;
  }
  for (const model::KeptVariable& variable : launch.variables)
    if (std::ranges::none_of(launch.memory, [&](const KeptAllocation& one) {
          return variable.address >= one.address && variable.address - one.address < one.size;
        }))
      return fmt::format("variable '{}' is in none of its allocations", variable.name);
  return std::nullopt;
}

// `rest`: bytes of the contents.
std::optional<std::string> problem_of_contents(const KeptLaunch& launch, std::uint64_t rest) {
  if (launch.arguments_bytes > rest)
    return "its contents are not complete";
  rest -= launch.arguments_bytes;
  for (const KeptAllocation& one : launch.memory) {
    if (one.size > rest)
      return "its contents are not complete";
    rest -= one.size;
  }
  if (rest != 0)
    return fmt::format("its contents have {} bytes that are no allocation's", rest);
  return std::nullopt;
}

} // namespace

CheckedLaunch read_checked_launch(const fs::path& file) {
  CheckedLaunch checked{.file = file, .launch = model::read_kept_launch(file)};
  const KeptLaunch& launch = checked.launch;
  for (const auto& problem : {problem_of_sizes(launch), problem_of_memory(launch)})
    if (problem)
      refuse(file, *problem);
  checked.contents = read_beside(file, launch.contents);
  if (const auto problem = problem_of_contents(launch, checked.contents.size()))
    refuse(file, *problem);
  checked.code = read_beside(file, launch.code);
  if (ir::cuda::code_digest(checked.code) != launch.code_digest)
    refuse(file, fmt::format("'{}' is not the code of its kernel", launch.code));
  return checked;
}

CheckedLaunch read_launch_before(const CheckedLaunch& checked) {
  const KeptLaunch& launch = checked.launch;
  const std::string& name = launch.before.value();
  const fs::path path = path_beside(checked.file, name);
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored))
    refuse(path, "cannot be read");
  CheckedLaunch before = read_checked_launch(path);
  if (before.launch.number + 1 != launch.number)
    refuse(checked.file, fmt::format("'{}' is not the launch before it: its number is {}, and not "
                                     "{}",
                                     name, before.launch.number, launch.number - 1));
  if (before.launch.warp_size != launch.warp_size)
    refuse(checked.file, fmt::format("'{}' has warps of {} threads, and it has warps of {}", name,
                                     before.launch.warp_size, launch.warp_size));
  return before;
}

} // namespace gputest::memory
