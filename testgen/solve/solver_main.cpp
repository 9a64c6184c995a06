// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-solver: the one program that links Z3. Reads questions from standard input and writes
// verdicts to standard output, until there are no more:
//
//     <steps> <megabytes> <seconds> <bytes of text>
//     <names of constants whose values are wanted>
//     <SMT-LIB 2.6>
//
//     <steps that it took> sat | unsat | unknown <reason>
//     <name> <value, decimal>
//     …
//     <an empty line>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <z3++.h>

namespace {

// More ends the process, which the other side sees.
void limit_memory(unsigned long megabytes) {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, rlim_t{megabytes} << 20);
  ::setrlimit(RLIMIT_AS, &limit);
}

// Z3 does not count all that it does as steps. This is processor time, which does not depend on
// other load. More ends the process, too.
void limit_processor_time(unsigned long seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  ::getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = std::min<rlim_t>(
      limit.rlim_max, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds);
  ::setrlimit(RLIMIT_CPU, &limit);
}

// Most questions are easy, and take half the time without Z3's preprocessing for hard ones.
constexpr unsigned kEasySteps = 800'000;

// Returns what Z3 says with these steps, which depends on nothing but the question.
z3::check_result check(z3::solver& solver, const std::string& text, unsigned steps) {
  z3::params params(solver.ctx());
  params.set("rlimit", steps);
  solver.set(params);
  solver.from_string(text.c_str());
  return solver.check();
}

// The steps of all solvers of this one's context.
unsigned steps_of(const z3::solver& solver) {
  const z3::stats counts = solver.statistics();
  for (unsigned i = 0; i < counts.size(); ++i)
    if (counts.key(i) == "rlimit count" && counts.is_uint(i))
      return counts.uint_value(i);
  return 0;
}

std::string answer(const std::string& text, const std::vector<std::string>& names, unsigned steps) {
  z3::context context;
  z3::solver solver(context, z3::solver::simple());
  z3::check_result result = check(solver, text, std::min(steps, kEasySteps));
  if (result == z3::unknown && steps > kEasySteps) {
    solver = z3::solver(context);
    result = check(solver, text, steps - kEasySteps);
  }
  std::ostringstream reply;
  reply << steps_of(solver) << ' ';
  switch (result) {
  case z3::unsat:
    reply << "unsat\n";
    break;
  case z3::unknown:
    reply << "unknown " << solver.reason_unknown() << '\n';
    break;
  case z3::sat: {
    reply << "sat\n";
    const z3::model model = solver.get_model();
    for (unsigned i = 0; i < model.num_consts(); ++i) {
      const z3::func_decl constant = model.get_const_decl(i);
      const std::string name = constant.name().str();
      std::uint64_t value = 0;
      for (const std::string& wanted : names)
        if (wanted == name && model.get_const_interp(constant).is_numeral_u64(value))
          reply << name << ' ' << value << '\n';
    }
    break;
  }
  }
  return std::move(reply).str();
}

} // namespace

int main() {
  std::signal(SIGXCPU, [](int) { ::_exit(1); }); // without a core dump
  std::ios::sync_with_stdio(false);
  unsigned steps = 0;
  unsigned long megabytes = 0, seconds = 0;
  std::size_t size = 0;
  while (std::cin >> steps >> megabytes >> seconds >> size) {
    std::cin.ignore(1);
    std::string line;
    std::getline(std::cin, line);
    std::istringstream words(line);
    std::vector<std::string> names;
    for (std::string name; words >> name;)
      names.push_back(name);
    std::string text(size, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(size));
    limit_memory(megabytes);
    limit_processor_time(seconds);
    try {
      std::cout << answer(text, names, steps);
    } catch (const z3::exception& error) {
      std::string message = error.msg();
      for (char& letter : message)
        letter = letter == '\n' ? ' ' : letter;
      std::cout << steps << " unknown " << message << '\n';
    } catch (const std::bad_alloc&) {
      std::cout << steps << " unknown memory\n";
    }
    std::cout << '\n' << std::flush;
  }
}
