#include "gputest/error.h"
#include "runtime/cases/judged_launch.h"
#include "runtime/process/worker.h"
#include "tests/fuzz/targets.h"

#include <unistd.h>

namespace gputest::fuzz {

// The first byte says which message follows.
bool words(Bytes bytes) {
  if (bytes.empty())
    return false;
  runtime::Reader reader(reinterpret_cast<const std::byte*>(bytes.data()) + 1, bytes.size() - 1);
  try {
    switch (bytes[0] % 3) {
    case 0:
      runtime::take_judged_launch(reader);
      break;
    case 1:
      runtime::take_verdict(reader);
      break;
    default:
      runtime::take_greeting(reader);
    }
    return true;
  } catch (const runtime::MessageError&) {
    return false;
  } catch (const UsageError&) { // an image that there cannot be
    return false;
  }
}

bool workers(Bytes bytes) {
  runtime::IsolatedRun run;
  run.cases = 3;
  run.timeout = run.setup_timeout = 5;
  run.work = [&](const runtime::WorkerChannel& channel, std::size_t first) {
    if (first == 0)
      channel.write(text_of(bytes));
    for (std::size_t i = first; first > 0 && i < 3; ++i) { // who comes after it
      channel.start(i);
      channel.done(i, nullptr);
    }
    ::_exit(0); // no ends of libFuzzer's or of the sanitizer's
  };
  run.on_info = [](const runtime::Json&) {};
  run.on_done = [](std::size_t, const runtime::Json&) {};
  run.on_lost = [](std::size_t, runtime::Loss, const std::string&, double) {};
  try {
    runtime::run_isolated(run);
    return true;
  } catch (const Error&) {
    return false;
  }
}

} // namespace gputest::fuzz
