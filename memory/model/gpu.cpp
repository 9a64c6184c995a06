// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/gpu.h"

#include "embedded/presets.h"
#include "model/files.h"
#include "model/interface.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace gputest::memory {
namespace {

using Json = nlohmann::ordered_json;
using model::FormatError;

// An object of the file. Keys that were never asked for are errors at the end.
class Keys {
public:
  Keys(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json.is_object())
      throw FormatError(fmt::format("{}: an object is expected", place_));
  }

  [[noreturn]] void fail(const char* key, const std::string& problem) const {
    throw FormatError(fmt::format("{}: '{}' {}", place_, key, problem));
  }

  bool has(const char* key) {
    known_.insert(key);
    return json_.contains(key) && !json_[key].is_null();
  }

  const Json& value(const char* key) {
    if (!has(key))
      fail(key, "is missing");
    return json_[key];
  }

  std::size_t number(const char* key, std::size_t least, std::size_t most) {
    const Json& given = value(key);
    if (!given.is_number_unsigned() || given.get<std::uint64_t>() < least ||
        given.get<std::uint64_t>() > most)
      fail(key, fmt::format("is {}; it must be a whole number from {} to {}", given.dump(), least,
                            most));
    return given.get<std::size_t>();
  }

  std::size_t number_or(const char* key, std::size_t otherwise, std::size_t least,
                        std::size_t most) {
    return has(key) ? number(key, least, most) : otherwise;
  }

  std::size_t power_of_two(const char* key, std::size_t least, std::size_t most) {
    const std::size_t given = number(key, least, most);
    if (!std::has_single_bit(given))
      fail(key, fmt::format("is {}; it must be a power of two", given));
    return given;
  }

  std::string text(const char* key) {
    const Json& given = value(key);
    if (!given.is_string() || given.get<std::string>().empty())
      fail(key, fmt::format("is {}; it must be a text", given.dump()));
    return given.get<std::string>();
  }

  bool flag_or(const char* key, bool otherwise) {
    if (!has(key))
      return otherwise;
    if (!json_[key].is_boolean())
      fail(key, fmt::format("is {}; it must be true or false", json_[key].dump()));
    return json_[key].get<bool>();
  }

  void end() const {
    for (const auto& [key, ignored] : json_.items())
      if (!known_.contains(key))
        fail(key.c_str(), fmt::format("is not known; there are: {}", fmt::join(known_, ", ")));
  }

private:
  const Json& json_;
  std::string place_;
  std::set<std::string> known_;
};

constexpr std::size_t kMostBytes = std::size_t{1} << 40, kMostCycles = 1'000'000;

CacheLevel cache_from(const Json& json, const std::string& place) {
  Keys keys(json, place);
  CacheLevel level;
  level.name = keys.text("name");
  level.line = keys.power_of_two("line", 4, 4096);
  level.sector = keys.has("sector") ? keys.power_of_two("sector", 4, 4096) : level.line;
  if (level.sector > level.line || level.line / level.sector > kMostSectors)
    keys.fail("sector", fmt::format("is {} bytes; a line of {} bytes has from 1 to {} sectors",
                                    level.sector, level.line, kMostSectors));
  level.size = keys.number("size", level.line, kMostBytes);
  const std::size_t lines = level.size / level.line;
  level.ways = keys.number("ways", 1, kMostBytes);
  if (level.ways > lines)
    keys.fail("ways", fmt::format("is {}, and the cache has {} lines: {} bytes of {} each",
                                  level.ways, lines, level.size, level.line));
  if (level.size % (level.line * level.ways) != 0)
    keys.fail("size", fmt::format("is {} bytes, which is no multiple of {} ways of {} bytes",
                                  level.size, level.ways, level.line));
  level.shared = keys.flag_or("shared", false);
  level.banks = keys.number_or("banks", 1, 1, 4096);
  if (keys.has("bank_bytes"))
    level.bank_bytes = keys.power_of_two("bank_bytes", level.line, kMostBytes);
  level.hashed = keys.flag_or("hashed", false);
  level.hit_cycles = keys.number("hit_cycles", 1, kMostCycles);
  const std::string write = keys.text("write");
  constexpr std::array kKinds{std::pair{"back", CacheLevel::Write::Back},
                              std::pair{"validate", CacheLevel::Write::Validate},
                              std::pair{"through", CacheLevel::Write::Through}};
  const auto kind =
      std::ranges::find_if(kKinds, [&](const auto& one) { return one.first == write; });
  if (kind == kKinds.end())
    keys.fail("write", fmt::format("is '{}'; it must be back, validate or through", write));
  level.write = kind->second;
  level.update_cycles = keys.number_or("update_cycles", 0, 1, kMostCycles);
  if (level.update_cycles != 0 && !level.shared)
    keys.fail("update_cycles", "is for a shared cache: atomic operations happen in the first one");
  level.port_cycles = keys.number_or("port_cycles", 0, 1, kMostCycles);
  level.local_banks = keys.flag_or("local_banks", false);
  keys.end();
  return level;
}

