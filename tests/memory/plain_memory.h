// What the warps of a PlainKernel do to memory, counted a second time and in the simplest way: maps
// of bytes and words, and caches that are lists of lines. Groups run one after the other, and each
// warp of a group to its end.
#pragma once

#include "memory/model/gpu.h"
#include "memory/model/trace.h"
#include "tests/memory/plain_kernel.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace gputest::memory::tests {

struct PlainCount {
  std::uint64_t executions = 0, work_items = 0, transactions = 0, fewest = 0;
  std::uint64_t hits = 0, misses = 0; // in the nearest cache

  auto operator<=>(const PlainCount&) const = default;
};

struct PlainCounts {
  std::map<std::pair<unsigned, Reference::Kind>, PlainCount> references; // by line
  std::vector<std::pair<std::uint64_t, std::uint64_t>> caches;           // hits and misses
  std::uint64_t dram = 0;
};

// The caches of one core, and DRAM.
class PlainCaches {
public:
  using Sectors = std::map<std::uint64_t, bool>; // by number: are all of its bytes written?

  PlainCaches(const Gpu& gpu, PlainCounts& counts)
      : gpu_(gpu), counts_(counts), levels_(gpu.caches.size()) {
    counts.caches.resize(gpu.caches.size());
  }

  // Returns hits and misses.
  std::pair<unsigned, unsigned> read(std::size_t level, const Sectors& sectors) {
    if (level == levels_.size()) {
      counts_.dram += sectors.size();
      return {};
    }
    std::pair<unsigned, unsigned> found;
    for (const auto& [line, parts] : by_line(level, sectors)) {
      Line& kept = line_of(level, line);
      Sectors missing;
      for (const auto& [sector, ignored] : parts)
        if (!kept.valid.contains(sector))
          missing[sector] = false;
      load(level, kept, missing);
      found.first += static_cast<unsigned>(parts.size() - missing.size());
      found.second += static_cast<unsigned>(missing.size());
    }
    add(level, found);
    return found;
  }

  std::pair<unsigned, unsigned> write(std::size_t level, const Sectors& sectors) {
    if (level == levels_.size()) {
      counts_.dram += sectors.size();
      return {};
    }
    using Write = CacheLevel::Write;
    const Write kind = gpu_.caches[level].write;
    std::pair<unsigned, unsigned> found;
    for (const auto& [line, parts] : by_line(level, sectors)) {
      const bool takes = kind != Write::Through;
      Line none, *const there = find(level, line);
      Line& kept = there ? *there : takes ? line_of(level, line) : none;
      Sectors missing;
      for (const auto& [sector, whole] : parts) {
        const bool hit =
            kept.valid.contains(sector) || (kind == Write::Validate && kept.dirty.contains(sector));
        ++(hit ? found.first : found.second);
        if (takes && whole)
          kept.valid.insert(sector);
        else if (takes && !hit && kind == Write::Back)
          missing[sector] = false;
        if (takes)
          kept.dirty.insert(sector);
      }
      load(level, kept, missing);
      if (!takes)
        write(level + 1, of_next(level, parts));
    }
    add(level, found);
    return found;
  }

  // In the first cache that all cores share; nearer ones lose the line.
  std::pair<unsigned, unsigned> update(const Sectors& sectors) {
    Sectors here;
    for (const auto& [sector, ignored] : sectors)
      here[sector] = false;
    const std::pair<unsigned, unsigned> none{0, sectors.size()};
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      if (gpu_.caches[level].shared) {
        const auto found = read(level, here);
        for (const auto& [line, parts] : by_line(level, here))
          for (const auto& [sector, ignored] : parts)
            find(level, line)->dirty.insert(sector);
        return level == 0 ? found : none;
      }
      for (const auto& [line, ignored] : by_line(level, here))
        drop(level, line);
      here = of_next(level, here);
    }
    counts_.dram += here.size();
    return none;
  }

