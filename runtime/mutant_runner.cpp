#include "runtime/mutant_runner.h"

#include "runtime/comparison.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::KillReason;

constexpr std::array kRefusals{CL_INVALID_WORK_GROUP_SIZE,      CL_INVALID_WORK_ITEM_SIZE,
                               CL_INVALID_GLOBAL_OFFSET,        CL_INVALID_GLOBAL_WORK_SIZE,
                               CL_INVALID_WORK_DIMENSION,       CL_OUT_OF_RESOURCES,
                               CL_MEM_OBJECT_ALLOCATION_FAILURE};

} // namespace

MutantRunner::MutantRunner(const Context& context, const model::MutantTable& table,
                           BoundCase test_case, std::string kernel,
                           std::vector<ExpectedOutput> outputs)
    : context_(context), table_(table), case_(std::move(test_case)), kernel_(std::move(kernel)),
      outputs_(std::move(outputs)), memory_(context, case_.arguments, kernel_),
      guard_zone_(guard_zone()), state_(make_mutant_state(table, case_.arguments)) {
  for (std::size_t i = 0; i < case_.arguments.size(); ++i) {
    const LaunchArgument& argument = case_.arguments[i];
    const auto output = std::ranges::find(outputs_, i, &ExpectedOutput::position);
    const bool is_output = output != outputs_.end();
    const bool is_buffer = argument.kind == LaunchArgument::Kind::Buffer;
    if (!is_output && !(argument.writable && (is_buffer || argument.image)))
      continue;
    Written written{i, argument.bytes, Bytes(is_output ? argument.bytes.size() : 0), std::nullopt};
    if (is_output)
      written.output = static_cast<std::size_t>(output - outputs_.begin());
    if (is_buffer) {
      written.initial.insert(written.initial.end(), guard_zone_.begin(), guard_zone_.end());
      written.after.resize(written.after.size() + guard_zone_.size());
    }
    written_.push_back(std::move(written));
  }
  checked(fmt::format("kernel '{}'", kernel_), [&] {
    state_buffer_ = cl::Buffer(context.context, CL_MEM_READ_WRITE, state_.size());
    context.queue.enqueueWriteBuffer(state_buffer_, CL_TRUE, 0, state_.size(), state_.data());
  });
}

cl::Kernel MutantRunner::make_kernel(const BuiltProgram& program, bool with_state) const {
  cl::Kernel kernel = runtime::make_kernel(program, kernel_, kernel_);
  memory_.set_arguments(kernel, case_.arguments);
  if (with_state)
    checked(fmt::format("kernel '{}', state", kernel_),
            [&] { kernel.setArg(static_cast<cl_uint>(case_.arguments.size()), state_buffer_); });
  return kernel;
}

void MutantRunner::launch(const cl::Kernel& kernel, const Launch& launch) const {
  try {
    if (launch.global_size != case_.launch.global_size ||
        launch.local_size != case_.launch.local_size)
      check_limits(context_, kernel, launch, case_.arguments, kernel_);
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
    throw LaunchRefused(device_error(error, "").what());
  }
}

double MutantRunner::run(const cl::Kernel& kernel, const MutantControl& control,
                         const Launch& launch) {
  control_ = control;
  const auto start = std::chrono::steady_clock::now();
  checked(fmt::format("kernel '{}'", kernel_), [&] {
    for (const Written& written : written_)
      memory_.write(written.position, written.initial);
    if (control.trace)
      state_ = make_mutant_state(table_, case_.arguments);
    const std::span<std::byte> words(state_.data(),
                                     control.trace ? state_.size() : kStateHeaderBytes);
    set_control(words.first(kStateHeaderBytes), control);
    const cl::CommandQueue& queue = context_.queue;
    queue.enqueueWriteBuffer(state_buffer_, CL_FALSE, 0, words.size(), words.data());
    this->launch(kernel, launch);
    queue.enqueueReadBuffer(state_buffer_, CL_FALSE, 0, words.size(), words.data());
    for (Written& written : written_) {
      if (written.output)
        memory_.read(written.position, written.after);
      else if (!written.after.empty())
        memory_.read_guard_zone(written.position, written.after);
    }
    queue.finish();
  });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::span<const std::byte> MutantRunner::content_after(const Written& written) const {
  return std::span(written.after).first(case_.arguments[written.position].bytes.size());
}

std::optional<MutantNotice> MutantRunner::event_notice() const {
  if (auto notice = read_notice(header(), table_, control_))
    return notice;
  for (const Written& written : written_) {
    const LaunchArgument& argument = case_.arguments[written.position];
    if (argument.kind != LaunchArgument::Kind::Buffer)
      continue;
    const auto zone = std::span(written.after).last(guard_zone_.size());
    if (std::memcmp(zone.data(), guard_zone_.data(), zone.size()) != 0)
      return MutantNotice{KillReason::OutOfBounds, check_guard_zone(zone, argument, kernel_)};
  }
  return std::nullopt;
}

std::optional<MutantNotice> MutantRunner::notice() const {
  if (auto notice = event_notice())
    return notice;
  for (const Written& written : written_) {
    if (!written.output)
      continue;
    std::string problem = judge(outputs_[*written.output], case_, content_after(written));
    if (!problem.empty())
      return MutantNotice{KillReason::WrongOutput, std::move(problem)};
  }
  return std::nullopt;
}

std::optional<MutantNotice> MutantRunner::original_notice() const {
  if (has_oracle(outputs_))
    return notice();
  if (auto notice = event_notice())
    return notice;
  for (const Written& written : written_) {
    const std::size_t i = written.position;
    if (written.output && is_entirely_nan(case_.types[i], content_after(written)))
      return MutantNotice{KillReason::WrongOutput,
                          fmt::format("'{}' holds nothing but NaN", case_.arguments[i].name)};
  }
  return std::nullopt;
}

std::vector<std::uint32_t> MutantRunner::reached() {
  return read_reached(state_, table_);
}

bool MutantRunner::add_originals() {
  bool same = true;
  for (const Written& written : written_)
    if (written.output)
      same = add_original(outputs_[*written.output], content_after(written)) && same;
  return same;
}

} // namespace gputest::runtime
