// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/shrink.h"

#include "runtime/cases/scalar.h"
#include "testgen/weak.h"

#include <algorithm>
#include <cmath>

namespace gputest::testgen {
namespace {

using ir::Parameter;

constexpr std::int64_t kSmall = 64;

// Stores simple values in which neighbours differ: 1 2 3 4 5 1 2 …, 0.5 1 1.5 ….
void store_plain(const KernelArgument& argument, std::byte* element, std::size_t index) {
  for (std::size_t i = 0; i < argument.leaves.size(); ++i) {
    const model::Leaf& leaf = argument.leaves[i];
    if (model::is_floating(leaf.scalar))
      runtime::store_number(leaf.scalar, static_cast<double>((index + i) % 7 + 1) / 2,
                            element + leaf.offset);
    else
      runtime::store_integer(leaf.scalar, (index + i) % 5 + 1, element + leaf.offset);
  }
}

} // namespace

bool Shrinker::accept(Input candidate) {
  if (until_.over())
    launches_ = kMostLaunches + 1;
  if (launches_ > kMostLaunches || candidate == best_)
    return false;
  if (!constraints_.hold(target_, candidate) &&
      (!mutator_.obey(candidate, false) || candidate == best_ ||
       !constraints_.hold(target_, candidate)))
    return false;
  const Kept kept = keeps_(candidate);
  launches_ += kept.fault ? kMostLaunches / kMostFaults : 1;
  if (!kept.kept || candidate == best_) // its memory may have grown again
    return false;
  best_ = std::move(candidate);
  return true;
}

// Where memory has become smaller, also tries its last elements instead of the first, because the
// failure may depend on those.
bool Shrinker::accept_either(const Input& candidate) {
  if (accept(candidate))
    return true;
  if (!all_tried_)
    return false;
  Input tails = candidate;
  bool any = false;
  for (std::size_t i = 0; i < target_.arguments.size(); ++i) {
    const runtime::Bytes& now = best_.arguments[i].bytes;
    runtime::Bytes& bytes = tails.arguments[i].bytes;
    if (target_.arguments[i].kind != Parameter::Kind::Buffer || bytes.size() >= now.size())
      continue;
    std::copy(now.end() - static_cast<std::ptrdiff_t>(bytes.size()), now.end(), bytes.begin());
    any = true;
  }
  return any && accept(std::move(tails));
}

bool Shrinker::has_those_faults(const Checked& checked) const {
  return can_be_assumed_fixed(checked) &&
         std::ranges::all_of(checked.findings, [&](const simulator::Finding& finding) {
           return faults_.contains({finding.kind, finding.site.line});
         });
}

Shrinker::Kept Shrinker::keeps_bits(const Input& candidate) {
  const Outcome outcome = worker_.try_run(candidate);
  Kept kept{.kept = false, .fault = outcome.fault != Fault::None};
  if ((faults_.empty() && !outcome.clean()) || kept.fault ||
      !std::ranges::all_of(bits_, [&](unsigned bit) {
        return outcome.has(bit) || bit >= 32 * target_.sites.coverage_words;
      }))
    return kept;
  if (kills_ && !kills_->keeps(candidate, bits_))
    return kept;
  const Checked checked = worker_.check(candidate);
  kept.kept = (checked.valid() || has_those_faults(checked)) && (!silent_ || checked.silent()) &&
              (weak_ || !is_weak(target_, candidate, checked));
  return kept;
}

void Shrinker::shrink_shape() {
  std::vector<Shape> smaller;
  for (const Shape& shape : mutator_.shapes())
    if (shape.items() < best_.shape.items() && (!several_groups_ || shape.group_count() > 1) &&
        (!several_items_ || shape.items_of_group() > 1))
      smaller.push_back(shape);
  std::ranges::stable_sort(smaller, {}, [](const Shape& shape) { return shape.items(); });
  for (const Shape& shape : smaller) {
    if (launches_ > kMostLaunches)
      return;
    Input candidate = best_;
    candidate.shape = shape;
    candidate.shape.offset = best_.shape.offset;
    // A scalar that was a size of the launch may have to stay one.
    Input scaled = candidate;
    for (std::size_t i = 0; i < target_.arguments.size(); ++i)
      if (const KernelArgument& argument = target_.arguments[i]; argument.is_integer())
        for (unsigned k = 0; k < shape.dimensions; ++k)
          if (runtime::read_integer(argument.type.scalar, best_.arguments[i].bytes.data()) ==
              best_.shape.global[k]) {
            runtime::store_integer(argument.type.scalar, shape.global[k],
                                   scaled.arguments[i].bytes.data());
            break;
          }
    mutator_.set_sizes(scaled, true);
    mutator_.set_sizes(candidate, true);
    if (accept_either(scaled) || accept_either(candidate))
      return;
  }
}

void Shrinker::shrink_offset() {
  for (unsigned i = 0; i < best_.shape.dimensions; ++i)
    for (bool smaller = true; smaller && best_.shape.offset[i] != 0;) {
      smaller = false;
      const std::uint64_t now = best_.shape.offset[i];
      for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1}, now / 2, now - 1}) {
        Input candidate = best_;
        candidate.shape.offset[i] = offset;
        if (smaller || offset >= now || launches_ > kMostLaunches)
          continue;
        mutator_.set_sizes(candidate, true);
        smaller = accept_either(candidate);
      }
    }
}

