// GPUs from files: the presets, and what is refused.
#include "memory/model/gpu.h"
#include "model/interface.h"
#include "tests/catch.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace gputest::memory;
using gputest::model::FormatError;
using gputest::tests::ContainsSubstring;
using Json = nlohmann::ordered_json;

namespace {

Json valid() {
  return Json::parse(
      R"({"format": "gputest-gpu-1", "name": "mine", "cores": 2, "warp_size": 32, "width": 16,
    "warps_per_core": 8, "groups_per_core": 4,
    "caches": [{"name": "L1", "size": 4096, "line": 64, "ways": 2, "hit_cycles": 1, "write": "back"},
               {"name": "L2", "size": 65536, "line": 128, "sector": 64, "ways": 4, "shared": true, "banks": 2,
                "hit_cycles": 20, "write": "back"}],
    "local_memory": {"size": 32768, "banks": 32, "bank_bytes": 4, "cycles": 5},
    "dram": {"banks": 4, "bank_bytes": 1024, "cycles": 100, "busy_cycles": 8, "row_bytes": 4096, "row_hit_cycles": 40}})");
}

void refused(const Json& json, const std::string& message) {
  CHECK_THROWS_WITH(gpu_from_text(json.dump(), "my.json"), ContainsSubstring(message));
}

} // namespace

TEST_CASE("A file says all that there is") {
  const Gpu gpu = gpu_from_text(valid().dump(), "my.json");
  CHECK(gpu.name == "mine");
  CHECK(gpu.cores == 2);
  CHECK(gpu.schedulers == 1);
  CHECK(gpu.issue_cycles() == 2);
  REQUIRE(gpu.caches.size() == 2);
  CHECK(gpu.caches[0].sets() == 32);
  CHECK(gpu.caches[0].sector == 64);
  CHECK(gpu.caches[1].sectors() == 2);
  CHECK(gpu.caches[1].shared);
  REQUIRE(gpu.local_memory);
  CHECK(gpu.local_memory->banks == 32);
  CHECK(gpu.dram.row_hit_cycles == 40);
  CHECK_FALSE(gpu.dram.hashed);
  CHECK(gpu.loads_in_flight == 1);
  CHECK(gpu.unrolled == 1);
  CHECK(gpu.caches[1].update_cycles == 0);
  CHECK(gpu.caches[1].port_cycles == 0);
  CHECK_FALSE(gpu.caches[0].local_banks);
  CHECK(gpu.division.instructions == 1);
  CHECK(gpu.division.divisor == 0);
  CHECK_FALSE(gpu.start_cycles);
  CHECK_FALSE(gpu.constant_cache);
  CHECK_FALSE(gpu.private_arrays);
  Json overlapping = valid();
  overlapping["loads_in_flight"] = 8;
  overlapping["unrolled"] = 2;
  overlapping["caches"][1]["update_cycles"] = 7;
  overlapping["caches"][1]["port_cycles"] = 2;
  overlapping["caches"][0]["local_banks"] = true;
  overlapping["caches"][1]["bank_bytes"] = 256;
  overlapping["division_instructions"] = 20;
  overlapping["start_cycles"] = 3000;
  overlapping["divisor_instructions"] = 8;
  overlapping["constant_cache"] = {{"size", 2048}, {"line", 64}, {"ways", 4}, {"hit_cycles", 30}};
  overlapping["private_arrays"] = {{"registers", 1020}, {"indexed", 16}};
  const Gpu other = gpu_from_text(overlapping.dump(), "my.json");
  CHECK(other.loads_in_flight == 8);
  CHECK(other.unrolled == 2);
  CHECK(other.caches[1].update_cycles == 7);
  CHECK(other.caches[1].port_cycles == 2);
  CHECK(other.caches[0].local_banks);
  CHECK(other.caches[1].bank_of(1) == 0);
  CHECK(other.caches[1].bank_of(2) == 1);
  CHECK(other.division.instructions == 20);
  CHECK(other.division.divisor == 8);
  CHECK(other.start_cycles == 3000);
  REQUIRE(other.constant_cache);
  CHECK(other.constant_cache->line == 64);
  CHECK(other.constant_cache->hit_cycles == 30);
  CHECK(other.constant_cache->address_cycles == 1);
  CHECK_FALSE(other.constant_cache->again_cycles);
  CHECK_FALSE(other.constant_cache->uniform_only);
  REQUIRE(other.private_arrays);
  CHECK(other.private_arrays->most(Indexed::None) == 1020);
  CHECK(other.private_arrays->most(Indexed::Reads) == 16);
  CHECK(other.private_arrays->most(Indexed::Writes) == 16);
  overlapping["constant_cache"]["address_cycles"] = 11;
  overlapping["constant_cache"]["again_cycles"] = 104;
  overlapping["constant_cache"]["uniform_only"] = true;
  overlapping["private_arrays"]["indexed_reads"] = 128;
  overlapping["texture"] = {{"hit_cycles", 9}, {"items_per_cycle", 4}, {"tile", "xxxxyy"},
                            {"size", 1024},    {"line", 64},           {"ways", 2}};
  const Gpu all = gpu_from_text(overlapping.dump(), "my.json");
  REQUIRE(all.texture);
  CHECK(all.texture->cache);
  CHECK(all.texture->hit_cycles == 9);
  CHECK(all.tile() == "xxxxyy");
  CHECK(all.constant_cache->address_cycles == 11);
  CHECK(all.constant_cache->again_cycles == 104);
  CHECK(all.constant_cache->uniform_only);
  CHECK(all.private_arrays->most(Indexed::Reads) == 128);
}

