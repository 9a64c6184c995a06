// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much slower kernels are when their values are followed: beside the plain simulator, with
// inputs that are followed and with none, and what an answer takes.
//
// Each number is the best of several launches; the two are taken in turns. The plain simulator runs
// the code that it makes with more effort once a kernel has run for a while.
#include "testgen/solve/solve.h"

#include "model/clock.h"
#include "simulator/execute/program.h"
#include "simulator/memory/guard.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <sys/mman.h>
#include <unistd.h>

using namespace gputest;
using namespace gputest::testgen;

namespace {

constexpr int kMostQuickRuns = 100'000;

struct Subject {
  const char* name;
  const char* text;
  Launch launch;
  std::vector<Argument> arguments;
};

template <typename Value> Argument filled(std::size_t count, Value value) {
  Argument argument;
  const std::vector<Value> values(count, value);
  argument.bytes.resize(count * sizeof(Value));
  std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  return argument;
}

template <typename Value> Argument scalar(Value value) {
  Argument argument = filled(1, value);
  argument.kind = ir::Parameter::Kind::Value;
  return argument;
}

double seconds_of(const std::function<void()>& act) {
  const auto begin = std::chrono::steady_clock::now();
  act();
  return model::seconds_since(begin);
}

// The kernel alone, without what a launch takes.
double plain(simulator::Program& program, const Subject& subject) {
  simulator::LaunchRequest request;
  request.sizes = subject.launch.sizes;
  std::size_t end = 0;
  for (const Argument& argument : subject.arguments) {
    simulator::ArgumentData data;
    data.kind = argument.kind;
    data.offset = (end + 4095) / 4096 * 4096;
    data.size = argument.bytes.size();
    end = data.offset + data.size;
    request.arguments.push_back(data);
  }
  const int memory = ::memfd_create("bench", 0);
  if (::ftruncate(memory, static_cast<off_t>(end + 8192)) != 0)
    return 0;
  for (std::size_t i = 0; i < subject.arguments.size(); ++i) {
    const auto& bytes = subject.arguments[i].bytes;
    if (::pwrite(memory, bytes.data(), bytes.size(),
                 static_cast<off_t>(request.arguments[i].offset)) < 0)
      return 0;
  }
  double seconds = 0;
  simulator::on_large_stack([&] {
    const auto& ready = program.kernel({.kernel = "k"});
    simulator::ProgramVariables variables;
    seconds = simulator::launch(ready.code, ready.shape, request, memory, variables).seconds;
  });
  ::close(memory);
  return seconds;
}

} // namespace

int main() {
  const auto line = [](std::size_t global, std::size_t local) {
    return Launch{.sizes = {.global = {global, 1, 1}, .local = {local, 1, 1}}, .limit = 60};
  };
  const std::vector<Subject> subjects{
      {"axpy",
       "kernel void k(global float* y, global const float* x, float a, int n) {\n"
       "  int i = get_global_id(0); if (i < n) y[i] = a * x[i] + y[i]; }",
       line(4096, 64),
       {filled(4096, 1.0f), filled(4096, 2.0f), scalar(3.0f), scalar(4000)}},
      {"horner",
       "kernel void k(global float* y, global const float* c, int n) {\n"
       "  int i = get_global_id(0); float s = 0; for (int j = 0; j < n; ++j) s = s * 1.5f + c[j];\n"
       "  y[i] = s > 3.0f ? s : -s; }",
       line(256, 64),
       {filled(256, 1.0f), filled(64, 0.25f), scalar(64)}},
      {"reduction",
       "kernel void k(global int* out, global const int* in, local int* s) {\n"
       "  int l = get_local_id(0); s[l] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
       "  for (int d = get_local_size(0) / 2; d > 0; d /= 2) {\n"
       "    if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
       "  if (l == 0) out[get_group_id(0)] = s[0] > 100 ? s[0] : 0; }",
       line(2048, 64),
       {filled(32, 0), filled(2048, 3),
        Argument{.kind = ir::Parameter::Kind::Local, .local_bytes = 256}}},
      {"matrix",
       "kernel void k(global float* c, global const float* a, global const float* b, int n) {\n"
       "  int i = get_global_id(0) / 32, j = get_global_id(0) % 32; float s = 0;\n"
       "  for (int p = 0; p < n; ++p) s += a[i * n + p] * b[p * n + j]; c[i * n + j] = s; }",
       line(1024, 64),
       {filled(1024, 0.0f), filled(1024, 1.0f), filled(1024, 2.0f), scalar(32)}},
      {"bytes",
       "kernel void k(global int* out, global const uchar* s) {\n"
       "  int i = get_global_id(0); int v = 0; for (int j = 0; j < 32; ++j) { uchar c = s[(i + j) "
       "& 1023];\n"
       "    if (c >= 'a' && c <= 'z') v = v * 26 + c - 'a'; else if (c == ' ') v = 0; } out[i] = "
       "v; }",
       line(1024, 64),
       {filled(1024, 0), filled<std::uint8_t>(1024, 'q')}},
  };
  std::printf("%-10s %9s %9s %9s %7s %7s %9s %9s %8s\n", "kernel", "compile s", "plain us",
              "none us", "times", "all", "nodes", "events", "trace ms");
  for (const Subject& subject : subjects) {
    const ir::Source source{.name = "k.cl", .text = subject.text, .cl_std = ""};
    const simulator::Cache none{std::filesystem::path()};
    simulator::Program program(source, none);
    std::optional<Tracer> tracer;
    const double compile = seconds_of([&] { tracer.emplace(source, "k"); });
    const TraceOptions nothing{.symbolic = {{.argument = 0, .size = 0}}};
    simulator::on_large_stack([&] { program.kernel({.kernel = "k"}); });
    const auto is_quick = [&] {
      return std::isfinite(program.kernel({.kernel = "k"}).code.patience());
    };
    for (int run = 0; is_quick() && run < kMostQuickRuns; ++run)
      plain(program, subject);
    if (is_quick())
      std::printf("%s: the plain simulator's code is still that of its first launches\n",
                  subject.name);
    double best_plain = 1e9, best_none = 1e9, best_all = 1e9, whole = 1e9;
    std::optional<Traced> traced;
    for (int round = 0; round < 9; ++round) {
      best_plain = std::min(best_plain, plain(program, subject));
      best_none = std::min(
          best_none, tracer->trace(subject.launch, subject.arguments, nothing).result.seconds);
      whole = std::min(
          whole, seconds_of([&] { traced = tracer->trace(subject.launch, subject.arguments); }));
      best_all = std::min(best_all, traced->result.seconds);
    }
    std::printf("%-10s %9.3f %9.1f %9.1f %7.1f %7.1f %9zu %9zu %8.2f\n", subject.name, compile,
                1e6 * best_plain, 1e6 * best_none, best_none / best_plain, best_all / best_plain,
                static_cast<std::size_t>(traced->table.end()), traced->events.size(), 1e3 * whole);
  }
}