void Shrinker::shrink_scalars() {
  for (std::size_t i = 0; i < target_.arguments.size(); ++i) {
    const KernelArgument& argument = target_.arguments[i];
    if (argument.kind == Parameter::Kind::Sampler) {
      Input candidate = best_;
      candidate.arguments[i].sampler = 0;
      accept(std::move(candidate));
    }
    if (argument.kind != Parameter::Kind::Value)
      continue;
    for (const model::Leaf& leaf : argument.leaves) {
      if (launches_ > kMostLaunches)
        return;
      const auto with = [&](const auto& change) {
        Input candidate = best_;
        change(candidate.arguments[i].bytes.data() + leaf.offset);
        if (argument.is_integer())
          mutator_.set_sizes(candidate, true);
        return accept_either(candidate);
      };
      if (model::is_floating(leaf.scalar)) {
        const double now =
            runtime::read_scalar(leaf.scalar, best_.arguments[i].bytes.data() + leaf.offset);
        for (const double value : {1.0, 0.0, 2.0, 0.5, -1.0, 1.5, std::round(now),
                                   std::round(now * 4) / 4, std::round(now * 100) / 100})
          if (std::isnan(now) || std::abs(value) <= std::abs(now) || value == 1.0)
            if (with([&](std::byte* to) { runtime::store_number(leaf.scalar, value, to); }))
              break;
        continue;
      }
      for (unsigned round = 0; round < 40; ++round) {
        const auto now = static_cast<std::int64_t>(
            runtime::read_integer(leaf.scalar, best_.arguments[i].bytes.data() + leaf.offset));
        if (now == 0)
          break;
        bool smaller = false;
        std::vector<std::int64_t> values{0, 1, 2, now / 2, now < 0 ? now + 1 : now - 1};
        for (std::int64_t value = 3; all_tried_ && value <= kSmall; ++value)
          values.push_back(value);
        for (const std::int64_t value : values)
          if (!smaller && std::abs(value) < std::abs(now))
            smaller = with([&](std::byte* to) {
              runtime::store_integer(leaf.scalar, static_cast<std::uint64_t>(value), to);
            });
        if (!smaller)
          break;
      }
    }
  }
}

