// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-solver: the one program that links Z3. Reads questions from standard input and writes
// verdicts to standard output, until there are no more:
//
//     <steps> <megabytes> <seconds> <doubts: Question::doubts> <bytes of text>
//     <names of constants whose values are wanted>
//     <SMT-LIB 2.6; `(assert (and true a b))` is two assertions, a and b>
//
//     <steps that it took> sat | unsat | unknown <reason>
//     <name> <value, decimal>
//     …
//     wrong <number of a doubt>
//     …
//     <an empty line>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <optional>
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

// The share of a question's steps for each of its searches, where it has doubts.
constexpr unsigned kSearches = 8;

// The steps of all solvers of this one's context.
unsigned steps_of(const z3::solver& solver) {
  const z3::stats counts = solver.statistics();
  for (unsigned i = 0; i < counts.size(); ++i)
    if (counts.key(i) == "rlimit count" && counts.is_uint(i))
      return counts.uint_value(i);
  return 0;
}

z3::check_result check(z3::solver& solver, unsigned steps) {
  z3::params params(solver.ctx());
  params.set("rlimit", steps);
  solver.set(params);
  return solver.check();
}

// What Z3 says to a question, which depends on nothing but the question.
class Answer {
public:
  Answer(const std::string& text, std::size_t doubts)
      : assertions_(listed(context_.parse_string(text.c_str()))) {
    for (unsigned i = 0; i < assertions_.size(); ++i)
      (i + doubts < assertions_.size() ? conditions_ : doubts_).push_back(i);
  }

  std::string reply(const std::vector<std::string>& names, unsigned steps) {
    const std::vector<unsigned> doubts = doubts_;
    const z3::check_result result = doubts.empty() ? search(steps) : narrow(steps);
    std::ostringstream reply;
    reply << steps_of(*solver_) << ' ';
    switch (result) {
    case z3::unsat:
      reply << "unsat\n";
      break;
    case z3::unknown:
      reply << "unknown " << solver_->reason_unknown() << '\n';
      break;
    case z3::sat:
      reply << "sat\n";
      write_values(reply, names);
      break;
    }
    for (std::size_t i = 0; i < doubts.size(); ++i)
      if (std::ranges::find(doubts_, doubts[i]) == doubts_.end())
        reply << "wrong " << i << '\n';
    return std::move(reply).str();
  }

private:
  // `(assert (and true a b))`: two assertions, a and b.
  static z3::expr_vector listed(z3::expr_vector assertions) {
    if (assertions.size() != 1 || !assertions[0].is_and() || !assertions[0].arg(0).is_true())
      return assertions;
    const z3::expr all = assertions[0];
    z3::expr_vector list(all.ctx());
    for (unsigned i = 1; i < all.num_args(); ++i)
      list.push_back(all.arg(i));
    return list;
  }

  void begin(z3::solver solver) {
    solver_.emplace(std::move(solver));
    for (const unsigned i : conditions_)
      solver_->add(assertions_[static_cast<int>(i)]);
    doubt();
  }

  void doubt() {
    z3::expr_vector wrong(context_);
    for (const unsigned i : doubts_)
      wrong.push_back(!assertions_[static_cast<int>(i)]);
    if (!wrong.empty())
      solver_->add(z3::mk_or(wrong));
  }

  // A solver that has answered goes on from what it knows.
  z3::check_result search(unsigned steps) {
    if (!solver_ || is_hard_)
      begin(z3::solver(context_, z3::solver::simple()));
    else
      doubt();
    is_hard_ = false;
    const z3::check_result result = check(*solver_, std::min(steps, kEasySteps));
    if (result != z3::unknown || steps <= kEasySteps)
      return result;
    is_hard_ = true;
    begin(z3::solver(context_));
    return check(*solver_, steps - kEasySteps);
  }

  z3::check_result narrow(unsigned steps) {
    while (!doubts_.empty()) {
      const unsigned taken = solver_ ? steps_of(*solver_) : 0;
      const z3::check_result result =
          taken < steps ? search(std::min(steps / kSearches, steps - taken)) : z3::unknown;
      if (result != z3::sat)
        return result;
      const z3::model model = solver_->get_model();
      if (std::erase_if(doubts_, [&](unsigned i) {
            return model.eval(assertions_[static_cast<int>(i)], true).is_false();
          }) == 0)
        return z3::unknown;
    }
    return z3::unsat;
  }

  void write_values(std::ostream& reply, const std::vector<std::string>& names) const {
    const z3::model model = solver_->get_model();
    for (unsigned i = 0; i < model.num_consts(); ++i) {
      const z3::func_decl constant = model.get_const_decl(i);
      const std::string name = constant.name().str();
      std::uint64_t value = 0;
      for (const std::string& wanted : names)
        if (wanted == name && model.get_const_interp(constant).is_numeral_u64(value))
          reply << name << ' ' << value << '\n';
    }
  }

  z3::context context_;
  z3::expr_vector assertions_;
  std::vector<unsigned> conditions_, doubts_; // of the assertions; doubts: those that are left
  std::optional<z3::solver> solver_;
  bool is_hard_ = false;
};

} // namespace

int main() {
  std::signal(SIGXCPU, [](int) { ::_exit(1); }); // without a core dump
  std::ios::sync_with_stdio(false);
  unsigned steps = 0;
  unsigned long megabytes = 0, seconds = 0;
  std::size_t doubts = 0, size = 0;
  while (std::cin >> steps >> megabytes >> seconds >> doubts >> size) {
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
      std::cout << Answer(text, doubts).reply(names, steps);
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
