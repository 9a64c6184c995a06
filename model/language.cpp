// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/language.h"

#include <algorithm>
#include <array>

namespace gputest::model {
namespace {

constexpr LanguageRow kOpenCL{.language = Language::OpenCL,
                              .name = "OpenCL C",
                              .word = "opencl",
                              .endings = "",
                              .ending = ".cl",
                              .group = "work-group",
                              .header = "",
                              .macro = "",
                              .variables_of = "program",
                              .group_fence = "mem_fence() or atomic_work_item_fence()",
                              .device_fence = "mem_fence() or atomic_work_item_fence()",
                              .has_source = true,
                              .is_cpp = false,
                              .variants_are_flat = true,
                              .has_orders = true,
                              .items_move = true,
                              .state_is_argument = true,
                              .has_context = true,
                              .has_offsets = true,
                              .has_shared_memory = false,
                              .has_instances = false,
                              .has_host_code = false,
                              .standards = "CL1.0 CL1.1 CL1.2 CL2.0 CL3.0 ",
                              .standard = "CL1.2",
                              .is_simulated = false,
                              .asks_device = true,
                              .pointers_tell_space = true,
                              .keeps_memory = false,
                              .exits_pass_barriers = false,
                              .has_guards = true,
                              .traps_misaligned = false,
                              .warp = std::nullopt};

// The C++ for OpenCL Programming language documentation, revision 2021. Methods and operators take
// no more parameters than their author wrote, so kernels put the state into a variable.
constexpr LanguageRow cpp_for_opencl() {
  LanguageRow row = kOpenCL;
  row.language = Language::OpenCLCpp;
  row.name = "C++ for OpenCL";
  row.word = "clcpp";
  row.endings = ".clcpp ";
  row.ending = ".clcpp";
  row.is_cpp = true;
  row.has_orders = false;
  row.has_context = false;
  row.standards = "CLC++1.0 CLC++2021 ";
  row.standard = "CLC++1.0";
  row.is_simulated = true;
  row.has_guards = false;
  return row;
}

// The SPIR-V of kernels, which llvm-spirv translates (ir/spirv/translate.h).
constexpr LanguageRow spirv() {
  LanguageRow row = kOpenCL;
  row.language = Language::Spirv;
  row.name = "SPIR-V";
  row.word = "spirv";
  row.endings = ".spv ";
  row.ending = ".spv";
  row.has_source = false;
  row.has_orders = false;
  row.standards = "";
  row.standard = "";
  row.is_simulated = true;
  row.asks_device = false;
  row.has_guards = false;
  return row;
}

// CUDA C++ Programming Guide: "Independent Thread Scheduling" for barriers, "Hardware
// Multithreading" for warps.
constexpr LanguageRow kCuda{.language = Language::Cuda,
                            .name = "CUDA C++",
                            .word = "cuda",
                            .endings = ".cu ",
                            .ending = ".cu",
                            .group = "block",
                            .header = "cuda_runtime.h",
                            .macro = "__NVCC__", // programs ask for it
                            .variables_of = "device",
                            .group_fence = "__threadfence_block()",
                            .device_fence = "__threadfence()",
                            .has_source = true,
                            .is_cpp = true,
                            .variants_are_flat = false,
                            .has_orders = false,
                            .items_move = false,
                            .state_is_argument = false,
                            .has_context = false,
                            .has_offsets = false,
                            .has_shared_memory = true,
                            .has_instances = true,
                            .has_host_code = true,
                            .standards = "c++11 c++14 c++17 c++20 c++23 ",
                            .standard = "", // the compiler's
                            .is_simulated = true,
                            .asks_device = false,
                            .pointers_tell_space = false,
                            .keeps_memory = true,
                            .exits_pass_barriers = true,
                            .has_guards = false,
                            .traps_misaligned = true,
                            .warp = 32};

constexpr LanguageRow hip() {
  LanguageRow row = kCuda;
  row.name = "HIP C++";
  row.word = "hip";
  row.endings = ".hip ";
  row.ending = ".hip";
  row.header = "hip/hip_runtime.h";
  row.macro = "GPUTEST_HIP";
  return row;
}

constexpr std::array kLanguages{kOpenCL, cpp_for_opencl(), spirv(), kCuda, hip()};

} // namespace

std::span<const LanguageRow> language_rows() {
  return kLanguages;
}

const LanguageRow& row_of(Language language) {
  for (const LanguageRow& row : kLanguages)
    if (row.language == language)
      return row;
  return kLanguages.front();
}

const LanguageRow& row_of(const std::filesystem::path& source) {
  const std::string ending = source.extension().string() + ' ';
  for (const LanguageRow& row : kLanguages)
    if (ending.size() > 1 && row.endings.find(ending) != std::string_view::npos)
      return row;
  return kLanguages.front();
}

Language language_of(const std::filesystem::path& source) {
  return row_of(source).language;
}

std::string file_of_variant(std::string_view name, const std::filesystem::path& source) {
  return std::filesystem::path(name).replace_extension(row_of(source).ending).string();
}

} // namespace gputest::model
