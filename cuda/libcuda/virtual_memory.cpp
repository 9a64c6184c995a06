// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory: addresses that programs reserve, memory that they create, and where it is mapped.
//
// The simulator has one address for each byte. Contiguous mapped memory that may be accessed is one
// allocation there. The bytes of unmapped memory are kept here until it is mapped again. Memory
// that can be exported to other processes is a file of its own.
#include "cuda/libcuda/libcuda.h"
#include "process/memory_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace gputest::cuda;

namespace {

constexpr std::size_t kGranularity = std::size_t{2} << 20;

struct Created { // by cuMemCreate
  std::size_t size = 0;
  unsigned references = 1; // of the program
  bool mapped = false;
  int file = -1;                  // what other processes can be given: all bytes are there
  std::vector<std::byte> bytes{}; // of others, while they are not mapped; none: zeros
  CUmemAllocationProp properties{};
};

struct Mapping {
  std::uint64_t address = 0;
  std::size_t size = 0;
  std::list<Created>::iterator memory{};
  bool accessible = false, has_values = false;
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
};

struct VirtualMemory {
  std::map<std::uint64_t, std::size_t> reserved; // bytes by address
  std::list<Created> created;
  std::map<std::uint64_t, Mapping> mappings;
  std::map<std::uint64_t, std::size_t> allocations; // bytes by address
};

VirtualMemory& virtual_memory() {
  static auto* const all = new VirtualMemory; // programs may end while other threads run
  return *all;
}

std::list<Created>::iterator find(CUmemGenericAllocationHandle handle) {
  return std::ranges::find_if(virtual_memory().created, [&](const Created& one) {
    return reinterpret_cast<CUmemGenericAllocationHandle>(&one) == handle;
  });
}

bool is_whole(std::size_t size) {
  return size > 0 && size % kGranularity == 0;
}

bool is_reserved(std::uint64_t address, std::size_t size) {
  const auto& all = virtual_memory().reserved;
  const auto after = all.upper_bound(address);
  if (after == all.begin())
    return false;
  const auto& [begin, bytes] = *std::prev(after);
  return address + size <= begin + bytes;
}

// Returns the mappings that together are exactly the range. Empty: there are none.
std::vector<Mapping*> mappings_of(std::uint64_t address, std::size_t size) {
  std::vector<Mapping*> found;
  auto& all = virtual_memory().mappings;
  std::uint64_t at = address;
  for (auto next = all.find(address); next != all.end() && next->first == at && at < address + size;
       ++next) {
    found.push_back(&next->second);
    at += next->second.size;
  }
  return at == address + size ? found : std::vector<Mapping*>();
}

std::byte* view(const Mapping& mapping) {
  return State::get().heap.view(reinterpret_cast<const void*>(mapping.address));
}

// Brings the bytes to the mapping's addresses when it becomes accessible, and away otherwise.
void set_access(Mapping& mapping, CUmemAccess_flags access) {
  const bool wanted = access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  mapping.access = access;
  if (wanted == mapping.accessible)
    return;
  mapping.accessible = wanted;
  Created& memory = *mapping.memory;
  State& state = State::get();
  if (memory.file >= 0) {
    if (wanted)
      state.map(mapping.address, mapping.size, memory.file, 0);
    else
      state.map(mapping.address, mapping.size, state.heap.descriptor(),
                Heap::offset_of(mapping.address));
    mapping.has_values = wanted;
  } else if (!wanted) {
    memory.bytes.assign(view(mapping), view(mapping) + mapping.size);
    State::get().heap.clear(mapping.address, mapping.size);
  } else if (!memory.bytes.empty()) {
    std::memcpy(view(mapping), memory.bytes.data(), mapping.size);
    mapping.has_values = true;
    memory.bytes.clear();
  }
}

// Updates the allocations to the memory that may be accessed now.
void allocate_mapped() {
  State& state = State::get();
  VirtualMemory& all = virtual_memory();
  std::map<std::uint64_t, std::size_t> wanted;
  std::uint64_t begin = 0, end = 0;
  for (const auto& [address, mapping] : all.mappings) {
    if (!mapping.accessible)
      continue;
    if (address != end)
      begin = address;
    wanted[begin] += mapping.size;
    end = address + mapping.size;
  }
  for (const auto& [address, size] : all.allocations)
    if (const auto same = wanted.find(address); same == wanted.end() || same->second != size)
      state.displace(address);
  for (const auto& [address, size] : wanted) {
    if (const auto same = all.allocations.find(address);
        same != all.allocations.end() && same->second == size)
      continue;
    state.place(address, size);
    for (auto one = all.mappings.find(address);
         one != all.mappings.end() && one->first < address + size; ++one) {
      if (one->second.has_values)
        state.written(reinterpret_cast<const void*>(one->first), one->second.size);
      one->second.has_values = true;
    }
  }
  all.allocations = std::move(wanted);
}

void drop_unused(std::list<Created>::iterator memory) {
  if (memory->references == 0 && !memory->mapped)
    virtual_memory().created.erase(memory);
}

bool is_of_device(const CUmemAllocationProp& properties) {
  return properties.type == CU_MEM_ALLOCATION_TYPE_PINNED &&
         properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE;
}

template <typename What>
CUresult memory_call(What&& what, const char* caller = __builtin_FUNCTION()) {
  return driver_call(std::forward<What>(what), caller);
}

} // namespace

