// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's device code: what object files register before main(), what the program loads, and
// what the simulator tells about it.
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
  std::uint64_t module = 0; // the simulator's number
  std::string name;
  std::size_t shared_size = 0;
  unsigned most_threads = 1024;
  std::array<std::uint64_t, 3> cluster{};  // __cluster_dims__; 0: the launch decides
  std::vector<std::size_t> offsets, sizes; // of parameters, in bytes
  std::size_t arguments_size = 0;
  bool is_noted = false; // in a fork: the process that it is a fork of knows of its launch
  int dynamic_limit = 0; // cudaFuncAttributeMaxDynamicSharedMemorySize; 0: default
};

struct VariableInfo {
  std::uint64_t address = 0;
  std::size_t size = 0;
  bool managed = false;
};

std::string_view bytes_of_container(const void* container);

// Returns the path of the simulator that the containers name; "": none.
std::string simulator_of(std::string_view containers);

// One or more containers, loaded as one device program.
struct LoadedCode {
  std::map<std::string, KernelInfo> kernels;
  std::map<std::string, VariableInfo> variables;
};

// The loaded code of the object files on one device.
struct DeviceCode {
  std::map<const void*, KernelInfo> kernels;     // by the address of the host's stub
  std::map<const void*, VariableInfo> variables; // by the address of the host's copy
};

// The registrations of one object file.
struct RegisteredModule {
  const void* container = nullptr;
  std::set<int> loaded{};                       // the devices that have loaded it
  std::map<std::string, VariableInfo> shared{}; // variables that all devices share
  std::map<const void*, std::string> functions; // by the address of the host's stub
  std::map<const void*, std::string> variables; // by the address of the host's copy
};

} // namespace gputest::cuda

// A module that the program has loaded. The address of a CUfunc_st is the key of its kernel in
// State::kernel().
struct CUfunc_st {
  CUmod_st* module = nullptr;
};
struct CUmod_st {
  std::map<std::string, CUfunc_st> functions;
  std::map<std::string, gputest::cuda::VariableInfo> variables;
};