private:
  struct Line {
    std::uint64_t number = 0;
    std::set<std::uint64_t> valid{}, dirty{};
  };

  std::map<std::uint64_t, Sectors> by_line(std::size_t level, const Sectors& sectors) const {
    std::map<std::uint64_t, Sectors> lines;
    for (const auto& [sector, whole] : sectors)
      lines[sector * gpu_.caches[level].sector / gpu_.caches[level].line][sector] = whole;
    return lines;
  }

  // A larger sector is written whole if all of its parts are.
  Sectors of_next(std::size_t level, const Sectors& sectors) const {
    if (level + 1 == levels_.size())
      return sectors;
    const std::size_t parts = gpu_.caches[level + 1].sector / gpu_.caches[level].sector;
    std::map<std::uint64_t, std::size_t> whole;
    for (const auto& [sector, written] : sectors)
      whole[sector / parts] += written;
    Sectors next;
    for (const auto& [sector, count] : whole)
      next[sector] = count == parts;
    return next;
  }

  std::list<Line>& set_of(std::size_t level, std::uint64_t line) {
    const CacheLevel& cache = gpu_.caches[level];
    return levels_[level]
                  [(cache.hashed ? spread(line) : line) % (cache.size / cache.line / cache.ways)];
  }

  Line* find(std::size_t level, std::uint64_t number) {
    std::list<Line>& set = set_of(level, number);
    const auto found = std::ranges::find(set, number, &Line::number);
    if (found == set.end())
      return nullptr;
    set.splice(set.begin(), set, found);
    return &set.front();
  }

  Line& line_of(std::size_t level, std::uint64_t number) {
    if (Line* const found = find(level, number))
      return *found;
    std::list<Line>& set = set_of(level, number);
    if (set.size() == gpu_.caches[level].ways) {
      give_up(level, set.back());
      set.pop_back();
    }
    set.push_front({.number = number});
    return set.front();
  }

  void drop(std::size_t level, std::uint64_t number) {
    if (Line* const found = find(level, number)) {
      give_up(level, *found);
      set_of(level, number).pop_front();
    }
  }

  void give_up(std::size_t level, const Line& line) {
    Sectors written;
    for (const std::uint64_t sector : line.dirty)
      written[sector] = line.valid.contains(sector);
    if (!written.empty())
      write(level + 1, of_next(level, written));
  }

  void load(std::size_t level, Line& line, const Sectors& missing) {
    if (!missing.empty())
      read(level + 1, of_next(level, missing));
    for (const auto& [sector, ignored] : missing)
      line.valid.insert(sector);
  }

  void add(std::size_t level, std::pair<unsigned, unsigned> found) {
    counts_.caches[level].first += found.first;
    counts_.caches[level].second += found.second;
  }

  const Gpu& gpu_;
  PlainCounts& counts_;
  std::vector<std::map<std::uint64_t, std::list<Line>>> levels_; // by set, the last used in front
};

class PlainMemory {
public:
  PlainMemory(const PlainKernel& kernel, const Gpu& gpu) : gpu_(gpu), caches_(gpu, counts_) {
    statements_ = &kernel.statements();
  }

  PlainCounts run(std::uint32_t groups, std::uint32_t size) {
    for (std::uint32_t group = 0; group < groups; ++group)
      for (std::uint32_t first = 0; first < size; first += static_cast<unsigned>(gpu_.warp_size)) {
        std::vector<Lane> lanes;
        for (std::uint32_t lane = 0; lane < gpu_.warp_size && first + lane < size; ++lane)
          lanes.push_back({lane, {.group = group, .local = first + lane, .size = size}});
        run(*statements_, lanes);
      }
    return counts_;
  }

private:
  using Kind = PlainStatement::Kind;
  using Lane = std::pair<std::uint32_t, PlainItem>;

