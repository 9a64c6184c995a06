// Machine code in this process.
#pragma once

#include "simulator/checks/checks.h"
#include "simulator/execute/guard.h"
#include "templates/simulator/context.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator {

class LoadedCode {
public:
  // Runs the work-group that the context names.
  using Group = void (*)(gputest_context*, void* arguments);
  // Runs one work-item to where it stops, `begins` for the first time. Of interleaved code.
  using Step = void (*)(gputest_context*, void* arguments, gputest_u64 x, gputest_u64 y,
                        gputest_u64 z, void* frame, int begins);

  // `object` is what CodeVariant made, with `checks`. Throws SimulatorFailure.
  LoadedCode(const std::string& object, const std::vector<NativeSymbol>& symbols,
             Checks checks = {});
  ~LoadedCode();
  LoadedCode(LoadedCode&&) noexcept;

  // From now on the code is to be replaced with the object that `better` returns within about
  // `takes` seconds, which is the same made with more effort, when it has run for as long.
  void replace_after(double takes, std::function<std::string()> better);
  // For how many seconds it is still to run as it is in a launch that has `limit` seconds (0: any).
  // For ever, where nothing better can be made, and where making it may take much of the limit:
  // whoever has set it looks at a clock that does not stop meanwhile.
  double patience(double limit = 0) const;
  void has_run(double seconds) const; // so much less
  // Replaces it if its time is over. What still runs in it may go on there.
  void replace_if_due(double limit = 0) const;

  // Throw SimulatorFailure where the code has another one.
  Group group() const;
  Step step() const;

  const Checks& checks() const { return checks_; }

  // The place in the source of an instruction; line 0 where there is none. Safe only where the
  // kernel has been stopped.
  model::CodePlace place_of(const void* instruction) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  Checks checks_;
};

// Calls `run` for each of `count` groups, with the function that runs it, for at most `limit`
// seconds in all (run_guarded()). When the code has run for long, it is replaced between two of
// them (LoadedCode::replace_after), and the limit does not count the time that this takes.
std::optional<Fault> run_groups(const LoadedCode& code, std::size_t count, double limit,
                                const std::function<void(LoadedCode::Group, std::size_t)>& run);

} // namespace gputest::simulator
