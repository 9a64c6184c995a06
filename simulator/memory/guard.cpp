// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/memory/guard.h"

#include "ir/error.h"

#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <sys/time.h>
#include <ucontext.h>
#include <utility>
#include <vector>

namespace gputest::simulator {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGALRM};

// Signal handlers have no arguments of their own, so this is global.
struct Handling {
  sigjmp_buf back;
  volatile std::sig_atomic_t armed = 0;
  bool kept = false;    // handlers stay installed between kernels
  bool by_wall = false; // limits are of wall time
  Fault fault;
  const std::function<bool(const Fault&)>* forgives = nullptr;
  std::uintptr_t stack_begin = 0; // lowest address of the stack of on_large_stack()
  std::size_t stack_size = 0;
};
Handling handling; // NOLINT

void on_signal(int signal, siginfo_t* info, void* context) {
  if (!handling.armed) {
    if (signal == SIGPROF || signal == SIGALRM) // the kernel ended at its time limit
      return;
    // Not caused by the kernel: acts as if there were no handler.
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  const auto* const registers = static_cast<const ucontext_t*>(context);
  Fault& fault = handling.fault;
  fault = {.signal = signal == SIGALRM ? SIGPROF : signal};
#if defined(__x86_64__)
  fault.instruction = reinterpret_cast<const void*>(registers->uc_mcontext.gregs[REG_RIP]);
  fault.write = (registers->uc_mcontext.gregs[REG_ERR] & 2) != 0;
  const auto top = static_cast<std::uintptr_t>(registers->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  fault.instruction = reinterpret_cast<const void*>(registers->uc_mcontext.pc);
  const auto top = static_cast<std::uintptr_t>(registers->uc_mcontext.sp);
#else
  const std::uintptr_t top = 0;
#endif
  if (fault.signal == SIGPROF && top >= handling.stack_begin &&
      top + sizeof fault.top <= handling.stack_begin + kStackBytes)
    std::memcpy(fault.top.data(), reinterpret_cast<const void*>(top), sizeof fault.top);
  if (signal == SIGSEGV || signal == SIGBUS) {
    fault.address = info->si_addr;
    fault.address_known = info->si_code != SI_KERNEL;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    fault.stack =
        address + (1 << 20) >= handling.stack_begin && address < handling.stack_begin + (1 << 16);
    if (signal == SIGSEGV && handling.forgives && (*handling.forgives)(fault))
      return;
  }
  handling.armed = 0;
  siglongjmp(handling.back, 1);
}

// Installs signal handlers during its lifetime, unless they are installed.
class Handlers {
public:
  Handlers() : sets_(!handling.kept) {
    if (!sets_)
      return;
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &action, &before_[i]);
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
  ~Handlers() {
    for (std::size_t i = 0; sets_ && i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &before_[i], nullptr);
  }

  void keep() {
    sets_ = false;
    handling.kept = true;
  }

private:
  bool sets_;
  std::array<struct sigaction, kSignals.size()> before_{};
};

void set_timer(double seconds) {
  itimerval timer{};
  double whole = 0;
  const double part = std::modf(seconds, &whole);
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>(part * 1e6);
  ::setitimer(handling.by_wall ? ITIMER_REAL : ITIMER_PROF, &timer, nullptr);
}

struct Job {
  const std::function<void()>* run;
  std::exception_ptr thrown;
};

// Notes the stack of this thread.
void find_stack() {
  pthread_attr_t actual;
  if (pthread_getattr_np(pthread_self(), &actual) != 0)
    return;
  void* begin = nullptr;
  pthread_attr_getstack(&actual, &begin, &handling.stack_size);
  pthread_attr_destroy(&actual);
  handling.stack_begin = reinterpret_cast<std::uintptr_t>(begin);
}

void* run_job(void* argument) {
  auto* const job = static_cast<Job*>(argument);
  std::vector<char> alternate(1 << 16);
  stack_t stack{};
  stack.ss_sp = alternate.data();
  stack.ss_size = alternate.size();
  ::sigaltstack(&stack, nullptr);
  find_stack();
  try {
    (*job->run)();
  } catch (...) {
    job->thrown = std::current_exception();
  }
  stack.ss_flags = SS_DISABLE;
  ::sigaltstack(&stack, nullptr);
  return nullptr;
}

} // namespace

Forgiving::Forgiving(std::function<bool(const Fault&)> forgives) : forgives_(std::move(forgives)) {
  handling.forgives = &forgives_;
}

Forgiving::~Forgiving() {
  handling.forgives = nullptr;
}

void limit_wall_time() {
  handling.by_wall = true;
}

void keep_guarding() {
  Handlers().keep();
}

std::optional<Fault> run_guarded(const std::function<void()>& run, double limit) {
  const Handlers handlers;
  std::optional<Fault> fault;
  std::exception_ptr thrown;
  if (sigsetjmp(handling.back, 1) == 0) { // NOLINT: the way out of a signal handler
    handling.armed = 1;
    if (limit > 0)
      set_timer(limit);
    try {
      run();
    } catch (...) {
      thrown = std::current_exception();
    }
  } else {
    fault = handling.fault;
  }
  handling.armed = 0;
  if (limit > 0)
    set_timer(0);
  if (thrown)
    std::rethrow_exception(thrown);
  return fault;
}

void end_endless(const void* instruction) {
  handling.fault = {.signal = SIGPROF, .instruction = instruction, .counted = true};
  handling.armed = 0;
  siglongjmp(handling.back, 1);
}

void on_large_stack(const std::function<void()>& run) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  Job job{&run, nullptr};
  pthread_t thread{};
  sigset_t alarm, before;
  if (pthread_create(&thread, &attributes, run_job, &job) != 0)
    throw ir::SimulatorFailure("cannot start a thread with a large stack");
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGPROF);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, &before); // the signal is for the other thread
  pthread_join(thread, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (job.thrown)
    std::rethrow_exception(job.thrown);
}

std::span<std::byte> running_stack() {
  return {reinterpret_cast<std::byte*>(handling.stack_begin), handling.stack_size};
}

} // namespace gputest::simulator
