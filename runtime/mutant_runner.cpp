#include "runtime/mutant_runner.h"

#include "runtime/comparison.h"
#include "runtime/schedule_state.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::KillReason;

std::vector<std::size_t> positions_of(const std::vector<ExpectedOutput>& outputs) {
  std::vector<std::size_t> positions;
  for (const ExpectedOutput& output : outputs)
    positions.push_back(output.position);
  return positions;
}

} // namespace

MutantRunner::MutantRunner(const Context& context, const model::MutantTable& table,
                           BoundCase test_case, std::string kernel,
                           std::vector<ExpectedOutput> outputs)
    : context_(context), table_(table), kernel_(std::move(kernel)), outputs_(std::move(outputs)),
      memory_(context, std::move(test_case), kernel_, positions_of(outputs_)),
      state_(make_mutant_state(table, argument_sizes(memory_.test_case().arguments))),
      ordered_launch_(
          with_local_size(memory_.test_case().launch,
                          context.device.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>())) {
  const bool orders = std::ranges::any_of(table.mutants, &model::Mutant::synchronisation);
  const std::size_t room =
      orders ? schedule_section_words(sizes_of(ordered_launch_)) * sizeof(std::uint32_t) : 0;
  checked(fmt::format("kernel '{}'", kernel_), [&] {
    state_buffer_ = cl::Buffer(context.context, CL_MEM_READ_WRITE, state_.size() + room);
    context.queue.enqueueWriteBuffer(state_buffer_, CL_TRUE, 0, state_.size(), state_.data());
  });
}

cl::Kernel MutantRunner::make_kernel(const BuiltProgram& program, bool with_state) const {
  return memory_.make_kernel(program, with_state ? &state_buffer_ : nullptr);
}

void MutantRunner::write_order(unsigned order) {
  const model::Sizes sizes = sizes_of(ordered_launch_);
  const auto of = [&](std::uint64_t count) {
    return model::permutation(order_of(order), static_cast<std::uint32_t>(count));
  };
  const std::vector<std::uint32_t> words =
      schedule_section(sizes, fitted(sizes, of(sizes.group_count())), of(sizes.item_count()));
  context_.queue.enqueueWriteBuffer(state_buffer_, CL_TRUE, state_.size(),
                                    words.size() * sizeof(std::uint32_t), words.data());
  order_ = order;
}

double MutantRunner::run(const cl::Kernel& kernel, MutantControl control, const Launch& launch,
                         unsigned order) {
  const auto start = std::chrono::steady_clock::now();
  checked(fmt::format("kernel '{}'", kernel_), [&] {
    memory_.restore();
    if (order != 0 && order != order_)
      write_order(order);
    control.schedule =
        order == 0 ? 0 : static_cast<std::uint32_t>(state_.size() / sizeof(std::uint32_t));
    control_ = control;
    if (control.trace)
      state_ = make_mutant_state(table_, argument_sizes(memory_.test_case().arguments));
    const std::span<std::byte> words(state_.data(),
                                     control.trace ? state_.size() : kStateHeaderBytes);
    set_control(words.first(kStateHeaderBytes), control);
    const cl::CommandQueue& queue = context_.queue;
    queue.enqueueWriteBuffer(state_buffer_, CL_FALSE, 0, words.size(), words.data());
    memory_.launch(kernel, order == 0 ? launch : ordered_launch_);
    queue.enqueueReadBuffer(state_buffer_, CL_FALSE, 0, words.size(), words.data());
    memory_.fetch();
    queue.finish();
  });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::optional<MutantNotice> MutantRunner::event_notice() const {
  if (auto notice = read_notice(header(), table_, control_))
    return notice;
  if (std::string overrun = memory_.overrun(); !overrun.empty())
    return MutantNotice{KillReason::OutOfBounds, std::move(overrun)};
  return std::nullopt;
}

std::optional<MutantNotice> MutantRunner::notice() const {
  if (auto notice = event_notice())
    return notice;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    std::string problem = judge(outputs_[i], memory_.test_case(), memory_.content(i));
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
  const BoundCase& bound = memory_.test_case();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const std::size_t position = outputs_[i].position;
    if (is_entirely_nan(bound.types[position], memory_.content(i)))
      return MutantNotice{KillReason::WrongOutput, fmt::format("'{}' holds nothing but NaN",
                                                               bound.arguments[position].name)};
  }
  return std::nullopt;
}

std::vector<std::uint32_t> MutantRunner::reached() {
  return read_reached(state_, table_);
}

bool MutantRunner::add_originals() {
  bool same = true;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    same = add_original(outputs_[i], memory_.content(i)) && same;
  return same;
}

} // namespace gputest::runtime
