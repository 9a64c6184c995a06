// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/gpu.h"

#include "gputest/error.h"
#include "runtime/machine/allocation.h"
#include "runtime/machine/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace gputest::runtime::cuda {
namespace {

int attribute_of(const Driver& driver, DeviceAttribute which, int device) {
  int value = 0;
  driver.check(driver.device_attribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

constexpr std::string_view kPrefix = "cuda:";

} // namespace

std::vector<GpuInfo> list_gpus(const Driver& driver) {
  constexpr Result kStub = 34; // a library to link with, without a driver behind it
  if (const Result begun = driver.init(0); begun == kNoGpu || begun == kStub)
    throw NoDevice(fmt::format("no CUDA GPU ({})", driver.text_of(begun)));
  else if (begun == kNotInitialised)
    throw DeviceError("CUDA's driver cannot be used in this process (CUDA_ERROR_NOT_INITIALIZED): "
                      "a process that was forked from one which uses the GPU cannot use it");
  else
    driver.check(begun, "CUDA's driver");
  int count = 0;
  driver.check(driver.device_count(&count), "cuDeviceGetCount");
  std::vector<GpuInfo> gpus;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    GpuInfo& gpu = gpus.emplace_back(GpuInfo{.ordinal = ordinal, .name = {}});
    int device = 0;
    driver.check(driver.device_get(&device, ordinal), "cuDeviceGet");
    std::array<char, 256> name{};
    driver.check(driver.device_name(name.data(), static_cast<int>(name.size()), device),
                 "cuDeviceGetName");
    gpu.name = name.data();
    std::size_t memory = 0;
    driver.check(driver.device_memory(&memory, device), "cuDeviceTotalMem");
    gpu.memory = memory;
    gpu.major = attribute_of(driver, kMajor, device);
    gpu.minor = attribute_of(driver, kMinor, device);
  }
  if (gpus.empty())
    throw NoDevice("no CUDA GPU (CUDA_VISIBLE_DEVICES may hide it)");
  return gpus;
}

bool keeps_in_step(const GpuInfo& gpu, unsigned threads) {
  constexpr int kVolta = 7;
  constexpr unsigned kWarp = 32;
  return gpu.major < kVolta && threads <= kWarp;
}

std::string describe(const Driver& driver, const std::vector<GpuInfo>& gpus) {
  int version = 0;
  driver.check(driver.driver_version(&version), "cuDriverGetVersion");
  std::string text;
  for (const GpuInfo& gpu : gpus)
    text += fmt::format("cuda:{}: {} (compute capability {}.{}, {} GiB, CUDA {}.{})\n", gpu.ordinal,
                        gpu.name, gpu.major, gpu.minor, gpu.memory >> 30, version / 1000,
                        version % 1000 / 10);
  return text;
}

GpuInfo choose_gpu(const Driver& driver, const std::string& wanted) {
  const std::vector<GpuInfo> gpus = list_gpus(driver);
  const std::string name = lower(wanted);
  // CTest's ids are indices among all OpenCL devices, where GPUs follow each other. So different
  // ids give different GPUs.
  if (name == "gpu" || name == "cuda")
    return gpus[allocated_device("gpu").value_or(0) % gpus.size()];
  const std::string_view number =
      std::string_view(name).substr(name.starts_with(kPrefix) ? kPrefix.size() : 0);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (error == std::errc() && end == number.data() + number.size()) {
    if (index < gpus.size())
      return gpus[index];
    throw UsageError(fmt::format("there is no device '{}', and there are only these GPUs:\n{}",
                                 wanted, describe(driver, gpus)));
  }
  const auto found = std::ranges::find_if(
      gpus, [&](const GpuInfo& gpu) { return lower(gpu.name).find(name) != std::string::npos; });
  if (found == gpus.end())
    throw UsageError(fmt::format("no GPU of CUDA's is called '{}'; there are:\n{}"
                                 "simulator: GpuTestCheck's own",
                                 wanted, describe(driver, gpus)));
  return *found;
}

Gpu::Gpu(const Driver& opened, GpuInfo chosen) : driver(opened), info(std::move(chosen)) {
  int device = 0;
  driver.check(driver.device_get(&device, info.ordinal), info.name);
  // This context is also that of CUDA's runtime, so a program that has one needs no second one.
  // Nobody releases it: the next call in this process gets it at once.
  driver.check(driver.primary_retain(&context_, device), info.name);
  const InUse in_use(*this);
  void* word = nullptr;
  driver.check(driver.host_allocate(&word, sizeof(std::uint32_t), kMapped), info.name);
  told = static_cast<volatile std::uint32_t*>(word);
  *told = 0;
  driver.check(driver.host_address(&told_address, word, 0), info.name);
}

Gpu::~Gpu() {
  const InUse in_use(*this);
  driver.host_free(const_cast<std::uint32_t*>(told));
}

Gpu::InUse::InUse(const Gpu& gpu) : driver_(gpu.driver) {
  driver_.push_context(gpu.context_); // where that fails, the next call fails as well
}

Gpu::InUse::~InUse() {
  Context popped = nullptr;
  driver_.pop_context(&popped);
}

int Gpu::attribute(DeviceAttribute which) const {
  int device = 0, value = 0;
  driver.check(driver.device_get(&device, info.ordinal), info.name);
  driver.check(driver.device_attribute(&value, which, device), info.name);
  return value;
}

int Gpu::attribute(Function function, FunctionAttribute which) const {
  int value = 0;
  driver.check(driver.function_attribute(&value, which, function), info.name);
  return value;
}

} // namespace gputest::runtime::cuda