  void run(const std::vector<PlainStatement>& all, std::vector<Lane> lanes) {
    if (lanes.empty())
      return;
    for (const PlainStatement& one : all) {
      const auto holds = [&](const Lane& lane) { return one.number.of(lane.second) != 0; };
      if (one.kind == Kind::If) {
        std::vector<Lane> yes, no;
        for (const Lane& lane : lanes)
          (holds(lane) ? yes : no).push_back(lane);
        run(one.otherwise, no); // the order of the model
        run(one.body, yes);
      } else if (one.kind == Kind::Loop) {
        for (std::uint32_t i = 0;; ++i) {
          std::vector<Lane> left;
          for (Lane lane : lanes)
            if (i < one.number.of(lane.second)) {
              lane.second.counters[one.counter] = i;
              left.push_back(lane);
            }
          if (left.empty())
            break;
          run(one.body, left);
        }
      } else if (one.kind != Kind::Barrier) {
        if (one.kind == Kind::Read || one.kind == Kind::Change)
          access(one, Reference::Kind::Read, lanes);
        if (one.kind == Kind::Write || one.kind == Kind::Change)
          access(one, Reference::Kind::Write, lanes);
        if (one.kind == Kind::Update)
          access(one, Reference::Kind::Atomic, lanes);
      }
    }
  }

  void access(const PlainStatement& one, Reference::Kind kind, const std::vector<Lane>& lanes) {
    PlainCount& count = counts_.references[{one.line, kind}];
    ++count.executions;
    count.work_items += lanes.size();
    std::map<std::uint32_t, std::uint64_t> begins; // by lane: the first byte
    for (const auto& [lane, item] : lanes)
      begins[lane] = std::uint64_t{one.object} * PlainKernel::kBytes +
                     std::uint64_t{one.number.of(item)} * one.size;
    if (one.object == 3 && gpu_.local_memory)
      access_banks(one.size, kind, begins, count);
    else
      access_caches(one.size, kind, begins, count);
  }

  void access_banks(std::uint32_t size, Reference::Kind kind,
                    const std::map<std::uint32_t, std::uint64_t>& begins, PlainCount& count) {
    const LocalMemory& memory = *gpu_.local_memory;
    const std::size_t together = std::max<std::size_t>(memory.banks * memory.bank_bytes / size, 1);
    std::map<std::size_t, std::map<std::uint64_t, unsigned>> parts; // words, with their work-items
    for (const auto& [lane, begin] : begins) {
      std::set<std::uint64_t> words;
      for (std::uint64_t byte = begin; byte < begin + size; ++byte)
        words.insert(byte / memory.bank_bytes);
      for (const std::uint64_t word : words)
        ++parts[lane / together][word];
    }
    for (const auto& [ignored, words] : parts) {
      std::map<std::uint64_t, unsigned> passes; // by bank
      for (const auto& [word, items] : words)
        passes[word % memory.banks] += kind == Reference::Kind::Atomic ? items : 1;
      count.transactions += std::ranges::max_element(passes, {}, [](const auto& bank) {
                              return bank.second;
                            })->second;
      count.fewest += (words.size() + memory.banks - 1) / memory.banks;
    }
  }

  void access_caches(std::uint32_t size, Reference::Kind kind,
                     const std::map<std::uint32_t, std::uint64_t>& begins, PlainCount& count) {
    std::set<std::uint64_t> bytes;
    for (const auto& [lane, begin] : begins)
      for (std::uint64_t byte = begin; byte < begin + size; ++byte)
        bytes.insert(byte);
    const std::size_t sector = gpu_.caches.front().sector;
    std::map<std::uint64_t, std::size_t> touched;
    for (const std::uint64_t byte : bytes)
      ++touched[byte / sector];
    count.transactions += touched.size();
    count.fewest += (bytes.size() + sector - 1) / sector;
    // Line by line, as an access enters the cache.
    std::map<std::uint64_t, PlainCaches::Sectors> lines;
    for (const auto& [number, written] : touched)
      lines[number * sector / gpu_.caches.front().line][number] = written == sector;
    for (const auto& [ignored, sectors] : lines) {
      const auto [hits, misses] = kind == Reference::Kind::Read    ? caches_.read(0, sectors)
                                  : kind == Reference::Kind::Write ? caches_.write(0, sectors)
                                                                   : caches_.update(sectors);
      count.hits += hits;
      count.misses += misses;
    }
  }

  const Gpu& gpu_;
  PlainCounts counts_;
  PlainCaches caches_;
  const std::vector<PlainStatement>* statements_ = nullptr;
};

} // namespace gputest::memory::tests
