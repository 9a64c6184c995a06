// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/case_memory.h"

#include "runtime/cases/guard_zone.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

constexpr std::array kRefusals{CL_INVALID_WORK_GROUP_SIZE,      CL_INVALID_WORK_ITEM_SIZE,
                               CL_INVALID_GLOBAL_OFFSET,        CL_INVALID_GLOBAL_WORK_SIZE,
                               CL_INVALID_WORK_DIMENSION,       CL_OUT_OF_RESOURCES,
                               CL_MEM_OBJECT_ALLOCATION_FAILURE};

} // namespace

CaseMemory::CaseMemory(const Context& context, BoundCase test_case, std::string kernel,
                       const std::vector<std::size_t>& outputs)
    : context_(context), case_(std::move(test_case)), kernel_(std::move(kernel)),
      memory_(context, case_.arguments, kernel_), written_of_(outputs.size()),
      guard_zone_(guard_zone()) {
  for (std::size_t i = 0; i < case_.arguments.size(); ++i) {
    const LaunchArgument& argument = case_.arguments[i];
    const auto output = std::ranges::find(outputs, i);
    const bool is_output = output != outputs.end();
    const bool is_buffer = argument.kind == LaunchArgument::Kind::Buffer && !argument.is_null;
    if (!is_output && !(argument.writable && (is_buffer || argument.image)))
      continue;
    Written written{i, argument.bytes, Bytes(is_output ? argument.bytes.size() : 0), std::nullopt};
    if (is_output) {
      written.output = static_cast<std::size_t>(output - outputs.begin());
      written_of_[*written.output] = written_.size();
    }
    if (is_buffer) {
      written.initial.insert(written.initial.end(), guard_zone_.begin(), guard_zone_.end());
      written.after.resize(written.after.size() + guard_zone_.size());
    }
    written_.push_back(std::move(written));
  }
}

cl::Kernel CaseMemory::make_kernel(const BuiltProgram& program, const cl::Buffer* state) const {
  cl::Kernel kernel = runtime::make_kernel(program, kernel_, kernel_);
  memory_.set_arguments(kernel, case_.arguments);
  if (state)
    checked(fmt::format("kernel '{}', state", kernel_),
            [&] { kernel.setArg(static_cast<cl_uint>(case_.arguments.size()), *state); });
  return kernel;
}

void CaseMemory::restore() const {
  for (const Written& written : written_)
    memory_.write(written.position, written.initial);
}

void CaseMemory::launch(const cl::Kernel& kernel, const Launch& launch) const {
  try {
    check_launch(context_, launch, kernel_);
    context_.queue.enqueueNDRangeKernel(
        kernel, nd_range(launch.global_offset, launch.dimensions),
        nd_range(launch.global_size, launch.dimensions),
        has_local_size(launch) ? nd_range(launch.local_size, launch.dimensions) : cl::NullRange);
  } catch (const DeviceError& error) {
    context_.queue.finish(); // it reads memory of ours
    throw LaunchRefused(error.what());
  } catch (const cl::Error& error) {
    if (std::ranges::find(kRefusals, error.err()) == kRefusals.end())
      throw;
    context_.queue.finish();
    throw LaunchRefused(
        launch_error(error, kernel_, beyond_limits(context_, kernel, launch, case_.arguments, true))
            .what());
  }
}

void CaseMemory::fetch() {
  for (Written& written : written_) {
    if (written.output)
      memory_.read(written.position, written.after);
    else if (!written.after.empty())
      memory_.read_guard_zone(written.position, written.after);
  }
}

std::span<const std::byte> CaseMemory::content(std::size_t output) const {
  const Written& written = written_[written_of_[output]];
  return std::span(written.after).first(case_.arguments[written.position].bytes.size());
}

std::string CaseMemory::overrun() const {
  for (const Written& written : written_) {
    const LaunchArgument& argument = case_.arguments[written.position];
    if (argument.kind != LaunchArgument::Kind::Buffer || argument.is_null)
      continue;
    const auto zone = std::span(written.after).last(guard_zone_.size());
    if (std::memcmp(zone.data(), guard_zone_.data(), zone.size()) != 0)
      return check_guard_zone(zone, argument, kernel_);
  }
  return "";
}

} // namespace gputest::runtime