extern "C" {
CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags which) {
  return memory_call([&] {
    if (!granularity || !properties || !is_of_device(*properties) ||
        which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
      return CUDA_ERROR_INVALID_VALUE;
    if (!State::get().is_device(properties->location.id))
      return CUDA_ERROR_INVALID_DEVICE;
    *granularity = kGranularity;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemAddressReserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return memory_call([&] {
    if (!address || !is_whole(size) || flags != 0 || (alignment & (alignment - 1)) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    *address = State::get().heap.reserve(size, std::max(alignment, kGranularity));
    if (*address == 0)
      return CUDA_ERROR_OUT_OF_MEMORY;
    virtual_memory().reserved[*address] = size;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  return memory_call([&] {
    auto& all = virtual_memory().reserved;
    const auto found = all.find(address);
    const auto mapped = virtual_memory().mappings.lower_bound(address);
    if (found == all.end() || found->second != size ||
        (mapped != virtual_memory().mappings.end() && mapped->first < address + size))
      return CUDA_ERROR_INVALID_VALUE;
    all.erase(found);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  return memory_call([&] {
    if (!handle || !properties || !is_whole(size) || flags != 0 || !is_of_device(*properties))
      return CUDA_ERROR_INVALID_VALUE;
    if (!State::get().is_device(properties->location.id))
      return CUDA_ERROR_INVALID_DEVICE;
    const CUmemAllocationHandleType handles = properties->requestedHandleTypes;
    if (handles != CU_MEM_HANDLE_TYPE_NONE && handles != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
      return CUDA_ERROR_NOT_SUPPORTED;
    std::size_t all = State::get().heap.used(0) + size;
    for (const Created& one : virtual_memory().created)
      all += one.mapped ? 0 : one.size;
    if (all > kTotalMemory)
      return CUDA_ERROR_OUT_OF_MEMORY;
    int file = -1;
    if (handles == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
      file = gputest::process::memory_file("gputest-cuda shared", size).release();
      if (file < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    Created& made = virtual_memory().created.emplace_back(
        Created{.size = size, .file = file, .properties = *properties});
    *handle = reinterpret_cast<CUmemGenericAllocationHandle>(&made);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return memory_call([&] {
    const auto memory = find(handle);
    if (memory == virtual_memory().created.end() || memory->references == 0)
      return CUDA_ERROR_INVALID_VALUE;
    --memory->references;
    drop_unused(memory);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return memory_call([&] {
    for (auto& [begin, mapping] : virtual_memory().mappings)
      if (handle && reinterpret_cast<std::uint64_t>(address) - begin < mapping.size) {
        ++mapping.memory->references;
        *handle = reinterpret_cast<CUmemGenericAllocationHandle>(&*mapping.memory);
        return CUDA_SUCCESS;
      }
    return CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return memory_call([&] {
    const auto memory = find(handle);
    if (!properties || memory == virtual_memory().created.end())
      return CUDA_ERROR_INVALID_VALUE;
    *properties = memory->properties;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return memory_call([&] {
    const auto memory = find(handle);
    if (!shareable || memory == virtual_memory().created.end() || memory->file < 0 || flags != 0 ||
        type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
      return CUDA_ERROR_INVALID_VALUE;
    const int file = ::fcntl(memory->file, F_DUPFD_CLOEXEC, 3);
    if (file < 0)
      return CUDA_ERROR_OPERATING_SYSTEM;
    *static_cast<int*>(shareable) = file;
    return CUDA_SUCCESS;
  });
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                        CUmemAllocationHandleType type) {
  return memory_call([&] {
    const int file =
        ::fcntl(static_cast<int>(reinterpret_cast<std::intptr_t>(shareable)), F_DUPFD_CLOEXEC, 3);
    struct stat what{};
    if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || file < 0 ||
        ::fstat(file, &what) != 0 || !is_whole(static_cast<std::size_t>(what.st_size)))
      return CUDA_ERROR_INVALID_VALUE;
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, State::device()};
    properties.requestedHandleTypes = type;
    Created& made = virtual_memory().created.emplace_back(Created{
        .size = static_cast<std::size_t>(what.st_size), .file = file, .properties = properties});
    *handle = reinterpret_cast<CUmemGenericAllocationHandle>(&made);
    return CUDA_SUCCESS;
  });
}
CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return memory_call([&] {
    const auto memory = find(handle);
    auto& all = virtual_memory().mappings;
    if (memory != virtual_memory().created.end() && offset == 0 && size > memory->size &&
        address % kGranularity == 0 && is_reserved(address, kGranularity))
      return CUDA_ERROR_NOT_SUPPORTED; // as on a GPU
    if (memory == virtual_memory().created.end() || flags != 0 || offset != 0 ||
        size != memory->size || address % kGranularity != 0 || !is_reserved(address, size))
      return CUDA_ERROR_INVALID_VALUE;
    const auto after = all.lower_bound(address);
    const bool overlaps =
        (after != all.end() && after->first < address + size) ||
        (after != all.begin() && std::prev(after)->first + std::prev(after)->second.size > address);
    if (overlaps)
      return CUDA_ERROR_INVALID_VALUE;
    if (memory->mapped) {
      std::fprintf(stderr, "gputest-cuda: error: cuMemMap: memory that is mapped already cannot be "
                           "mapped a second time in the simulator\n");
      return CUDA_ERROR_NOT_SUPPORTED;
    }
    memory->mapped = true;
    all[address] = {.address = address, .size = size, .memory = memory};
    return CUDA_SUCCESS;
  });
}
CUresult cuMemUnmap(CUdeviceptr address, size_t size) {
  wait_for_device();
  return memory_call([&] {
    const std::vector<Mapping*> mapped = mappings_of(address, size);
    if (mapped.empty())
      return CUDA_ERROR_INVALID_VALUE;
    State::get().flush();
    for (Mapping* mapping : mapped) {
      const auto memory = mapping->memory;
      set_access(*mapping, CU_MEM_ACCESS_FLAGS_PROT_NONE);
      virtual_memory().mappings.erase(mapping->address);
      memory->mapped = false;
      drop_unused(memory);
    }
    allocate_mapped();
    return CUDA_SUCCESS;
  });
}
CUresult cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc* descriptions,
                        size_t count) {
  return memory_call([&] {
    const std::vector<Mapping*> mapped = mappings_of(address, size);
    if (mapped.empty() || !descriptions || count == 0)
      return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i)
      if (descriptions[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
      else if (!State::get().is_device(descriptions[i].location.id))
        return CUDA_ERROR_INVALID_DEVICE;
    for (std::size_t i = 0; i < count; ++i)
      for (Mapping* mapping : mapped)
        set_access(*mapping, descriptions[i].flags);
    allocate_mapped();
    return CUDA_SUCCESS;
  });
}
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr address) {
  return memory_call([&] {
    if (!flags || !location)
      return CUDA_ERROR_INVALID_VALUE;
    for (const auto& [begin, mapping] : virtual_memory().mappings)
      if (address - begin < mapping.size) {
        *flags = mapping.access;
        return CUDA_SUCCESS;
      }
    return CUDA_ERROR_INVALID_VALUE;
  });
}
}
