// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages of protocol.h as types. Each type names its keys once, for both sides.
#pragma once

#include "model/json.h"
#include "model/type.h"
#include "simulator/service/protocol.h"

#include <algorithm>
#include <array>

namespace gputest::simulator::wire {

using model::field, model::Presence, model::from_json, model::Json, model::to_json;

// ---- build ----

struct Build {
  static constexpr const char* kDo = "build";

  std::string name{}, text{}; // of the source
  std::vector<std::string> definitions{}, include_directories{}, options{};
  std::string cl_std{}, kernel{};
  std::string language{}; // "cuda"; others: OpenCL C
  // The checks of the launches that are expected: OpenCL C is compiled for them at once.
  std::vector<std::string> checks{};
  std::vector<std::size_t> released{}; // numbers of programs that nobody launches any more
  bool operator==(const Build&) const = default;
};
constexpr auto fields_of(const Build*) {
  return std::tuple{field("name", &Build::name),
                    field("text", &Build::text),
                    field("definitions", &Build::definitions),
                    field("include_directories", &Build::include_directories),
                    field("options", &Build::options),
                    field("cl_std", &Build::cl_std),
                    field("kernel", &Build::kernel),
                    field<Presence::Written>("language", &Build::language),
                    field("checks", &Build::checks),
                    field("released", &Build::released)};
}

struct BuiltParameter {
  std::string name{};
  bool pointer = false;
  std::size_t size = 0; // bytes
  bool operator==(const BuiltParameter&) const = default;
};
constexpr auto fields_of(const BuiltParameter*) {
  using T = BuiltParameter;
  return std::tuple{field("name", &T::name), field("pointer", &T::pointer),
                    field("size", &T::size)};
}

struct Built {
  std::size_t program = 0; // its number
  std::vector<BuiltParameter> parameters{};
  bool operator==(const Built&) const = default;
};
constexpr auto fields_of(const Built*) {
  return std::tuple{field("program", &Built::program), field("parameters", &Built::parameters)};
}

// ---- launch ----

using Kind = model::ArgumentKind;

enum class Access { ReadWrite, ReadOnly, WriteOnly };
constexpr auto names_of(Access) {
  return std::to_array<std::string_view>({"read_write", "read_only", "write_only"});
}

// Numbers are OpenCL's own.
struct Image {
  std::uint32_t type = 0, width = 0, height = 0, depth = 0, channel_order = 0, channel_type = 0;
  bool operator==(const Image&) const = default;
};
constexpr auto fields_of(const Image*) {
  using T = Image;
  return std::tuple{field("type", &T::type),
                    field("width", &T::width),
                    field("height", &T::height),
                    field("depth", &T::depth),
                    field("channel_order", &T::channel_order),
                    field("channel_type", &T::channel_type)};
}
struct Sampler {
  bool normalized = false;
  std::uint32_t addressing = 0, filter = 0;
  bool operator==(const Sampler&) const = default;
};
constexpr auto fields_of(const Sampler*) {
  using T = Sampler;
  return std::tuple{field("normalized", &T::normalized), field("addressing", &T::addressing),
                    field("filter", &T::filter)};
}

constexpr auto fields_of(const ByteRange*) {
  return std::tuple{field("begin", &ByteRange::begin), field("size", &ByteRange::size)};
}

struct Argument {
  Kind kind = Kind::Value;
  std::string name{};
  std::size_t offset = 0, size = 0;  // bytes in the memory file; Local: size only; Sampler: neither
  bool null = false;                 // Buffer: a null pointer
  bool output = false;               // Buffer: exploration compares its content
  Access access = Access::ReadWrite; // Buffer: what the host made it for
  bool keeps_packets = false;        // Buffer: a pipe with counts behind its packets
  std::vector<ByteRange> unwritten{}; // Buffer: what neither host nor kernels have written
  // The keys of the two are among the argument's, and only there for their kind.
  Image image{};
  Sampler sampler{};
  bool operator==(const Argument&) const = default;
};
constexpr auto fields_of_any_argument() {
  using T = Argument;
  return std::tuple{field("kind", &T::kind),
                    field<Presence::Written>("name", &T::name),
                    field<Presence::IfNotPlain>("offset", &T::offset),
                    field<Presence::IfNotPlain>("size", &T::size),
                    field<Presence::IfNotPlain>("null", &T::null),
                    field<Presence::IfNotPlain>("output", &T::output),
                    field<Presence::IfNotPlain>("access", &T::access),
                    field<Presence::IfNotPlain>("keeps_packets", &T::keeps_packets),
                    field<Presence::IfNotPlain>("unwritten", &T::unwritten)};
}
inline void to_json(Json& json, const Argument& argument) {
  write_fields(json, argument, fields_of_any_argument());
  if (argument.kind == Kind::Image)
    to_json(json, argument.image);
  if (argument.kind == Kind::Sampler)
    to_json(json, argument.sampler);
}
inline void from_json(const Json& json, Argument& argument) {
  read_fields(json, argument, fields_of_any_argument());
  if (argument.kind == Kind::Image)
    from_json(json, argument.image);
  if (argument.kind == Kind::Sampler)
    from_json(json, argument.sampler);
}

// An order that a schedule file could not have either.
class OrderError : public model::FormatError {
public:
  using FormatError::FormatError;
};

// As in schedule files (model/schedules/schedule.h). The launch checks whether a list fits.
struct Orders {
  model::Order groups{}, items{};
  bool operator==(const Orders&) const = default;
};
constexpr std::array kOrders{std::pair{"groups", &Orders::groups},
                             std::pair{"items", &Orders::items}};
inline void to_json(Json& json, const Orders& orders) {
  for (const auto& [key, order] : kOrders)
    json[key] = model::to_json(orders.*order);
}
inline void from_json(const Json& json, Orders& orders) {
  for (const auto& [key, order] : kOrders)
    try {
      if (const auto given = model::optional<Json>(json, key))
        orders.*order =
            model::order_from_json(*given, given->value("permutation", Json::array()).size());
    } catch (const model::FormatError& error) {
      throw OrderError(std::string("order of ") + key + ": " + error.what());
    }
}

struct Launch {
  static constexpr const char* kDo = "launch";

