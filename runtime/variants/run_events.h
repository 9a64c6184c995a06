// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events in the logs of a run folder (docs/reference/formats.md, "The run folder"): what the
// layer tells the gputest command. Each type names its keys once, for both sides.
#pragma once

#include "model/checks/finding.h"
#include "model/json.h"
#include "model/launches/sizes.h"
#include "model/mutation/mutation.h"
#include "model/type.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace gputest::runtime {

using model::field, model::Presence, model::from_json, model::to_json;

// The format of logs. Another number means that layer and command are of different versions.
inline constexpr const char* kRunLogFormat = "gputest-run-log-1";

// The first event of each log.
struct ProcessEvent {
  static constexpr const char* kEvent = "process";

  std::optional<std::string> format{}; // kRunLogFormat, or of another version
};
constexpr auto fields_of(const ProcessEvent*) {
  return std::tuple{field<Presence::IfNotPlain>("format", &ProcessEvent::format)};
}

// The process built a program (cl_program).
struct ProgramEvent {
  static constexpr const char* kEvent = "program";

  unsigned number = 0; // in this process
  std::string stem{}, name{};
  std::optional<std::filesystem::path> source{}; // a file with #line directives
  std::vector<std::string> definitions{}, include_dirs{}, build_options{};
  std::string cl_std{};
  bool wanted = true; // not excluded
};
constexpr auto fields_of(const ProgramEvent*) {
  using T = ProgramEvent;
  return std::tuple{field("program", &T::number),
                    field<Presence::IfNotPlain>("stem", &T::stem),
                    field<Presence::IfNotPlain>("name", &T::name),
                    field<Presence::IfNotPlain>("source", &T::source),
                    field<Presence::IfNotPlain>("definitions", &T::definitions),
                    field<Presence::IfNotPlain>("include_dirs", &T::include_dirs),
                    field<Presence::IfNotPlain>("build_options", &T::build_options),
                    field<Presence::IfNotPlain>("cl_std", &T::cl_std),
                    field("wanted", &T::wanted)};
}

// Launches of a kernel share the state in `file`.
struct StateEvent {
  static constexpr const char* kEvent = "state";

  unsigned program = 0; // ProgramEvent::number
  std::string kernel{}, device{};
  std::string device_type{};       // "cpu", "gpu", "accelerator"
  std::filesystem::path variant{}; // folder with the variant's tables
  std::filesystem::path file{};    // the state, then the number of launches
  std::uint64_t launch = 0; // number of its first launch, among those of the kernel in the process
  // The sizes of its launches, with schedules, with mutants before one is active, and with coverage
  // of each launch. Local 0: the device chooses.
  model::Sizes sizes{};
  bool ordered = false;                   // by the schedule
  std::optional<std::string> test_case{}; // GPUTEST_CASE when they were made
  std::optional<std::string> note{};      // what could not be done
};
constexpr auto fields_of(const StateEvent*) {
  using T = StateEvent;
  return std::tuple{field("program", &T::program),
                    field("kernel", &T::kernel),
                    field("device", &T::device),
                    field("device_type", &T::device_type),
                    field("variant", &T::variant),
                    field("file", &T::file),
                    field("launch", &T::launch),
                    field<Presence::IfNotPlain>("sizes", &T::sizes),
                    field<Presence::IfNotPlain>("ordered", &T::ordered),
                    field<Presence::IfNotPlain>("case", &T::test_case),
                    field<Presence::IfNotPlain>("note", &T::note)};
}

// Something was not measured.
struct NotMeasuredEvent {
  static constexpr const char* kEvent = "not_measured";

  std::optional<unsigned> program{};   // ProgramEvent::number
  std::optional<std::string> kernel{}; // or all
  std::string reason{};
};
constexpr auto fields_of(const NotMeasuredEvent*) {
  using T = NotMeasuredEvent;
  return std::tuple{field<Presence::IfNotPlain>("program", &T::program),
                    field<Presence::IfNotPlain>("kernel", &T::kernel), field("reason", &T::reason)};
}

// Several threads of the process read results back.
struct ReadByThreadsEvent {
  static constexpr const char* kEvent = "read_by_threads";
};
constexpr auto fields_of(const ReadByThreadsEvent*) {
  return std::tuple{};
}

// A piece read back that the settings say to keep.
struct ReadEvent {
  static constexpr const char* kEvent = "read";

  std::size_t index = 0; // among those of the process
  std::filesystem::path file{};
  std::optional<std::string> argument{}; // that it is from, "<stem>.<kernel>: <argument>"
  std::optional<model::Type> element{};
};
constexpr auto fields_of(const ReadEvent*) {
  using T = ReadEvent;
  return std::tuple{field("index", &T::index), field("file", &T::file),
                    field<Presence::IfNotPlain>("argument", &T::argument),
                    field("element", &T::element)};
}

// The keys of a test case for an image and for a sampler.
struct GivenImage {
  std::vector<std::size_t> shape{};
  std::string channel_order{}, channel_type{};
};
constexpr auto fields_of(const GivenImage*) {
  using T = GivenImage;
  return std::tuple{field("shape", &T::shape), field("channel_order", &T::channel_order),
                    field("channel_type", &T::channel_type)};
}
struct GivenSampler {
  std::string addressing_mode{}, filter_mode{};
  bool normalized_coordinates = false;
};
constexpr auto fields_of(const GivenSampler*) {
  using T = GivenSampler;
  return std::tuple{field("addressing_mode", &T::addressing_mode),
                    field("filter_mode", &T::filter_mode),
                    field("normalized_coordinates", &T::normalized_coordinates)};
}