LocalMemory local_memory_from(const Json& json, const std::string& place) {
  Keys keys(json, place);
  LocalMemory memory;
  memory.size = keys.number("size", 1, kMostBytes);
  memory.banks = keys.power_of_two("banks", 1, kMostBanks);
  memory.bank_bytes = keys.power_of_two("bank_bytes", 1, 64);
  memory.cycles = keys.number("cycles", 1, kMostCycles);
  keys.end();
  return memory;
}

SideCache side_cache_from(Keys& keys, const std::vector<CacheLevel>& caches) {
  SideCache cache;
  cache.line = keys.power_of_two("line", 4, 4096);
  cache.size = keys.number("size", cache.line, kMostBytes);
  cache.ways = keys.number("ways", 1, cache.size / cache.line);
  if (cache.size % (cache.line * cache.ways) != 0)
    keys.fail("size", fmt::format("is {} bytes, which is no multiple of {} ways of {} bytes",
                                  cache.size, cache.ways, cache.line));
  const auto shared = std::ranges::find(caches, true, &CacheLevel::shared);
  const CacheLevel& next = shared == caches.end() ? caches.back() : *shared;
  if (cache.line > next.line || cache.line / std::min(cache.line, next.sector) > kMostSectors)
    keys.fail("line", fmt::format("is {} bytes; a line comes from '{}', and is at most one of its "
                                  "lines, and {} of its sectors",
                                  cache.line, next.name, kMostSectors));
  return cache;
}

ConstantCache constant_cache_from(const Json& json, const std::string& place,
                                  const std::vector<CacheLevel>& caches) {
  Keys keys(json, place);
  ConstantCache cache{side_cache_from(keys, caches)};
  cache.hit_cycles = keys.number("hit_cycles", 1, kMostCycles);
  cache.address_cycles = keys.number_or("address_cycles", 1, 1, kMostCycles);
  if (keys.has("again_cycles"))
    cache.again_cycles = keys.number("again_cycles", 1, kMostCycles);
  cache.uniform_only = keys.flag_or("uniform_only", false);
  keys.end();
  return cache;
}

PrivateArrays private_arrays_from(const Json& json, const std::string& place) {
  Keys keys(json, place);
  PrivateArrays arrays;
  arrays.registers = keys.number("registers", kSurelyRegisters, kMostBytes);
  arrays.indexed = keys.number("indexed", 0, arrays.registers);
  arrays.indexed_reads =
      keys.number_or("indexed_reads", arrays.indexed, arrays.indexed, arrays.registers);
  keys.end();
  return arrays;
}

Texture texture_from(const Json& json, const std::string& place,
                     const std::vector<CacheLevel>& caches) {
  Keys keys(json, place);
  Texture texture;
  if (keys.has("tile")) {
    texture.tile = keys.text("tile");
    const auto count = [&](char bit) { return std::ranges::count(texture.tile, bit); };
    if (count('x') + count('y') != static_cast<std::ptrdiff_t>(texture.tile.size()) ||
        texture.tile.size() > 16 || count('x') < 4)
      keys.fail("tile", fmt::format("is '{}'; it must have from 4 to 16 letters x and y, of which "
                                    "at least 4 are x: the bits of an offset in a tile, the "
                                    "lowest first",
                                    texture.tile));
  }
  texture.items_per_cycle = keys.number("items_per_cycle", 1, kMostLanes);
  std::size_t least = caches.front().hit_cycles;
  if (keys.has("size")) {
    texture.cache = side_cache_from(keys, caches);
    least = 1;
  } else if (keys.has("line") || keys.has("ways")) {
    keys.fail("size", "is missing, and a cache of its own has it beside 'line' and 'ways'");
  }
  texture.hit_cycles = keys.number("hit_cycles", least, kMostCycles);
  keys.end();
  return texture;
}

Dram dram_from(const Json& json, const std::string& place) {
  Keys keys(json, place);
  Dram dram;
  dram.banks = keys.number("banks", 1, 65536);
  dram.bank_bytes = keys.power_of_two("bank_bytes", 16, kMostBytes);
  dram.cycles = keys.number("cycles", 1, kMostCycles);
  dram.busy_cycles = keys.number_or("busy_cycles", dram.cycles, 1, dram.cycles);
  dram.hashed = keys.flag_or("hashed", false);
  if (keys.has("row_bytes") || keys.has("row_hit_cycles")) {
    dram.row_bytes = keys.power_of_two("row_bytes", 16, kMostBytes);
    dram.row_hit_cycles = keys.number("row_hit_cycles", 1, dram.cycles);
  }
  keys.end();
  return dram;
}

