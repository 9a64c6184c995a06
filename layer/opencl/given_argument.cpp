// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/given_argument.h"

#include "layer/opencl/image_argument.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <stdexcept>
#include <utility>

namespace gputest::layer {
namespace {

template <typename Handle> Handle handle_in(const std::vector<std::byte>& value) {
  Handle handle = nullptr;
  if (value.size() == sizeof handle)
    std::memcpy(static_cast<void*>(&handle), value.data(), sizeof handle);
  return handle;
}

// Returns 0 for what is none of OpenCL's memory.
cl_mem_object_type type_of(cl_mem memory) {
  cl_mem_object_type type = 0;
  if (memory)
    implementation().clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, nullptr);
  return type;
}

GivenArgument memory_argument(const model::Argument& described, cl_mem memory, PipeMemory& pipes,
                              const std::string& what) {
  GivenArgument given{.kind = GivenArgument::Kind::Buffer, .memory = memory};
  given.is_written = described.access != model::Access::Read;
  if (described.type.kind != model::Type::Kind::Image) {
    given.size = buffer_size(memory);
    given.keeps_packets = pipes.find(memory).has_value();
    if (given.keeps_packets)
      given.is_written = true; // at least what counts packets
    else if (type_of(memory) == CL_MEM_OBJECT_PIPE)
      throw std::runtime_error(what + " is a pipe of the device");
    return given;
  }
  if (!memory)
    throw std::runtime_error(what + " is no image");
  given.kind = GivenArgument::Kind::Image;
  given.image = layout_of(memory, described.type.name, what);
  given.size = given.image->pixels() * given.image->pixel_size();
  if (given.image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    given.memory = buffer_of(memory, what);
  return given;
}

GivenArgument svm_argument(const model::Argument& described, const void* pointer, SvmMemory& svm,
                           const std::string& what) {
  GivenArgument given{.kind = GivenArgument::Kind::Buffer};
  given.is_written = described.access != model::Access::Read;
  if (!pointer)
    return given;
  const auto block = svm.find(pointer);
  if (!block)
    throw std::runtime_error(what + " is a pointer to shared virtual memory of the system");
  given.svm = const_cast<void*>(pointer);
  given.size = block->size - static_cast<std::size_t>(static_cast<const std::byte*>(pointer) -
                                                      static_cast<std::byte*>(block->begin));
  return given;
}

GivenArgument given_argument(const model::Argument& described,
                             const KernelSettings::Argument& argument, KnownMemory known) {
  using Set = KernelSettings::Argument::Kind;
  using Type = model::Type::Kind;
  const std::string what = "argument '" + described.name + "'";
  if (argument.kind == Set::Unset)
    throw std::runtime_error(what + " is not set");
  if (argument.kind == Set::SvmPointer)
    return svm_argument(described, argument.pointer, known.svm, what);
  if (described.address_space == model::AddressSpace::Local)
    return {.kind = GivenArgument::Kind::Local, .size = argument.size};
  if (described.type.name == kQueueType) // the simulator takes any but 0 for the default queue
    return {.kind = GivenArgument::Kind::Value, .size = argument.size, .bytes = argument.bytes};
  if (described.type.kind == Type::Opaque)
    throw std::runtime_error(what + " is a " + described.type.name);
  if (described.type.kind == Type::Sampler)
    return {.kind = GivenArgument::Kind::Sampler,
            .sampler = settings_of(handle_in<cl_sampler>(argument.bytes), what)};
  if (!described.pointer && described.type.kind != Type::Image)
    return {.kind = GivenArgument::Kind::Value, .size = argument.size, .bytes = argument.bytes};
  return memory_argument(described, handle_in<cl_mem>(argument.bytes), known.pipes, what);
}

// Whether the kernel may reach memory by pointers that it finds in its arguments' memory, or by any
// pointer of the system's.
bool reaches_other_memory(const KernelSettings::ExecInfo& info,
                          const std::map<const void*, bool>& known, SvmMemory& svm) {
  if (info.name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM)
    return std::ranges::any_of(info.bytes, [](std::byte byte) { return byte != std::byte{0}; });
  if (info.name != CL_KERNEL_EXEC_INFO_SVM_PTRS)
    return false;
  for (std::size_t at = 0; at + sizeof(void*) <= info.bytes.size(); at += sizeof(void*)) {
    const void* pointer = nullptr;
    std::memcpy(static_cast<void*>(&pointer), info.bytes.data() + at, sizeof pointer);
    const auto block = svm.find(pointer);
    if (!block || !known.contains(block->begin))
      return true;
  }
  return false;
}

} // namespace

std::uint64_t buffer_size(cl_mem memory) {
  std::size_t size = 0;
  if (type_of(memory) != CL_MEM_OBJECT_BUFFER ||
      implementation().clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr) !=
          CL_SUCCESS)
    return 0;
  return size;
}

cl_mem whole_of(cl_mem memory) {
  cl_mem whole = nullptr;
  implementation().clGetMemObjectInfo(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole,
                                      static_cast<void*>(&whole), nullptr);
  return whole ? whole_of(whole) : memory;
}

cl_mem memory_in(const KernelSettings::Argument& argument) {
  return argument.kind == KernelSettings::Argument::Kind::Value ? handle_in<cl_mem>(argument.bytes)
                                                                : nullptr;
}

std::vector<GivenArgument> given_arguments(const model::KernelInterface& described,
                                           const KernelSettings& settings, KnownMemory known) {
  std::vector<GivenArgument> all;
  std::map<const void*, bool> is_written; // by the kernel; by memory object or allocation
  for (std::size_t i = 0; i < described.arguments.size(); ++i) {
    GivenArgument given = given_argument(described.arguments[i], settings.arguments[i], known);
    given.name = described.arguments[i].name;
    if (given.has_memory()) {
      const void* whole =
          given.svm ? known.svm.find(given.svm).value().begin : whole_of(given.memory);
      const auto [before, is_first] = is_written.emplace(whole, given.is_written);
      if (!is_first && (given.is_written || before->second))
        throw std::runtime_error(
            fmt::format("argument '{}' is memory that another argument is as well, and the kernel "
                        "writes there",
                        given.name));
    }
    all.push_back(std::move(given));
  }
  for (const KernelSettings::ExecInfo& info : settings.exec_infos)
    if (reaches_other_memory(info, is_written, known.svm))
      throw std::runtime_error("it reaches shared virtual memory that is no argument of it");
  return all;
}

} // namespace gputest::layer
