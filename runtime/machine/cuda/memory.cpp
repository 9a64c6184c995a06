#include "runtime/machine/cuda/memory.h"

#include "runtime/cases/guard_zone.h"

#include <fmt/format.h>
#include <utility>

namespace gputest::runtime::cuda {

ArgumentMemory::ArgumentMemory(const Gpu& gpu, const std::vector<LaunchArgument>& arguments,
                               std::string kernel)
    : gpu_(gpu), arguments_(arguments), kernel_(std::move(kernel)), addresses_(arguments.size()) {
  const Gpu::InUse in_use(gpu_);
  const Bytes zone = guard_zone();
  try {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const LaunchArgument& argument = arguments[i];
      if (argument.kind != LaunchArgument::Kind::Buffer || argument.is_null)
        continue;
      const std::size_t size = argument.bytes.size();
      gpu.driver.check(gpu.driver.allocate(&addresses_[i], size + zone.size()),
                       fmt::format("{}: {} bytes", what(i), size));
      write(i, argument.bytes);
      gpu.driver.check(gpu.driver.to_device(addresses_[i] + size, zone.data(), zone.size()),
                       what(i));
    }
  } catch (...) {
    for (const Address address : addresses_)
      if (address != 0)
        gpu.driver.free(address);
    throw;
  }
}

ArgumentMemory::~ArgumentMemory() {
  const Gpu::InUse in_use(gpu_);
  for (const Address address : addresses_)
    if (address != 0)
      gpu_.driver.free(address);
}

std::string ArgumentMemory::what(std::size_t position) const {
  return fmt::format("kernel '{}', argument '{}'", kernel_, arguments_[position].name);
}

std::vector<void*> ArgumentMemory::pointers() const {
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    pointers.push_back(arguments_[i].kind == LaunchArgument::Kind::Buffer
                           ? static_cast<void*>(const_cast<Address*>(&addresses_[i]))
                           : const_cast<std::byte*>(arguments_[i].bytes.data()));
  return pointers;
}

void ArgumentMemory::write(std::size_t position, std::span<const std::byte> bytes) const {
  if (!bytes.empty())
    gpu_.driver.check(gpu_.driver.to_device(addresses_[position], bytes.data(), bytes.size()),
                      what(position));
}

void ArgumentMemory::read(std::size_t position, std::span<std::byte> bytes) const {
  if (!bytes.empty())
    gpu_.driver.check(gpu_.driver.to_host(bytes.data(), addresses_[position], bytes.size()),
                      what(position));
}

void ArgumentMemory::read_guard_zone(std::size_t position, std::span<std::byte> zone) const {
  const std::size_t size = arguments_[position].bytes.size();
  gpu_.driver.check(gpu_.driver.to_host(zone.data(), addresses_[position] + size, zone.size()),
                    what(position));
}

} // namespace gputest::runtime::cuda