void Shrinker::shrink_elements(std::size_t position) {
  const KernelArgument& argument = target_.arguments[position];
  const std::size_t element = argument.type.size;
  const std::size_t count = best_.arguments[position].bytes.size() / element;
  // Numbers with few digits.
  const auto rounded = [&](std::size_t begin, std::size_t end, double unit) {
    Input candidate = best_;
    for (std::size_t k = begin; k < end; ++k)
      for (const model::Leaf& leaf : argument.leaves)
        if (std::byte* const at =
                candidate.arguments[position].bytes.data() + k * element + leaf.offset;
            model::is_floating(leaf.scalar))
          runtime::store_number(
              leaf.scalar, std::round(runtime::read_scalar(leaf.scalar, at) * unit) / unit, at);
    return accept(std::move(candidate));
  };
  // Ever smaller parts.
  for (std::size_t part = count; part > 0; part = part == 1 ? 0 : (part + 1) / 2)
    for (std::size_t begin = 0; begin < count; begin += part) {
      Input candidate = best_;
      for (std::size_t k = begin; k < std::min(begin + part, count); ++k)
        store_plain(argument, candidate.arguments[position].bytes.data() + k * element, k);
      if (accept(std::move(candidate)) && part == count)
        return;
      if (launches_ > kMostLaunches)
        return;
    }
  if (!rounded(0, count, 1) && !rounded(0, count, 4))
    for (std::size_t k = 0; k < count && launches_ <= kMostLaunches; ++k)
      if (!rounded(k, k + 1, 1))
        rounded(k, k + 1, 100);
}

void Shrinker::shrink_memory() {
  for (std::size_t i = 0; i < target_.arguments.size(); ++i) {
    const KernelArgument& argument = target_.arguments[i];
    const std::size_t element = argument.element_size();
    const bool local = argument.kind == Parameter::Kind::Local;
    if (best_.arguments[i].is_null && launches_ <= kMostLaunches) { // what is usual says more
      Input candidate = best_;
      mutator_.set_null(candidate, i, false);
      accept(std::move(candidate));
    }
    const auto elements = [&] {
      const Content& content = best_.arguments[i];
      return (local ? content.local_size : content.bytes.size()) / element;
    };
    if ((argument.kind == Parameter::Kind::Buffer || local) && !constraints_.has_size(i)) {
      std::size_t step = (elements() + 1) / 2;
      while (step > 0 && launches_ <= kMostLaunches) {
        Input candidate = best_;
        if (elements() > step && mutator_.resize(candidate, i, elements() - step) &&
            accept_either(candidate))
          continue;
        step /= 2;
      }
    }
    if (argument.kind == Parameter::Kind::Buffer || argument.kind == Parameter::Kind::Image)
      if (!argument.leaves.empty() && launches_ <= kMostLaunches)
        shrink_elements(i);
  }
}

Input Shrinker::shrunk(Input input, const std::vector<unsigned>& bits) {
  best_ = std::move(input);
  bits_ = bits;
  all_tried_ = false;
  several_groups_ = best_.shape.group_count() > 1;
  several_items_ = best_.shape.items_of_group() > 1;
  keeps_ = [this](const Input& candidate) { return keeps_bits(candidate); };
  try {
    const Checked checked = worker_.check(best_);
    weak_ = is_weak(target_, best_, checked);
    silent_ = checked.silent();
    faults_.clear();
    if (can_be_assumed_fixed(checked))
      for (const simulator::Finding& finding : checked.findings)
        faults_.emplace(finding.kind, finding.site.line);
  } catch (const OutOfTime&) {
    return best_;
  }
  shrink();
  return best_;
}

Input Shrinker::shrunk(Input input, Keeps keeps) {
  best_ = std::move(input);
  several_groups_ = several_items_ = false;
  all_tried_ = true;
  keeps_ = std::move(keeps);
  shrink();
  return best_;
}

void Shrinker::shrink() {
  launches_ = 0;
  try {
    for (int round = 0; round < 3; ++round) { // one makes room for another
      const Input before = best_;
      shrink_shape();
      shrink_offset();
      shrink_scalars();
      shrink_memory();
      if (best_ == before)
        break;
    }
  } catch (const OutOfTime&) { // the best one stays
  }
}

} // namespace gputest::testgen