  std::size_t program = 0; // Built::program
  std::string kernel{};
  model::Sizes sizes{};
  std::size_t memory = 0; // bytes of the memory file
  std::vector<Argument> arguments{};
  Orders order{};
  std::vector<std::string> checks{};
  double limit = 0;             // seconds; 0: no limit
  std::size_t shared_bytes = 0; // CUDA: bytes of dynamic __shared__ memory
  bool trial = false;           // whether program-scope variables are restored afterwards
  bool accesses = false;        // whether Launched::accessed is wanted; needs the check of races
  // If given, the work-items of all groups run interleaved as these say, and orders and checks are
  // ignored.
  std::optional<std::vector<model::Turn>> turns{};
  bool operator==(const Launch&) const = default;
};
struct SizesField { // its keys are among the launch's
  void write(Json& json, const Launch& launch) const { model::to_json(json, launch.sizes); }
  void read(const Json& json, Launch& launch) const { model::from_json(json, launch.sizes); }
};
constexpr auto fields_of(const Launch*) {
  using T = Launch;
  return std::tuple{field("program", &T::program),
                    field("kernel", &T::kernel),
                    SizesField(),
                    field<Presence::Written>("memory", &T::memory),
                    field("arguments", &T::arguments),
                    field<Presence::IfNotPlain>("order", &T::order),
                    field<Presence::Written>("checks", &T::checks),
                    field<Presence::Written>("limit", &T::limit),
                    field<Presence::Written>("shared_bytes", &T::shared_bytes),
                    field<Presence::Written>("trial", &T::trial),
                    field<Presence::IfNotPlain>("accesses", &T::accesses),
                    field<Presence::IfNotPlain>("turns", &T::turns)};
}

constexpr auto fields_of(const AccessedBytes*) {
  using T = AccessedBytes;
  return std::tuple{field("argument", &T::argument), field("begin", &T::begin),
                    field("size", &T::size), field<Presence::IfNotPlain>("write", &T::write),
                    field<Presence::IfNotPlain>("atomic", &T::atomic)};
}

constexpr auto fields_of(const Launched*) {
  using T = Launched;
  return std::tuple{field("seconds", &T::seconds),
                    field("output", &T::output),
                    field("findings", &T::findings),
                    field<Presence::IfNotPlain>("notes", &T::notes),
                    field<Presence::Written>("fatal", &T::fatal),
                    field<Presence::IfNotPlain>("late", &T::late),
                    field<Presence::IfNotPlain>("accessed", &T::accessed)};
}

// ---- explore ----

constexpr auto fields_of(const Bounds*) {
  using T = Bounds;
  return std::tuple{field("interleavings", &T::interleavings), field("seconds", &T::seconds),
                    field("more", &T::more)};
}

// Explores all interleavings, and compares arguments with Argument::output.
struct Explore : Launch {
  static constexpr const char* kDo = "explore";

