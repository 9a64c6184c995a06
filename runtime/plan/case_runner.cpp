// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/case_runner.h"

#include "runtime/cases/comparison.h"
#include "runtime/variants/mutation_state.h"
#include "runtime/variants/schedule_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace gputest::runtime {
namespace {

void fail(CaseResult& result, const std::string& message) {
  result.verdict = model::CaseVerdict::Failed;
  result.exit_code = 1;
  result.message += (result.message.empty() ? "" : "\n") + message;
}

} // namespace

CaseRunner::CaseRunner(Machine& machine, Subject subject, Oracles oracles)
    : machine_(machine), subject_(std::move(subject)), oracles_(std::move(oracles)) {
  kernel(false);
}

BuiltKernel& CaseRunner::kernel(bool slots) {
  std::unique_ptr<BuiltKernel>& built = kernels_[slots];
  if (!built) {
    BuildSettings settings = subject_.settings;
    if (slots)
      settings.definitions.push_back("GPUTEST_FLUSH_SLOTS=1");
    if (subject_.sites && machine_.is_cpu())
      settings.definitions.push_back("GPUTEST_ON_CPU=1");
    built = machine_.build(subject_.text, settings, subject_.kernel, subject_.source);
    build_log_ += built->log;
  }
  return *built;
}

void CaseRunner::launch(BoundCase& test_case, CaseResult& result) {
  Bytes state;
  bool slots = false;
  if (subject_.sites) {
    const auto& sizes = test_case.launch.global_size;
    const std::size_t items = sizes[0] * sizes[1] * sizes[2];
    slots = use_slots(*subject_.sites, subject_.kernel, machine_.is_cpu(), items);
    state = make_state(*subject_.sites, slots ? items : 0);
  }
  if (subject_.mutants)
    state = make_mutant_state(*subject_.mutants, argument_sizes(test_case.arguments));
  if (subject_.scheduled)
    state = make_schedule_state(sizes_of(test_case.launch));
  const LaunchOutcome outcome = kernel(slots).launch(test_case.launch, test_case.arguments, state);
  result.seconds = outcome.seconds;
  result.notes = outcome.notes;
  for (const std::string& problem : outcome.out_of_bounds)
    fail(result, problem);
  for (const model::Finding& finding : outcome.findings)
    fail(result, text_of(finding));
  if (subject_.sites)
    result.recorded = read_state(state);
  if (subject_.mutants)
    if (const auto notice =
            read_notice(std::span(state).first(kStateHeaderBytes), *subject_.mutants))
      fail(result, notice->detail);
}

double CaseRunner::launch_alone(BoundCase& test_case) {
  CaseResult result;
  launch(test_case, result);
  if (result.verdict == model::CaseVerdict::Failed)
    throw KernelError(result.message);
  return result.seconds;
}

void CaseRunner::judge(const BoundCase& initial, const BoundCase& computed, CaseResult& result,
                       const std::function<void(const std::string&)>& blame) {
  for (const BoundCase::Expected& expected : computed.expected) {
    const LaunchArgument& argument = computed.arguments[expected.position];
    const Comparison comparison = compare(computed.types[expected.position], expected.bytes,
                                          argument.bytes, computed.tolerance);
    if (!comparison.equal())
      fail(result,
           fmt::format("{} (compared with the test case)", describe(comparison, argument.name)));
  }
  if (oracles_.reference) {
    blame(oracles_.reference.name);
    for (const Objection& objection : compare_with_reference(oracles_.reference, initial, computed))
      fail(result, objection.message);
  }
  if (oracles_.property) {
    blame(kProperty);
    if (const std::string wrong = wrong_with(oracles_.property, initial, computed); !wrong.empty())
      fail(result, wrong);
  }
  result.has_oracle = oracles_ || !computed.expected.empty();
  for (std::size_t i = 0; i < computed.outputs.size() && !result.has_oracle; ++i)
    if (computed.outputs[i] && is_entirely_nan(computed.types[i], computed.arguments[i].bytes))
      fail(result, fmt::format("'{}' holds nothing but NaN", computed.arguments[i].name));
}

// Returns who is to blame if this process ends now.
std::string CaseRunner::doer(const BoundCase& test_case) {
  const std::string beyond = kernel(false).beyond_limits(test_case.launch, test_case.arguments);
  return fmt::format("kernel '{}'{}{}", subject_.kernel, subject_.sites ? " with coverage" : "",
                     beyond.empty() ? "" : fmt::format(" ({})", beyond));
}

CaseResult CaseRunner::run(BoundCase& test_case,
                           const std::function<void(const std::string&)>& blame) {
  CaseResult result;
  const auto error = [&](int exit_code, const std::exception& exception) {
    result.verdict = model::CaseVerdict::Error;
    result.exit_code = exit_code;
    result.message = exception.what();
  };
  try {
    if (oracles_.property) // it may look at everything
      read_back_all(test_case);
    const BoundCase initial = test_case;
    blame(doer(test_case));
    launch(test_case, result);
    result.launched = true;
    blame("comparing the outputs");
    judge(initial, test_case, result, blame);
  } catch (const KernelError& exception) {
    fail(result, exception.what());
  } catch (const KernelFault&) {
    throw;
  } catch (const UsageError& exception) {
    error(2, exception);
  } catch (const std::bad_alloc&) {
    error(3, DeviceError("the test case needs more memory than there is"));
  } catch (const std::exception& exception) { // device, or the reference function
    error(3, exception);
  }
  return result;
}

} // namespace gputest::runtime
