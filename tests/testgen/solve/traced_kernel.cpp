#include "tests/testgen/solve/traced_kernel.h"

#include "tests/catch.h"

#include <cstdlib>

namespace gputest::testgen::tests {

Tracer tracer_of(const std::string& text, bool launch_sizes) {
  return Tracer({.name = "t.cl", .text = "#line 1 \"/t.cl\"\n" + text, .cl_std = ""}, "k",
                {.launch_sizes = launch_sizes});
}

Tracer cuda_tracer_of(const std::string& text, bool launch_sizes) {
  ::setenv("GPUTEST_CUDA_TOOLKIT", GPUTEST_CUDA_TOOLKIT, 1);
  return Tracer(
      {.name = "t.cu", .text = "#line 1 \"t.cu\"\n" + text, .cl_std = "", .by_itself = true}, "k",
      {.launch_sizes = launch_sizes});
}

Launch line(std::size_t global, std::size_t local) {
  return {.sizes = {.global = {global, 1, 1}, .local = {local, 1, 1}}, .limit = 20};
}

std::size_t event_at(const Traced& traced, unsigned line, std::uint64_t value) {
  for (std::size_t i = 0; i < traced.events.size(); ++i) {
    const TracedSite& site = (*traced.sites)[traced.events[i].site];
    if (site.place.line == line && traced.events[i].value == value &&
        site.kind != TracedSite::Kind::Address && !site.library)
      return i;
  }
  FAIL("no decision of line " << line << " has the value " << value);
  return 0;
}

void check_events(const Traced& traced) {
  std::vector<Label> labels;
  for (const Event& event : traced.events)
    labels.push_back(event.label);
  Tape tape(traced.table, labels, traced.functions.get());
  const auto values = tape.run(traced.values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    INFO("event " << i << ": " << text_of(traced.table, labels[i], traced.unit_names()));
    CHECK(values[i] == traced.events[i].value);
  }
}

bool has_z3() {
  return !solver_program().empty();
}

std::string path(const Traced& traced, std::uint32_t item) {
  std::string text;
  for (const Event& event : traced.events) {
    const TracedSite& site = (*traced.sites)[event.site];
    if (event.item != item || site.library || site.kind == TracedSite::Kind::Address)
      continue;
    text += (text.empty() ? "" : " ") + std::to_string(site.place.line) + ":" +
            (site.kind == TracedSite::Kind::Switch ? std::to_string(event.value)
             : event.value                         ? "true"
                                                   : "false");
  }
  return text;
}

} // namespace gputest::testgen::tests
