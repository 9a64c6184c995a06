// A host program that judges launches, and ends as the kernel's scalar `n` of a launch says:
//
//     judge_fixture FILE
//
// FILE has the number of times that it ends before it greets, by abort(), and counts down. Below 0,
// it never ends nor greets (-1), has a device that no launch ends on (-2), or takes eight seconds
// to start (-3).
#include "runtime/cases/judged_launch.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace gputest::runtime;
using Doer = JudgeMemory::Doer;

namespace {

// What a reference does; `n` is one of these, and anything else is right.
enum Ending : int {
  Aborts = 1,
  Exits,
  Crashes,
  DamagesAndDies,
  DamagesForLater,
  EndsAfter,
  Throws
};

bool is_damaged = false;

void act(int ending, std::atomic<Doer>& doing) {
  doing = Doer::ReferenceFunction;
  if (is_damaged) // the next allocation
    std::abort();
  if (ending == Aborts)
    std::abort();
  if (ending == Exits)
    ::_exit(0);
  if (ending == Crashes)
    ::raise(SIGSEGV);
  is_damaged = ending == DamagesForLater;
  if (ending != DamagesAndDies)
    return;
  doing = Doer::Itself;
  std::abort();
}

} // namespace

int main(int, char** arguments) {
  int ends = 0;
  std::ifstream(arguments[1]) >> ends;
  if (ends > 0) {
    std::ofstream(arguments[1]) << ends - 1;
    std::abort();
  }
  const auto wait_for_ever = [] {
    while (true)
      ::pause();
  };
  if (ends == -1)
    wait_for_ever();
  if (ends == -3)
    ::sleep(8);
  JudgeMemory memory(kJudgeMemory);
  {
    Writer greeting(memory.answers(), JudgeMemory::kHalf);
    put(greeting, JudgeGreeting{.reference = true, .device = ends == -2 ? "slow" : ""});
  }
  char byte = 0;
  while (::write(kJudgeSocket, &byte, 1) == 1 && ::read(kJudgeSocket, &byte, 1) == 1) {
    JudgeMemory::Header& header = memory.header();
    Reader questions(memory.questions(), JudgeMemory::kHalf);
    Writer answers(memory.answers(), JudgeMemory::kHalf);
    bool ends_after = false;
    for (std::uint32_t i = 0; i < header.count; ++i) {
      const JudgedLaunch launched = take_judged_launch(questions);
      if (ends == -2) {
        header.doing = Doer::Device;
        wait_for_ever();
      }
      int ending = 0;
      std::memcpy(&ending, launched.arguments.back().bytes.data(), sizeof ending);
      act(ending, header.doing);
      Verdict verdict;
      if (ending == Throws)
        verdict = {Verdict::Kind::UnlikeReference, "out", "threw"};
      put(answers, verdict);
      header.doing = Doer::Itself;
      header.done = i + 1;
      ends_after = ends_after || ending == EndsAfter;
    }
    if (ends_after) // once the answer is out
      return ::write(kJudgeSocket, &byte, 1) == 1 ? 0 : 1;
  }
  return 0;
}
