// The device code of the program: what its object files register before main(), what it loads, and
// what the simulator says about it.
#pragma once

#include "cuda/include/cuda_runtime_api.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct CUmod_st;

namespace gputest::cuda {

struct KernelInfo {
  std::uint64_t module = 0; // as the simulator numbers them
  std::string name;
  std::size_t shared_size = 0;
  unsigned most_threads = 1024;
  std::array<std::uint64_t, 3> cluster{};  // __cluster_dims__; 0: the launch says it
  std::vector<std::size_t> offsets, sizes; // of parameters
  std::size_t arguments_size = 0;
  int dynamic_limit = 0; // cudaFuncAttributeMaxDynamicSharedMemorySize; 0: as it is
};

struct VariableInfo {
  std::uint64_t address = 0;
  std::size_t size = 0;
  bool managed = false;
};

std::string_view bytes_of_container(const void* container);

// The simulator that the containers name; empty: they do not say.
std::string simulator_of(std::string_view containers);

// One or more containers that are one program of the device.
struct LoadedCode {
  std::map<std::string, KernelInfo> kernels;
  std::map<std::string, VariableInfo> variables;
};

// What a device has of the object files.
struct DeviceCode {
  std::map<const void*, KernelInfo> kernels;     // by the address of the host's stub
  std::map<const void*, VariableInfo> variables; // by the address of the host's copy
};

// What one object file has.
struct RegisteredModule {
  const void* container = nullptr;
  std::set<int> loaded{};                       // by these devices
  std::map<std::string, VariableInfo> shared{}; // variables that all devices have together
  std::map<const void*, std::string> functions; // by the address of the host's stub
  std::map<const void*, std::string> variables; // by the address of the host's copy
};

} // namespace gputest::cuda

// What programs have loaded themselves. The functions' addresses are what kernels are asked for by.
struct CUfunc_st {
  CUmod_st* module = nullptr;
};
struct CUmod_st {
  std::map<std::string, CUfunc_st> functions;
  std::map<std::string, gputest::cuda::VariableInfo> variables;
};