struct RecordedArgument {
  model::ArgumentKind kind = model::ArgumentKind::Value;
  std::size_t size = 0; // bytes
  bool is_null = false; // buffers: a null pointer, without content
  // Buffers, images, values: offset of the content before the launch, in the file.
  std::size_t before = 0;
  std::size_t after = 0; // buffers, images: offset of the content after the launch, in the file
  std::optional<GivenImage> image{};
  std::optional<model::Type> pixel{}; // images
  std::optional<GivenSampler> sampler{};
};
constexpr auto fields_of(const RecordedArgument*) {
  using T = RecordedArgument;
  return std::tuple{field("kind", &T::kind),
                    field("size", &T::size),
                    field<Presence::IfNotPlain>("null", &T::is_null),
                    field<Presence::IfNotPlain>("before", &T::before),
                    field<Presence::IfNotPlain>("after", &T::after),
                    field("image", &T::image),
                    field("pixel", &T::pixel),
                    field("sampler", &T::sampler)};
}

// A launch, with the content of its buffers before and after it.
struct LaunchEvent {
  static constexpr const char* kEvent = "launch";

  unsigned program = 0; // ProgramEvent::number
  std::string kernel{};
  std::vector<std::size_t> global_size{};
  std::vector<std::size_t> local_size{}; // none where the device chooses
  std::vector<std::size_t> global_offset{};
  std::vector<RecordedArgument> arguments{};
  std::filesystem::path file{};
};
constexpr auto fields_of(const LaunchEvent*) {
  using T = LaunchEvent;
  return std::tuple{field("program", &T::program),
                    field("kernel", &T::kernel),
                    field("global_size", &T::global_size),
                    field("local_size", &T::local_size),
                    field("global_offset", &T::global_offset),
                    field("arguments", &T::arguments),
                    field("file", &T::file)};
}

// A finding of the simulator. A process writes each in full once, and its number after that.
struct NumberedFinding {
  std::size_t number = 0;  // in this process
  std::uint64_t count = 0; // how often the launch has seen it
  std::optional<model::Finding> finding{};
};
constexpr auto fields_of(const NumberedFinding*) {
  using T = NumberedFinding;
  return std::tuple{field("number", &T::number), field("count", &T::count),
                    field<Presence::IfNotPlain>("finding", &T::finding)};
}

// A launch in the simulator.
struct SimulatedEvent {
  static constexpr const char* kEvent = "simulated";

  unsigned program = 0; // ProgramEvent::number
  std::string kernel{};
  std::uint64_t launch = 0; // its number, among those of the kernel in the process, from 1
  model::Sizes sizes{};     // local 0: the simulator chose
  double seconds = 0;
  std::vector<NumberedFinding> findings{};
};
constexpr auto fields_of(const SimulatedEvent*) {
  using T = SimulatedEvent;
  return std::tuple{field("program", &T::program), field("kernel", &T::kernel),
                    field("launch", &T::launch),   field("sizes", &T::sizes),
                    field("seconds", &T::seconds), field("findings", &T::findings)};
}

// HOST found a fault of the host's code.
struct HostFindingEvent {
  static constexpr const char* kEvent = "host_finding";

  model::Finding finding{};
};
constexpr auto fields_of(const HostFindingEvent*) {
  return std::tuple{field("finding", &HostFindingEvent::finding)};
}

// The process tries mutants on its launches.
struct TrialsEvent {
  static constexpr const char* kEvent = "trials";

  std::filesystem::path file{}; // a byte for each trial: model::TrialResult
};
constexpr auto fields_of(const TrialsEvent*) {
  return std::tuple{field("file", &TrialsEvent::file)};
}

// A guard noticed a mutant.
struct TrialNoticedEvent {
  static constexpr const char* kEvent = "trial_noticed";

  std::size_t trial = 0;
  model::KillReason reason = model::KillReason::WrongOutput;
  std::string detail{};
};
constexpr auto fields_of(const TrialNoticedEvent*) {
  using T = TrialNoticedEvent;
  return std::tuple{field("trial", &T::trial), field("reason", &T::reason),
                    field("detail", &T::detail)};
}

// Mutants cannot be tried on launches of a kernel.
struct UntriedEvent {
  static constexpr const char* kEvent = "untried";

  std::string kernel{}; // its label
  std::string reason{};
};
constexpr auto fields_of(const UntriedEvent*) {
  return std::tuple{field("kernel", &UntriedEvent::kernel), field("reason", &UntriedEvent::reason)};
}

using RunEvent = std::variant<ProcessEvent, ProgramEvent, StateEvent, NotMeasuredEvent,
                              ReadByThreadsEvent, ReadEvent, LaunchEvent, SimulatedEvent,
                              HostFindingEvent, TrialsEvent, TrialNoticedEvent, UntriedEvent>;

// Returns a line of a log, without its end. What is no UTF-8 is replaced.
std::string line_of(const RunEvent& event);

// Reads a line. Returns nullopt for one that its process did not finish. Throws model::FormatError
// for an event that no layer writes.
std::optional<RunEvent> read_run_event(std::string_view line);

// Throws model::FormatError, which says what to do, unless `first`, the first event of a log, says
// that the log has kRunLogFormat.
void expect_log_format(const RunEvent& first);

} // namespace gputest::runtime
