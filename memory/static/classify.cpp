// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/static/classify.h"

#include "memory/model/cache.h"
#include "memory/model/layout.h"
#include "memory/static/contexts.h"
#include "memory/static/evaluate.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

namespace gputest::memory {
namespace {

// Lines [begin, end).
struct LineRange {
  std::uint64_t begin = 0, end = 0;
};

constexpr TouchCertainty kNothingCertain{.certainty = Certainty::NotClassified};

class Classification {
public:
  Classification(const StaticKernel& kernel, const Gpu& gpu, const LaunchTrace& trace,
                 const StaticLaunch& launch)
      : kernel_(kernel), trace_(trace), launch_(launch), layout_(trace, {}, gpu.tile()),
        cache_(gpu.caches.front()), on_chip_(gpu.local_memory.has_value()),
        constant_cache_(gpu.constant_cache),
        texture_cache_(gpu.texture && gpu.texture->cache.has_value()), sets_(cache_),
        contexts_(kernel), evaluator_(kernel, launch.arguments, contexts_.all.size()) {
    graph_.sectors = cache_.sectors() > 1;
    report_.faces_conflict.resize(trace.references.size());
    report_.unknown.resize(trace.references.size());
    report_.chosen_by_data = kernel.chosen_by_data(trace.references.size());
  }

  StaticReport run() {
    std::array<std::uint64_t, LaunchWords> words{};
    const model::Sizes& sizes = launch_.sizes;
    const std::array<std::uint64_t, 3> groups = sizes.groups();
    for (std::size_t i = 0; i < 3; ++i) {
      words[GlobalSize + i] = sizes.global[i];
      words[EnqueuedLocalSize + i] = sizes.local[i];
      words[NumGroups + i] = groups[i];
      words[GlobalOffset + i] = sizes.offset[i];
    }
    words[WorkDim] = sizes.dimensions;
    for (std::uint64_t group = 0; group < sizes.group_count(); ++group) {
      const std::array<std::uint64_t, 3> ids{group % groups[0], group / groups[0] % groups[1],
                                             group / groups[0] / groups[1]};
      for (std::size_t i = 0; i < 3; ++i) {
        words[GroupId + i] = ids[i];
        words[LocalSize + i] = std::min(sizes.local[i], sizes.global[i] - ids[i] * sizes.local[i]);
      }
      for (std::uint64_t z = 0; z < words[LocalSize + 2]; ++z)
        for (std::uint64_t y = 0; y < words[LocalSize + 1]; ++y)
          for (std::uint64_t x = 0; x < words[LocalSize]; ++x)
            look_at_item(words, {x, y, z});
    }
    look_for_conflicts();
    return std::move(report_);
  }

private:
  struct Pattern {
    std::uint32_t number = 0;
    // By reference: the item's lines that it uses again after a possible wait.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> exposed{};
  };
  struct ItemLines {
    const Pattern* pattern = nullptr;
    std::vector<std::uint64_t> lines{}; // by their number in the pattern
  };

  // -- One work-item -----------------------------------------------------------------------------

  void look_at_item(const std::array<std::uint64_t, LaunchWords>& words,
                    const std::array<std::uint64_t, 3>& local_id) {
    evaluator_.begin_item(words, local_id);
    lines_.clear();
    numbers_.clear();
    set_numbers_.clear();
    ranges_.clear();
    graph_.set.clear();
    graph_.points.assign(contexts_.all.size(), {});
    std::vector<std::uint32_t> work{0};
    graph_.points[0].reached = true;
    for (std::size_t i = 0; i < work.size(); ++i) // in the order in which they are reached
      for (const std::uint32_t next : visit(work[i]))
        if (!graph_.points[next].reached) {
          graph_.points[next].reached = true;
          work.push_back(next);
        }
    note_overlaps();
    const std::string key = pattern_key(work);
    auto known = patterns_.find(key);
    if (known == patterns_.end())
      known = patterns_.emplace(key, analysed()).first;
    report_.items.push_back(known->second.number);
    items_.push_back({.pattern = &known->second, .lines = lines_});
    footprint_.insert(lines_.begin(), lines_.end());
    for (const LineRange& range : ranges_)
      range_footprint_.insert({range.begin, range.end});
  }

