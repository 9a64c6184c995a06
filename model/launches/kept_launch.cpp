// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/launches/kept_launch.h"

#include "model/files.h"
#include "model/json.h"

namespace gputest::model {
namespace {

constexpr const char* kFormat = "gputest-launch-2";

} // namespace

constexpr auto fields_of(const KeptParameter*) {
  using T = KeptParameter;
  return std::tuple{field("name", &T::name), field("is_pointer", &T::is_pointer),
                    field("offset", &T::offset), field("size", &T::size)};
}
constexpr auto fields_of(const KeptAllocation*) {
  using T = KeptAllocation;
  return std::tuple{field("name", &T::name), field("address", &T::address),
                    field("size", &T::size)};
}
constexpr auto fields_of(const KeptVariable*) {
  using T = KeptVariable;
  return std::tuple{field("name", &T::name), field("address", &T::address)};
}
constexpr auto fields_of(const KeptLaunch*) {
  using T = KeptLaunch;
  return std::tuple{field("name", &T::name),
                    field("kernel", &T::kernel),
                    field("mangled", &T::mangled),
                    field("file", &T::file),
                    field("code", &T::code),
                    field("code_digest", &T::code_digest),
                    field("contents", &T::contents),
                    field("caches", &T::caches),
                    field<Presence::IfNotPlain>("before", &T::before),
                    field("grid", &T::grid),
                    field("block", &T::block),
                    field("shared_bytes", &T::shared_bytes),
                    field("warp_size", &T::warp_size),
                    field("arguments_bytes", &T::arguments_bytes),
                    field("number", &T::number),
                    field("seconds", &T::seconds),
                    field("parameters", &T::parameters),
                    field("memory", &T::memory),
                    field("variables", &T::variables),
                    field<Presence::IfNotPlain>("left_out", &T::left_out)};
}

std::uint64_t KeptLaunch::threads() const {
  std::uint64_t threads = 1;
  for (unsigned i = 0; i < 3; ++i)
    threads *= grid[i] * block[i];
  return threads;
}

KeptLaunch read_kept_launch(const std::filesystem::path& file) {
  return read_json_file(file, [](const Json& json) {
    expect_format(json, kFormat);
    KeptLaunch launch;
    from_json(json, launch);
    return launch;
  });
}

void write_kept_launch(const std::filesystem::path& file, const KeptLaunch& launch) {
  Json json{{"format", kFormat}};
  write_fields(json, launch, fields_of(&launch));
  write_atomically(file, pretty(json));
}

} // namespace gputest::model
