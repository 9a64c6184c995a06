// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/loader.h"

#include "model/clock.h"
#include "simulator/execute/linked_object.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <unistd.h>

namespace gputest::simulator {
namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();
constexpr double kSlowest = 8; // a busy machine may take this many times as long
constexpr double kNoted = 0.02;

// A launch that has run for so long, and will for so long, is worth forks of this process, which
// take some milliseconds.
constexpr double kAlone = 0.005, kWorthForks = 0.02;

std::optional<Fault> run_rest(LoadedCode::Group run_group, const GroupsToRun& groups,
                              const std::function<void(LoadedCode::Group, std::size_t)>& run,
                              const AtOnce& at_once) {
  const std::vector<RunPart> parts =
      run_at_once(groups, [&](std::size_t group) { run(run_group, group); }, at_once.tell);
  const RunPart* first = nullptr; // with a fault
  for (const RunPart& part : parts)
    if (part.fault && (!first || part.group < first->group))
      first = &part;
  for (const RunPart& part : std::span(parts).subspan(1))
    at_once.hear(part, &part == first);
  return first ? first->fault : std::nullopt;
}

// What a process has used of a processor.
struct Used {
  pid_t process = 0;
  double seconds = 0;
};
Used used_so_far() {
  return {::getpid(), model::processor_seconds()};
}

} // namespace

struct LoadedCode::Parts {
  std::vector<NativeSymbol> symbols;
  std::vector<std::unique_ptr<LinkedObject>> objects; // new runs begin in the last one
  double patience = kForEver, takes = 0, ran = 0;     // seconds
  double launched = 0;                                // by the clock
  Used began;                                         // when `launched` was 0
  std::function<std::string()> better;
};

LoadedCode::LoadedCode(const std::string& object, const std::vector<NativeSymbol>& symbols,
                       Checks checks)
    : parts_(std::make_unique<Parts>()), checks_(std::move(checks)) {
  parts_->symbols = symbols;
  parts_->objects.push_back(std::make_unique<LinkedObject>(object, symbols));
}

LoadedCode::~LoadedCode() = default;
LoadedCode::LoadedCode(LoadedCode&&) noexcept = default;

void LoadedCode::replace_after(double takes, double elsewhere,
                               std::function<std::string()> better) {
  parts_->began = used_so_far();
  parts_->takes = takes;
  parts_->patience = takes - elsewhere;
  parts_->better = std::move(better);
}

double LoadedCode::patience(double limit) const {
  return limit > 0 && limit < kSlowest * parts_->takes ? kForEver : parts_->patience;
}

void LoadedCode::has_run(double seconds) const {
  parts_->patience -= seconds;
  parts_->ran += seconds;
}

void LoadedCode::has_launched(double seconds) const {
  parts_->launched += seconds;
  has_run(seconds);
}

double LoadedCode::run_time() const {
  return parts_->patience == kForEver || parts_->ran < kNoted * parts_->takes ? 0 : parts_->ran;
}

void LoadedCode::replace_if_due(double limit) const {
  if (patience(limit) > 0)
    return;
  const Used now = used_so_far();
  if (now.process != parts_->began.process) // a fork
    parts_->began = {now.process, 0};
  const double waited = parts_->launched - (now.seconds - parts_->began.seconds); // at least that
  if (waited > 0) {
    has_launched(-waited);
    if (patience(limit) > 0)
      return;
  }
  parts_->patience = kForEver;
  parts_->objects.push_back(std::make_unique<LinkedObject>(parts_->better(), parts_->symbols));
}

LoadedCode::Group LoadedCode::group() const {
  return parts_->objects.back()->function<Group>("gputest_group");
}

LoadedCode::Step LoadedCode::step() const {
  return parts_->objects.back()->function<Step>("gputest_step");
}

model::CodePlace LoadedCode::place_of(const void* instruction, std::uint64_t around) const {
  for (const std::unique_ptr<LinkedObject>& object : parts_->objects)
    if (const model::CodePlace place = object->place_of(instruction, around); place.line != 0)
      return place;
  return {};
}

bool LoadedCode::has_code_at(const void* instruction) const {
  return std::ranges::any_of(parts_->objects, [&](const std::unique_ptr<LinkedObject>& object) {
    return object->has_code_at(instruction);
  });
}

std::optional<Fault> run_groups(const LoadedCode& code, std::size_t count, double limit,
                                const std::function<void(LoadedCode::Group, std::size_t)>& run,
                                const AtOnce& at_once) {
  std::size_t next = 0;
  bool asks = at_once.processes != nullptr; // whether groups may run at once
  while (true) {
    code.replace_if_due(limit);
    const LoadedCode::Group run_group = code.group();
    const double patience = code.patience(limit);
    const bool is_replaced = !std::isinf(patience);
    const double until = std::min(patience, asks && !is_replaced ? kAlone : kForEver);
    const bool has_end = !std::isinf(until);
    const std::size_t first = next;
    const auto start = std::chrono::steady_clock::now();
    const std::optional<Fault> fault = run_guarded(
        [&] {
          do {
            run(run_group, next);
            ++next;
          } while (next < count && !(has_end && model::seconds_since(start) >= until));
        },
        limit);
    const double seconds = model::seconds_since(start);
    code.has_launched(seconds);
    if (fault || next == count)
      return fault;
    if (limit > 0)
      limit = std::max(limit - seconds, 0.001);
    if (is_replaced || !asks)
      continue;
    asks = false;
    const double left = seconds / static_cast<double>(next - first) *
                        static_cast<double>(count - next); // seconds, about
    const unsigned processes = left < kWorthForks ? 1 : at_once.processes(left);
    if (processes > 1)
      return run_rest(run_group, {next, count, processes, limit}, run, at_once);
  }
}

} // namespace gputest::simulator