  // Fills a point and returns its successors.
  std::vector<std::uint32_t> visit(std::uint32_t number) {
    const LoopContext& context = contexts_.all[number];
    const StaticBlock& block = kernel_.blocks[context.block];
    TouchGraph::Point& point = graph_.points[number];
    for (const StaticStep& step : block.steps)
      if (step.kind == StaticStep::Kind::Barrier)
        point.touches.push_back({.kind = Touch::Kind::Wait});
      else if (!is_elsewhere(trace_.references[step.reference]))
        point.touches.push_back(touch_of(step, context, number));
    for (std::size_t i = 0; i < block.successors.size(); ++i) {
      if (block.condition != kNoNumber) {
        const ValueSet condition = evaluator_.value(block.condition, context, number);
        if (condition.is_one() && (condition.first() != 0) != (i == 0))
          continue;
      }
      const std::uint32_t next = contexts_.successors[number][i];
      if (evaluator_.exists(contexts_.all[next], next) &&
          std::ranges::find(point.successors, next) == point.successors.end())
        point.successors.push_back(next);
    }
    return point.successors;
  }

  bool reads_constant(const Reference& reference) const {
    return constant_cache_ && reference.kind == Reference::Kind::Read &&
           (reference.constant ||
            (reference.object >= 0 &&
             trace_.objects[static_cast<unsigned>(reference.object)].constant));
  }

  bool reads_texture(const Reference& reference) const {
    return texture_cache_ && reference.kind == Reference::Kind::Read && reference.object >= 0 &&
           trace_.objects[static_cast<unsigned>(reference.object)].image;
  }

  // Whether it may read or write no byte: of an image's border, or a number that only a run shows.
  bool may_touch_nothing(const Reference& reference) const {
    return reference.object < 0
               ? reference.size == 0
               : trace_.objects[static_cast<unsigned>(reference.object)].image.has_value();
  }

  // Whether it does not come to the nearest cache.
  bool is_elsewhere(const Reference& reference) const {
    return is_on_chip(reference) || reference.in_registers || reads_texture(reference) ||
           (reads_constant(reference) && !constant_cache_->uniform_only);
  }

  bool is_on_chip(const Reference& reference) const {
    return on_chip_ &&
           (reference.object < 0 ? reference.local
                                 : trace_.objects[static_cast<unsigned>(reference.object)].local);
  }

  Touch::Kind kind_of(const Reference& reference) const {
    switch (reference.kind) {
    case Reference::Kind::Read:
      return Touch::Kind::Load;
    case Reference::Kind::Write:
      return cache_.write == CacheLevel::Write::Back ? Touch::Kind::Load : Touch::Kind::Write;
    case Reference::Kind::Atomic:
      break;
    }
    return cache_.shared ? Touch::Kind::Load : Touch::Kind::Drop;
  }

  Touch touch_of(const StaticStep& step, const LoopContext& context, std::uint32_t number) {
    const Reference& reference = trace_.references[step.reference];
    Touch touch{.kind = kind_of(reference), .reference = step.reference};
    if (reference.object < 0) {
      report_.unknown[step.reference] = true;
      add_range(touch, {0, ~std::uint64_t{0}}, reference.size);
      return touch;
    }
    const auto object = static_cast<std::uint32_t>(reference.object);
    if (trace_.objects[object].image) { // the texels of a filter, somewhere
      add_range(touch, {0, ~std::uint64_t{0}}, reference.size);
      touch.times = kMostTexels;
      return touch;
    }
    if (trace_.objects[object].own || reads_constant(reference)) {
      // Somewhere among the arrays of all work-items, or maybe in the cache for constants.
      add_range(touch, {0, ~std::uint64_t{0}}, reference.size);
      return touch;
    }
    const std::uint64_t begin = layout_.address({.object = object}, 0),
                        size = std::max<std::uint64_t>(trace_.objects[object].size, 1);
    const LineRange whole{begin / cache_.line, (begin + size - 1) / cache_.line + 1};
    const ValueSet offset = evaluator_.value(step.offset, context, number);
    // A place outside of the object is not a possible value.
    const auto is_inside = [&](std::uint64_t one) {
      return one < size && size - one >= reference.size;
    };
    if (reference.size == 0 || offset.is_any() || (offset.is_one() && !is_inside(offset.first()))) {
      report_.unknown[step.reference] = true;
      add_range(touch, whole, reference.size);
      return touch;
    }
    if (offset.is_one()) {
      add_lines(touch, begin + offset.first(), reference.size);
      return touch;
    }
    touch.exact = false;
    auto offsets = offset.listed(64);
    if (offsets)
      std::erase_if(*offsets, [&](std::uint64_t one) { return !is_inside(one); });
    if (!offsets || offsets->empty()) {
      report_.unknown[step.reference] = true;
      add_range(touch, range_of(offset, begin, size, reference.size, whole), reference.size);
      return touch;
    }
    for (const std::uint64_t one : *offsets) {
      Touch alone;
      add_lines(alone, begin + one, reference.size);
      touch.times = std::max(touch.times, static_cast<std::uint32_t>(alone.lines.size()));
      for (const TouchedLine& line : alone.lines) {
        const auto same = std::ranges::find(touch.lines, line.line, &TouchedLine::line);
        if (same == touch.lines.end())
          touch.lines.push_back(line);
        else
          same->sectors |= line.sectors;
      }
    }
    touch.exact = touch.lines.size() == 1 && cache_.sectors() == 1; // all values are in it
    return touch;
  }

