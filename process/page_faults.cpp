// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/page_faults.h"

#include <csignal>
#include <ucontext.h>

namespace gputest::process {
namespace {

struct sigaction program_action{}; // NOLINT: what the program, or nobody, has set
OnPageFault taken_by = nullptr;    // NOLINT: the process's one

bool is_write(const void* context) {
#ifdef __x86_64__
  constexpr long long kWrite = 2; // a bit of the page fault's error code
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#else
  (void)context;
  return true; // not known
#endif
}

const void* instruction_of(const void* context) {
#ifdef __x86_64__
  return reinterpret_cast<const void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  (void)context;
  return nullptr;
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (taken_by(info->si_addr, is_write(context), instruction_of(context)))
    return;
  if (program_action.sa_flags & SA_SIGINFO)
    program_action.sa_sigaction(signal, info, context);
  else if (program_action.sa_handler != SIG_DFL && program_action.sa_handler != SIG_IGN)
    program_action.sa_handler(signal);
  else
    ::sigaction(signal, &program_action, nullptr); // the access is made again, and ends the program
}

} // namespace

void take_page_faults(OnPageFault by) {
  taken_by = by;
  struct sigaction now{};
  ::sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault)
    return;
  program_action = now;
  struct sigaction ours{};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  ::sigaction(SIGSEGV, &ours, nullptr);
}

} // namespace gputest::process