TEST_CASE("Impossible values are named with the place and what they may be") {
  Json json = valid();
  json["caches"][0]["line"] = 48;
  refused(json, "my.json: error: cache 1: 'line' is 48; it must be a power of two");
  json = valid();
  json["caches"][0]["ways"] = 65;
  refused(json, "'ways' is 65, and the cache has 64 lines: 4096 bytes of 64 each");
  json = valid();
  json["caches"][0]["size"] = 4000;
  refused(json, "'size' is 4000 bytes, which is no multiple of 2 ways of 64 bytes");
  json = valid();
  json["caches"][0]["sector"] = 128;
  refused(json, "'sector' is 128 bytes; a line of 64 bytes has from 1 to 8 sectors");
  json = valid();
  json["caches"][0]["write"] = "around";
  refused(json, "'write' is 'around'; it must be back, validate or through");
  json = valid();
  json["caches"][0]["write"] = "validate";
  refused(json, "cache 1: 'write' is validate, which the nearest cache cannot be");
  json = valid();
  json["caches"][1]["line"] = 32;
  json["caches"][1]["sector"] = 32;
  refused(json, "cache 2: 'L2' has smaller lines or sectors than 'L1'");
  json = valid();
  json["caches"][0]["shared"] = true;
  json["caches"][1]["shared"] = false;
  refused(json, "'L2' is each core's own, and 'L1' nearer to the cores is shared");
  json = valid();
  json["caches"] = Json::array();
  refused(json, "'caches' must be a list of at least one cache");
  json = valid();
  json["warp_size"] = 65;
  refused(json, "'warp_size' is 65; it must be a whole number from 1 to 64");
  json = valid();
  json["width"] = 64;
  refused(json, "'width' is 64; it must be a whole number from 1 to 32");
  json = valid();
  json["unrolled"] = 4;
  refused(json, "'unrolled' is 4, and a warp with 1 load in flight waits for each");
  json = valid();
  json["loads_in_flight"] = 0;
  refused(json, "'loads_in_flight' is 0; it must be a whole number from 1 to 4096");
  json = valid();
  json["caches"][0]["update_cycles"] = 3;
  refused(json, "cache 1: 'update_cycles' is for a shared cache");
  json = valid();
  json["caches"][0]["port_cycles"] = 3;
  refused(json, "cache 1: 'port_cycles' is for a cache behind the nearest one");
  json = valid();
  json["caches"][1]["local_banks"] = true;
  refused(json, "cache 2: 'local_banks' is for the nearest cache");
  json = valid();
  json["caches"][0]["local_banks"] = true;
  json.erase("local_memory");
  refused(json, "cache 1: 'local_banks' is for a core's own cache, and a core with local memory");
  json = valid();
  json["caches"][1]["bank_bytes"] = 64;
  refused(json, "cache 2: 'bank_bytes' is 64; it must be a whole number from 128");
  json = valid();
  json["division_instructions"] = 4;
  json["divisor_instructions"] = 4;
  refused(json, "'divisor_instructions' is 4; it must be a whole number from 0 to 3");
  json = valid();
  json["constant_cache"] = {{"size", 2048}, {"line", 64}, {"ways", 5}, {"hit_cycles", 30}};
  refused(json, "constant_cache: 'size' is 2048 bytes, which is no multiple of 5 ways of 64 bytes");
  json["constant_cache"]["ways"] = 33;
  refused(json, "constant_cache: 'ways' is 33; it must be a whole number from 1 to 32");
  json["constant_cache"] = {{"size", 2048}, {"line", 256}, {"ways", 1}, {"hit_cycles", 30}};
  refused(json,
          "constant_cache: 'line' is 256 bytes; a line comes from 'L2', and is at most one of "
          "its lines, and 8 of its sectors");
  json = valid();
  json["texture"] = {{"hit_cycles", 1}, {"items_per_cycle", 4}, {"tile", "xxxxyz"}};
  refused(json, "texture: 'tile' is 'xxxxyz'; it must have from 4 to 16 letters x and y, of which "
                "at least 4 are x");
  json["texture"] = {{"hit_cycles", 1}, {"items_per_cycle", 4}, {"tile", "xxxyyy"}};
  refused(json, "texture: 'tile' is 'xxxyyy'; it must have");
  json["texture"] = {{"hit_cycles", 0}, {"items_per_cycle", 4}};
  refused(json, "texture: 'hit_cycles' is 0; it must be a whole number from 1 to ");
  json["texture"] = {{"hit_cycles", 1}, {"items_per_cycle", 0}};
  refused(json, "texture: 'items_per_cycle' is 0; it must be a whole number from 1 to 64");
  json["texture"] = {{"hit_cycles", 1}, {"items_per_cycle", 4}, {"line", 64}};
  refused(json, "texture: 'size' is missing, and a cache of its own has it beside 'line' and "
                "'ways'");
  json["texture"] = {
      {"hit_cycles", 1}, {"items_per_cycle", 4}, {"size", 4096}, {"line", 256}, {"ways", 1}};
  refused(json, "texture: 'line' is 256 bytes; a line comes from 'L2'");
  json["texture"] = {{"hit_cycles", 1}, {"items_per_cycle", 4}};
  json["images"] = false;
  refused(json, "'texture' is for images, which 'images' says there are none of");
  json.erase("texture");
  json.erase("images");
  json["private_arrays"] = {{"registers", 511}, {"indexed", 16}};
  refused(json, "private_arrays: 'registers' is 511; it must be a whole number from 512 to ");
  json["private_arrays"] = {{"registers", 512}, {"indexed", 513}};
  refused(json, "private_arrays: 'indexed' is 513; it must be a whole number from 0 to 512");
  json["private_arrays"] = {{"registers", 512}, {"indexed", 4}, {"indexed_reads", 3}};
  refused(json, "private_arrays: 'indexed_reads' is 3; it must be a whole number from 4 to 512");
  json = valid();
  json["cores"] = 0.5;
  refused(json, "'cores' is 0.5; it must be a whole number");
  json = valid();
  json["cores"] = -1;
  refused(json, "'cores' is -1");
  json = valid();
  json["local_memory"]["banks"] = 12;
  refused(json, "local_memory: 'banks' is 12; it must be a power of two");
  json = valid();
  json["dram"]["bank_bytes"] = 32;
  refused(json, "'bank_bytes' is 32, less than a sector of L2");
  json = valid();
  json["dram"]["busy_cycles"] = 101;
  refused(json, "dram: 'busy_cycles' is 101; it must be a whole number from 1 to 100");
  json = valid();
  json["dram"].erase("row_hit_cycles");
  refused(json, "dram: 'row_hit_cycles' is missing");
  json = valid();
  json.erase("dram");
  refused(json, "'dram' is missing");
  json = valid();
  json["coers"] = 3;
  refused(json, "'coers' is not known; there are: caches, constant_cache, cores");
  json = valid();
  json["format"] = "gputest-gpu-2";
  refused(json, "'format' is 'gputest-gpu-2'; it must be gputest-gpu-1");
  CHECK_THROWS_WITH(gpu_from_text("{\"cores\": ", "my.json"),
                    ContainsSubstring("my.json: error: "));
  CHECK_THROWS_WITH(gpu_from_text("[]", "my.json"), ContainsSubstring("an object is expected"));
}