  LineRange range_of(const ValueSet& offset, std::uint64_t begin, std::uint64_t size,
                     std::uint32_t access, const LineRange& whole) const {
    if (!offset.is_stepped())
      return whole;
    const auto distance = static_cast<std::int64_t>(offset.step());
    const auto least = static_cast<std::int64_t>(offset.first());
    const Wide other =
        static_cast<Wide>(least) + static_cast<Wide>(distance) * static_cast<Wide>(offset.steps());
    const Wide low = std::min<Wide>(least, other), high = std::max<Wide>(least, other);
    if (low < 0 || high + access > static_cast<Wide>(size))
      return whole;
    return {(begin + static_cast<std::uint64_t>(low)) / cache_.line,
            (begin + static_cast<std::uint64_t>(high) + access - 1) / cache_.line + 1};
  }

  std::uint32_t number_of(std::uint64_t line) {
    const auto [known, is_new] = numbers_.emplace(line, static_cast<std::uint32_t>(lines_.size()));
    if (is_new) {
      lines_.push_back(line);
      graph_.set.push_back(
          set_numbers_.emplace(sets_.set_of(line), static_cast<std::uint32_t>(set_numbers_.size()))
              .first->second);
    }
    return known->second;
  }

  void add_lines(Touch& touch, std::uint64_t address, std::uint32_t size) {
    const std::uint64_t end = address + size;
    for (std::uint64_t line = address / cache_.line; line * cache_.line < end; ++line) {
      const std::uint64_t from = std::max(address, line * cache_.line) - line * cache_.line,
                          to = std::min(end, (line + 1) * cache_.line) - line * cache_.line;
      std::uint32_t sectors = 0;
      for (std::uint64_t sector = from / cache_.sector; sector * cache_.sector < to; ++sector)
        sectors |= std::uint32_t{1} << sector;
      touch.lines.push_back({.line = number_of(line), .sectors = sectors});
    }
  }

  // `size` 0: any number of bytes.
  void add_range(Touch& touch, const LineRange& range, std::uint32_t size) {
    touch.exact = false;
    touch.anything = true;
    touch.times = size == 0
                      ? static_cast<std::uint32_t>(cache_.ways)
                      : static_cast<std::uint32_t>(1 + (size + cache_.line - 2) / cache_.line);
    const std::size_t number = std::min<std::size_t>(ranges_.size(), 63);
    touch.ranges = std::uint64_t{1} << number;
    if (ranges_.size() < 64)
      ranges_.push_back(range);
    else
      ranges_.back() = {std::min(ranges_.back().begin, range.begin),
                        std::max(ranges_.back().end, range.end)};
  }

  // Finds numbered lines and other ranges that overlap a range.
  void note_overlaps() {
    if (ranges_.empty())
      return;
    const std::uint32_t every =
        static_cast<std::uint32_t>((std::uint64_t{1} << cache_.sectors()) - 1);
    for (TouchGraph::Point& point : graph_.points)
      for (Touch& touch : point.touches) {
        if (!touch.anything)
          continue;
        const LineRange& range = ranges_[static_cast<unsigned>(std::countr_zero(touch.ranges))];
        for (std::uint32_t line = 0; line < lines_.size(); ++line)
          if (lines_[line] >= range.begin && lines_[line] < range.end)
            touch.lines.push_back({.line = line, .sectors = every});
        for (std::size_t i = 0; i < ranges_.size(); ++i)
          if (ranges_[i].begin < range.end && range.begin < ranges_[i].end)
            touch.overlaps |= std::uint64_t{1} << i;
      }
  }

  // -- Patterns ----------------------------------------------------------------------------------

  std::string pattern_key(const std::vector<std::uint32_t>& points) const {
    std::string key;
    const auto put = [&key](std::uint64_t number) {
      for (; number >= 128; number >>= 7)
        key += static_cast<char>(number | 128);
      key += static_cast<char>(number);
    };
    put(graph_.set.size());
    for (const std::uint32_t set : graph_.set)
      put(set);
    for (const std::uint32_t number : points) {
      const TouchGraph::Point& point = graph_.points[number];
      put(number);
      put(point.successors.size());
      for (const std::uint32_t next : point.successors)
        put(next);
      for (const Touch& touch : point.touches) {
        put((touch.exact ? 1U : 0U) | (touch.anything ? 2U : 0U) | touch.times << 2);
        put(touch.ranges);
        put(touch.overlaps);
        put(touch.lines.size());
        for (const TouchedLine& line : touch.lines) {
          put(line.line);
          put(line.sectors);
        }
      }
    }
    return key;
  }

