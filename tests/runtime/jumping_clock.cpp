// Loaded ahead of a program: the time of day jumps by up to a year, forwards and backwards, with
// each question.
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>

namespace {

long jump() {
  static unsigned state = 1;
  state = state * 1103515245u + 12345u; // of C's standard
  constexpr long kYear = 31'536'000;
  return static_cast<long>(state >> 4) % (2 * kYear) - kYear;
}

} // namespace

extern "C" int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  using Function = int (*)(clockid_t, struct timespec*);
  static const auto original = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int failed = original(clock, time);
  if (failed == 0 && clock == CLOCK_REALTIME)
    time->tv_sec += jump();
  return failed;
}

extern "C" int gettimeofday(struct timeval* time, void*) noexcept {
  struct timespec now{};
  const int failed = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return failed;
}