TEST_CASE("Presets are known by name, and anything else is a file") {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(GPUTEST_PRESETS))
    files.push_back(file.path().stem().string());
  std::vector<std::string> names = preset_names();
  CHECK(names.front() == "embedded");
  std::ranges::sort(files);
  std::ranges::sort(names);
  CHECK(names == files);
  for (const std::string& name : preset_names())
    CHECK(gpu_named(name).name == name);
  CHECK_THROWS_WITH(gpu_named("h201"),
                    ContainsSubstring("there is no GPU 'h201': neither a file of that name nor one "
                                      "of embedded, mali-g52, adreno-640, h200, rtx-4090, "
                                      "rx-7900-xtx, rx-7900-xtx-wave64, mi300x"));
  const auto file = std::filesystem::temp_directory_path() / "gputest-gpu-test.json";
  std::ofstream(file) << valid().dump();
  CHECK(gpu_named(file.string()).name == "mine");
  std::filesystem::remove(file);
}

TEST_CASE("The table of docs/internals/memory.md has each preset, with its numbers") {
  std::stringstream docs;
  docs << std::ifstream(GPUTEST_PRESETS "/../../docs/internals/memory.md").rdbuf();
  std::vector<std::string> rows;
  for (std::string line; std::getline(docs, line);)
    if (line.starts_with("| `") && line.find(" × ") != std::string::npos)
      rows.push_back(line);
  const std::vector<std::string> names = preset_names();
  REQUIRE(rows.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Gpu gpu = gpu_named(names[i]);
    CHECK_THAT(rows[i],
               ContainsSubstring(fmt::format("| `{}` | {} | {} × {} | {} | ", names[i], gpu.cores,
                                             gpu.schedulers, gpu.width, gpu.warp_size)));
    const std::string arrays =
        gpu.private_arrays
            ? fmt::format("| {}, {}, {} |", gpu.private_arrays->registers,
                          gpu.private_arrays->indexed_reads, gpu.private_arrays->indexed)
            : "| all |";
    CHECK_THAT(rows[i], ContainsSubstring(arrays));
    const std::string tile = !gpu.images    ? "none |"
                             : !gpu.texture ? "rows |"
                             : gpu.texture->cache
                                 ? fmt::format("`{}`, {} KB of their own |", gpu.texture->tile,
                                               gpu.texture->cache->size >> 10)
                                 : fmt::format("`{}` |", gpu.texture->tile);
    CHECK_THAT(rows[i], gputest::tests::EndsWith("| " + tile));
    if (!gpu.caches.front().shared)
      CHECK_THAT(rows[i], ContainsSubstring(
                              fmt::format("{}, {} KB, lines of {}", gpu.caches.front().name,
                                          gpu.caches.front().size >> 10, gpu.caches.front().line)));
    for (const CacheLevel& cache : gpu.caches)
      if (cache.shared)
        CHECK_THAT(rows[i],
                   ContainsSubstring(cache.size >= 1 << 20
                                         ? fmt::format("{} {} MB", cache.name, cache.size >> 20)
                                         : fmt::format("{} {} KB", cache.name, cache.size >> 10)));
    CHECK_THAT(rows[i],
               ContainsSubstring(gpu.local_memory
                                     ? fmt::format("| {} KB |", gpu.local_memory->size >> 10)
                                     : "| cached |"));
  }
}