  Pattern analysed() {
    const TouchResult found = analyse_touches(graph_, cache_.ways);
    std::vector<TouchCertainty> certainty(trace_.references.size());
    Pattern pattern{.number = static_cast<std::uint32_t>(report_.patterns.size())};
    for (std::uint32_t point = 0; point < graph_.points.size(); ++point) {
      const std::vector<Touch>& touches = graph_.points[point].touches;
      for (std::size_t i = 0; i < found.certainty[point].size(); ++i) {
        if (touches[i].kind == Touch::Kind::Wait)
          continue;
        TouchCertainty& all = certainty[touches[i].reference];
        const TouchCertainty& one = found.certainty[point][i];
        const bool maybe_nothing = one.certainty != Certainty::NotRun &&
                                   may_touch_nothing(trace_.references[touches[i].reference]);
        all = together(all, maybe_nothing ? kNothingCertain : one);
        for (const TouchedLine& line : touches[i].lines)
          if (found.exposed[line.line])
            pattern.exposed.emplace_back(touches[i].reference, line.line);
      }
    }
    std::vector<Certainty>& known = report_.patterns.emplace_back();
    for (const TouchCertainty& one : certainty)
      known.push_back(one.certainty);
    std::ranges::sort(pattern.exposed);
    pattern.exposed.erase(std::ranges::unique(pattern.exposed).begin(), pattern.exposed.end());
    return pattern;
  }

  // Returns what is certain of executions of both kinds.
  static TouchCertainty together(const TouchCertainty& one, const TouchCertainty& other) {
    if (one.certainty == Certainty::NotRun)
      return other;
    const bool persists = one.persists && other.persists;
    return {.certainty = one.certainty == other.certainty ? one.certainty
                         : persists                       ? Certainty::Persistent
                                                          : Certainty::NotClassified,
            .persists = persists};
  }

  // -- Work-items among each other ---------------------------------------------------------------

  void look_for_conflicts() {
    std::unordered_map<std::uint64_t, std::uint64_t> lines_of_set;
    for (const std::uint64_t line : footprint_)
      ++lines_of_set[sets_.set_of(line)];
    bool any_set = false; // a range that fills all of them
    for (const auto& [begin, end] : range_footprint_)
      any_set = any_set || end - begin > cache_.sets() * cache_.ways;
    std::unordered_set<std::uint64_t> ranged;
    if (!any_set)
      for (const auto& [begin, end] : range_footprint_)
        for (std::uint64_t line = begin; line < end; ++line)
          if (!footprint_.contains(line) && ranged.insert(line).second)
            ++lines_of_set[sets_.set_of(line)];
    for (const ItemLines& item : items_)
      for (const auto& [reference, line] : item.pattern->exposed)
        if (any_set || lines_of_set[sets_.set_of(item.lines[line])] > cache_.ways)
          report_.faces_conflict[reference] = true;
  }

  struct PairHash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& one) const {
      return static_cast<std::size_t>(spread(one.first) ^ one.second);
    }
  };

  const StaticKernel& kernel_;
  const LaunchTrace& trace_;
  const StaticLaunch& launch_;
  const Layout layout_;
  const CacheLevel& cache_;
  const bool on_chip_;
  const std::optional<ConstantCache> constant_cache_;
  const bool texture_cache_;
  const Cache sets_;
  const Contexts contexts_;
  Evaluator evaluator_;
  StaticReport report_;

  // The lines that the work-item touches.
  TouchGraph graph_;
  std::vector<std::uint64_t> lines_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_, set_numbers_;
  std::vector<LineRange> ranges_;

  std::unordered_map<std::string, Pattern> patterns_;
  std::vector<ItemLines> items_;
  std::unordered_set<std::uint64_t> footprint_;
  std::unordered_set<std::pair<std::uint64_t, std::uint64_t>, PairHash> range_footprint_;
};

} // namespace

StaticReport classify(const StaticKernel& kernel, const Gpu& gpu, const LaunchTrace& trace,
                      const StaticLaunch& launch) {
  return Classification(kernel, gpu, trace, launch).run();
}

Certainty StaticReport::of_all(std::uint32_t reference) const {
  Certainty all = Certainty::NotRun;
  for (const std::vector<Certainty>& pattern : patterns)
    if (pattern[reference] != Certainty::NotRun)
      all = all == Certainty::NotRun || all == pattern[reference] ? pattern[reference]
                                                                  : Certainty::NotClassified;
  return all;
}

} // namespace gputest::memory
