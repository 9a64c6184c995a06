// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/device.h"

#include "runtime/machine/allocation.h"
#include "runtime/machine/text.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace gputest::runtime {
namespace {

std::string type_name(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU)
    return "gpu";
  if (type & CL_DEVICE_TYPE_CPU)
    return "cpu";
  return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "custom";
}

// Tells `gputest run` as well, because a test program that catches the exception can hardly do so.
[[noreturn]] void throw_no_device() {
  if (const char* run_folder = std::getenv("GPUTEST_RUN"))
    std::ofstream(std::filesystem::path(run_folder) / "no-device").flush();
  throw NoDevice();
}

bool fits(const Device& device, const std::string& wanted) {
  return device.type == wanted || lower(device.name).find(wanted) != std::string::npos ||
         lower(device.platform).find(wanted) != std::string::npos;
}

} // namespace

std::vector<Device> list_devices() {
  std::vector<Device> devices;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) { // CL_PLATFORM_NOT_FOUND_KHR, or a loader without any vendor
    throw_no_device();
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> found;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
    } catch (const cl::Error&) { // a platform without devices is as good as none
      continue;
    }
    for (const cl::Device& device : found)
      devices.push_back({device, clean(device.getInfo<CL_DEVICE_NAME>()),
                         clean(platform.getInfo<CL_PLATFORM_NAME>()),
                         type_name(device.getInfo<CL_DEVICE_TYPE>()),
                         clean(device.getInfo<CL_DEVICE_VERSION>())});
  }
  if (devices.empty())
    throw_no_device();
  return devices;
}

std::string describe(const std::vector<Device>& devices) {
  std::string text;
  for (std::size_t i = 0; i < devices.size(); ++i)
    text += fmt::format("{}: {} ({}, {}, {})\n", i, devices[i].name, devices[i].type,
                        devices[i].platform, devices[i].version);
  return text;
}

Device choose_device(const std::string& wanted) {
  std::string choice = wanted, from;
  if (choice.empty())
    if (const char* environment = std::getenv("GPUTEST_DEVICE")) {
      choice = environment;
      from = "GPUTEST_DEVICE: ";
    }
  const std::vector<Device> devices = list_devices();
  if (const auto allocated = allocated_device(lower(choice))) {
    if (*allocated >= devices.size())
      throw UsageError(fmt::format("CTest has allocated device {}, and there are only:\n{}Write "
                                   "the resource specification anew, with `gputest resources`",
                                   *allocated, describe(devices)));
    return devices[*allocated];
  }
  if (choice.empty())
    return devices.front();

  std::size_t index = 0;
  const auto [end, error] = std::from_chars(choice.data(), choice.data() + choice.size(), index);
  if (error == std::errc() && end == choice.data() + choice.size() && index < devices.size())
    return devices[index];
  const auto found = std::ranges::find_if(
      devices, [&](const Device& device) { return fits(device, lower(choice)); });
  const bool is_blank = choice.find_first_not_of(" \t\r\n") == std::string::npos;
  if (found == devices.end() || is_blank)
    throw UsageError(
        fmt::format("{}no device is called '{}'; there are:\n{}", from, choice, describe(devices)));
  return *found;
}

bool has_remainders(const Device& device) {
  int major = 0;
  if (std::sscanf(device.version.c_str(), "OpenCL %d", &major) != 1 || major < 2)
    return false;
  if (major == 2)
    return true;
  constexpr cl_device_info kNonUniform = 0x1065; // CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT
  cl_bool supported = CL_FALSE;
  return ::clGetDeviceInfo(device.device(), kNonUniform, sizeof supported, &supported, nullptr) ==
             CL_SUCCESS &&
         supported == CL_TRUE;
}

bool has_atomics(const std::string& version, const std::string& extensions) {
  return !version.starts_with("OpenCL 1.0") ||
         extensions.find("cl_khr_global_int32_base_atomics") != std::string::npos;
}

bool keeps_in_step(const Device& device, unsigned work_items) {
  constexpr cl_device_info kCapability = 0x4000, // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
      kWarp = 0x4003,                            // CL_DEVICE_WARP_SIZE_NV
      kWavefront = 0x4043;                       // CL_DEVICE_WAVEFRONT_WIDTH_AMD
  constexpr cl_uint kVolta = 7;
  const auto number = [&](cl_device_info what) {
    cl_uint value = 0; // not known
    return ::clGetDeviceInfo(device.device(), what, sizeof value, &value, nullptr) == CL_SUCCESS
               ? value
               : 0;
  };
  if (const cl_uint capability = number(kCapability); capability != 0)
    return capability < kVolta && number(kWarp) >= work_items;
  return number(kWavefront) >= work_items;
}

Context::Context(Device chosen) : device(std::move(chosen)) {
  checked(device.name, [&] {
    context = cl::Context(device.device);
    queue = cl::CommandQueue(context, device.device);
  });
}

} // namespace gputest::runtime