TEST_CASE("Each number of a preset has one source, or is said to be assumed") {
  for (const std::string& name : preset_names()) {
    INFO(name);
    const Json json = Json::parse(std::ifstream(fmt::format("{}/{}.json", GPUTEST_PRESETS, name)));
    std::vector<std::string> numbers;
    const auto gather = [&](const Json& object, const std::string& prefix) {
      for (const auto& [key, value] : object.items())
        if (!value.is_structured() && key != "name" && key != "format")
          numbers.push_back(prefix + key);
    };
    gather(json, "");
    for (const Json& cache : json["caches"])
      gather(cache, cache["name"].get<std::string>() + ".");
    for (const char* part : {"local_memory", "constant_cache", "private_arrays", "texture", "dram"})
      if (json.contains(part))
        gather(json[part], std::string(part) + ".");
    std::vector<std::string> named;
    for (const auto& [keys, source] : json["sources"].items()) {
      CHECK(source.get<std::string>().size() > 10);
      std::istringstream list(keys);
      for (std::string key; std::getline(list >> std::ws, key, ',');)
        if (!key.starts_with("no ")) // what it does not have
          named.push_back(key);
    }
    std::ranges::sort(numbers);
    std::ranges::sort(named);
    CHECK(named == numbers);
  }
}

TEST_CASE("The embedded preset is table 2 of Chattopadhyay and others") {
  const Gpu gpu = gpu_named("embedded");
  CHECK(gpu.cores == 4);
  CHECK(gpu.width == 8);
  CHECK(gpu.warp_size == 32);
  CHECK(gpu.issue_cycles() == 4);
  REQUIRE(gpu.caches.size() == 1);
  CHECK(gpu.caches[0].size == 4096);
  CHECK(gpu.caches[0].ways == 2);
  CHECK(gpu.caches[0].line == 64);
  CHECK_FALSE(gpu.local_memory);
  CHECK(gpu.dram.banks == 4);
  CHECK(gpu.dram.bank_bytes == 8192);
  CHECK(gpu.dram.cycles == 100);
  CHECK(gpu.dram.busy_cycles == 100); // first in, first out
  CHECK(gpu.dram.row_bytes == 0);
}