std::vector<CacheLevel> caches_from(const Json& json, const std::string& place) {
  if (!json.is_array() || json.empty())
    throw FormatError(fmt::format(
        "{}: 'caches' must be a list of at least one cache, the nearest to the cores first",
        place));
  std::vector<CacheLevel> levels;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string own = fmt::format("{}: cache {}", place, i + 1);
    levels.push_back(cache_from(json[i], own));
    if (i == 0) {
      if (levels.front().write == CacheLevel::Write::Validate)
        throw FormatError(fmt::format("{}: 'write' is validate, which the nearest cache cannot be; "
                                      "it must be back or through",
                                      own));
      if (levels.front().port_cycles != 0)
        throw FormatError(fmt::format("{}: 'port_cycles' is for a cache behind the nearest one: it "
                                      "is the way of a core's requests that miss there",
                                      own));
      continue;
    }
    const CacheLevel &nearer = levels[i - 1], &level = levels[i];
    if (level.local_banks)
      throw FormatError(
          fmt::format("{}: 'local_banks' is for the nearest cache, which a core may have in one "
                      "memory with its local memory",
                      own));
    if (nearer.shared && !level.shared)
      throw FormatError(
          fmt::format("{}: '{}' is each core's own, and '{}' nearer to the cores is shared", own,
                      level.name, nearer.name));
    if (level.line < nearer.line || level.sector < nearer.sector)
      throw FormatError(
          fmt::format("{}: '{}' has smaller lines or sectors than '{}' nearer to the cores", own,
                      level.name, nearer.name));
  }
  return levels;
}

Gpu gpu_from_json(const Json& json, const std::string& place) {
  Keys keys(json, place);
  if (const std::string format = keys.text("format"); format != "gputest-gpu-1")
    keys.fail("format", fmt::format("is '{}'; it must be gputest-gpu-1", format));
  Gpu gpu;
  gpu.name = keys.text("name");
  gpu.cores = keys.number("cores", 1, 4096);
  gpu.schedulers = keys.number_or("schedulers", 1, 1, 64);
  gpu.warp_size = keys.number("warp_size", 1, kMostLanes);
  gpu.width = keys.number("width", 1, gpu.warp_size);
  gpu.warps_per_core = keys.number("warps_per_core", 1, 4096);
  gpu.groups_per_core = keys.number("groups_per_core", 1, 4096);
  gpu.loads_in_flight = keys.number_or("loads_in_flight", 1, 1, 4096);
  gpu.unrolled = keys.number_or("unrolled", 1, 1, 64);
  if (gpu.unrolled > 1 && gpu.loads_in_flight == 1)
    keys.fail("unrolled", fmt::format("is {}, and a warp with 1 load in flight waits for each; "
                                      "'loads_in_flight' must be more",
                                      gpu.unrolled));
  gpu.division.instructions = keys.number_or("division_instructions", 1, 1, 1000);
  gpu.division.divisor =
      keys.number_or("divisor_instructions", 0, 0, gpu.division.instructions - 1);
  if (keys.has("start_cycles"))
    gpu.start_cycles = keys.number("start_cycles", 1, kMostCycles);
  gpu.caches = caches_from(keys.value("caches"), place);
  if (keys.has("local_memory"))
    gpu.local_memory = local_memory_from(keys.value("local_memory"), place + ": local_memory");
  if (keys.has("constant_cache"))
    gpu.constant_cache =
        constant_cache_from(keys.value("constant_cache"), place + ": constant_cache", gpu.caches);
  if (keys.has("private_arrays"))
    gpu.private_arrays =
        private_arrays_from(keys.value("private_arrays"), place + ": private_arrays");
  gpu.images = keys.flag_or("images", true);
  if (keys.has("texture")) {
    if (!gpu.images)
      keys.fail("texture", "is for images, which 'images' says there are none of");
    gpu.texture = texture_from(keys.value("texture"), place + ": texture", gpu.caches);
  }
  if (gpu.caches.front().local_banks && (!gpu.local_memory || gpu.caches.front().shared))
    throw FormatError(
        fmt::format("{}: cache 1: 'local_banks' is for a core's own cache, and a core with local "
                    "memory: the data of both lie in the same banks",
                    place));
  gpu.dram = dram_from(keys.value("dram"), place + ": dram");
  if (gpu.dram.bank_bytes < gpu.caches.back().sector)
    throw FormatError(fmt::format("{}: dram: 'bank_bytes' is {}, less than a sector of {}, which "
                                  "would lie in several banks",
                                  place, gpu.dram.bank_bytes, gpu.caches.back().name));
  if (keys.has("sources") && !keys.value("sources").is_object())
    keys.fail("sources", "must be an object: what each number comes from");
  keys.end();
  return gpu;
}

} // namespace

Gpu gpu_from_text(std::string_view text, const std::string& what) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw FormatError(fmt::format("{}: error: {}", what, error.what()));
  }
  return gpu_from_json(json, what + ": error");
}

std::string Gpu::why_not_warm() const {
  return fmt::format(
      "--caches warm: the cores of {} share no cache, and a launch leaves nothing in "
      "others: give a --gpu whose cores share one",
      name);
}

Gpu gpu_named(const std::string& name_or_file) {
  for (const auto& [preset, json] : embedded::presets)
    if (preset == name_or_file)
      return gpu_from_text(json, preset);
  const auto text = model::read_text(name_or_file);
  if (!text)
    throw FormatError(
        fmt::format("error: there is no GPU '{}': neither a file of that name nor one of {}",
                    name_or_file, fmt::join(preset_names(), ", ")));
  return gpu_from_text(*text, name_or_file);
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& [preset, json] : embedded::presets)
    names.emplace_back(preset);
  return names;
}

} // namespace gputest::memory