  Bounds bounds{};
  bool operator==(const Explore&) const = default;
};
constexpr auto fields_of(const Explore* explore) {
  return std::tuple_cat(fields_of(static_cast<const Launch*>(explore)),
                        std::tuple{field("bounds", &Explore::bounds)});
}

using Dependence = Explored::Dependence;
// A finding's keys and these two.
constexpr auto fields_of_indices() {
  return std::tuple{field("before", &Dependence::before), field("after", &Dependence::after)};
}
inline void to_json(Json& json, const Dependence& dependence) {
  json = dependence.finding;
  write_fields(json, dependence, fields_of_indices());
}
inline void from_json(const Json& json, Dependence& dependence) {
  json.get_to(dependence.finding);
  read_fields(json, dependence, fields_of_indices());
}

constexpr auto names_of(Explored::End) {
  return std::array{"exhausted", "interleavings", "seconds", "accesses"};
}
constexpr auto fields_of(const Explored*) {
  using T = Explored;
  return std::tuple{
      field("too_large", &T::too_large),     field("end", &T::end),
      field("stopped_at", &T::stopped_at),   field("interleavings", &T::interleavings),
      field("outcomes", &T::outcomes),       field("schedules", &T::schedules),
      field("dependences", &T::dependences), field("findings", &T::findings),
      field("seconds", &T::seconds),         field<Presence::Written>("fatal", &T::fatal)};
}

// ---- locate ----

// Asks for the host's code at a return address.
struct Locate {
  static constexpr const char* kDo = "locate";

  std::string file{};        // with the instruction: a program or a shared library
  std::uint64_t address = 0; // in that file
  bool operator==(const Locate&) const = default;
};
constexpr auto fields_of(const Locate*) {
  return std::tuple{field("file", &Locate::file), field("address", &Locate::address)};
}

struct LocatedPlace {
  std::string file{}; // empty: not known
  unsigned line = 0, column = 0;
  std::string function{}; // "main+0x1c"; empty: not known
  bool operator==(const LocatedPlace&) const = default;
};
constexpr auto fields_of(const LocatedPlace*) {
  using T = LocatedPlace;
  return std::tuple{field("file", &T::file), field("line", &T::line), field("column", &T::column),
                    field("function", &T::function)};
}

struct Located {
  std::vector<LocatedPlace> places{}; // the instruction's, then those of inlined calls
  bool operator==(const Located&) const = default;
};
constexpr auto fields_of(const Located*) {
  return std::tuple{field("places", &Located::places)};
}

// ---- any ----

// The reply to a request that failed: {"error": "source", "message": "k.cl:3:4: error: …"}.
struct Refusal {
  static constexpr const char* kError = "error";

  std::string error{}; // "input", "source" (only to Build) or "failure"
  std::string message{};
  bool operator==(const Refusal&) const = default;
};
constexpr auto fields_of(const Refusal*) {
  return std::tuple{field(Refusal::kError, &Refusal::error), field("message", &Refusal::message)};
}

constexpr const char* kDo = "do";

template <typename Request> Json request_of(const Request& what) {
  Json json = what;
  json[kDo] = Request::kDo;
  return json;
}

} // namespace gputest::simulator::wire