TEST_CASE("A Mali has __local memory in its caches, and an Adreno has buffers in L2 alone") {
  const Gpu mali = gpu_named("mali-g52");
  CHECK(mali.warp_size == 8);
  CHECK(mali.warps_per_core * mali.warp_size == 768);
  CHECK_FALSE(mali.local_memory);
  REQUIRE(mali.caches.size() == 2);
  CHECK(mali.caches[0].size == 16 * 1024);
  CHECK(mali.caches[0].line == 64);
  const Gpu adreno = gpu_named("adreno-640");
  CHECK(adreno.warps_per_core * adreno.warp_size == 128 * 4 * 16);
  REQUIRE(adreno.local_memory);
  CHECK(adreno.local_memory->size == 32 * 1024);
  CHECK(adreno.caches[0].shared);
  CHECK(adreno.caches[0].size == 128 * 1024);
}

TEST_CASE("The H200 has lines of four sectors and local memory of 32 banks") {
  const Gpu gpu = gpu_named("h200");
  CHECK(gpu.cores == 132);
  CHECK(gpu.issue_cycles() == 1);
  REQUIRE(gpu.caches.size() == 2);
  CHECK(gpu.caches[0].line == 128);
  CHECK(gpu.caches[0].sector == 32);
  CHECK(gpu.caches[1].shared);
  REQUIRE(gpu.local_memory);
  CHECK(gpu.local_memory->banks == 32);
}

TEST_CASE("An RTX 4090 differs from an H200 in what its sources say") {
  const Gpu gpu = gpu_named("rtx-4090");
  CHECK(gpu.cores == 128);
  CHECK(gpu.warps_per_core * gpu.warp_size == 1536);
  CHECK(gpu.caches[1].size == 72 << 20);
  CHECK(gpu.local_memory.value().size == 100 << 10);
  CHECK(gpu.caches[0].hit_cycles + gpu.caches[1].hit_cycles == 279);
  CHECK(gpu.constant_cache.value().again_cycles ==
        gpu_named("h200").constant_cache.value().again_cycles);
}

TEST_CASE("A Radeon RX 7900 XTX runs waves of 32 or of 64, and a MI300X of 64") {
  const auto text = [](const char* name) {
    Json json = Json::parse(std::ifstream(fmt::format("{}/{}.json", GPUTEST_PRESETS, name)));
    for (const char* key : {"name", "warp_size", "sources"})
      json.erase(key);
    return json;
  };
  CHECK(text("rx-7900-xtx") == text("rx-7900-xtx-wave64"));
  CHECK(gpu_named("rx-7900-xtx").warp_size == 32);
  CHECK(gpu_named("rx-7900-xtx").issue_cycles() == 1);
  CHECK(gpu_named("rx-7900-xtx-wave64").warp_size == 64);
  CHECK(gpu_named("rx-7900-xtx-wave64").issue_cycles() == 2);
  const Gpu gpu = gpu_named("mi300x");
  CHECK(gpu.warp_size == 64);
  CHECK(gpu.issue_cycles() == 4);
  CHECK(gpu.warps_per_core * gpu.warp_size == 2048);
  REQUIRE(gpu.caches.size() == 3);
  CHECK(gpu.caches[1].size == 8 * (4 << 20));
  CHECK(gpu.constant_cache.value().uniform_only);
}
