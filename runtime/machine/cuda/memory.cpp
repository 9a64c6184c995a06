// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/memory.h"

#include "runtime/cases/guard_zone.h"

#include <fmt/format.h>
#include <utility>

namespace gputest::runtime::cuda {

ArgumentMemory::ArgumentMemory(const Gpu& gpu, const std::vector<LaunchArgument>& arguments,
                               std::string kernel)
    : gpu_(gpu), arguments_(arguments), kernel_(std::move(kernel)), addresses_(arguments.size()),
      zone_(guard_zone()) {
  const Gpu::InUse in_use(gpu_);
  try {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].kind != LaunchArgument::Kind::Buffer || arguments[i].is_null)
        continue;
      const std::size_t size = arguments[i].bytes.size();
      Address begin = 0;
      gpu.driver.check(gpu.driver.allocate(&begin, size + 2 * zone_.size()),
                       fmt::format("{}: {} bytes", what(i), size));
      addresses_[i] = begin + zone_.size();
      restore(i);
    }
  } catch (...) {
    free();
    throw;
  }
}

ArgumentMemory::~ArgumentMemory() {
  const Gpu::InUse in_use(gpu_);
  free();
}

void ArgumentMemory::free() const {
  for (const Address address : addresses_)
    if (address != 0)
      gpu_.driver.free(address - zone_.size());
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

void ArgumentMemory::write(Address address, std::span<const std::byte> bytes,
                           std::size_t position) const {
  if (!bytes.empty())
    gpu_.driver.check(gpu_.driver.to_device(address, bytes.data(), bytes.size()), what(position));
}

void ArgumentMemory::read(Address address, std::span<std::byte> bytes, std::size_t position) const {
  if (!bytes.empty())
    gpu_.driver.check(gpu_.driver.to_host(bytes.data(), address, bytes.size()), what(position));
}

void ArgumentMemory::restore(std::size_t position) const {
  const Address address = addresses_[position];
  const Bytes& content = arguments_[position].bytes;
  write(address - zone_.size(), zone_, position);
  write(address, content, position);
  write(address + content.size(), zone_, position);
}

void ArgumentMemory::read(std::size_t position, std::span<std::byte> bytes) const {
  read(addresses_[position], bytes, position);
}

std::string ArgumentMemory::overrun(std::size_t position) const {
  const Address address = addresses_[position];
  const LaunchArgument& argument = arguments_[position];
  Bytes zone(zone_.size());
  read(address + argument.bytes.size(), zone, position);
  if (zone != zone_)
    return check_guard_zone(zone, argument, kernel_);
  read(address - zone_.size(), zone, position);
  if (zone != zone_)
    return check_zone_before(zone, argument, kernel_);
  return "";
}

} // namespace gputest::runtime::cuda
