// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/junctions.h"

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <utility>

namespace gputest::simulator {
namespace {

// In instructions. Smaller segments compile fast, and run fastest without junctions.
constexpr std::size_t kLittle = 10'000, kLeastSaved = 400;
constexpr std::size_t kMostJunctions = 100;

// Computes what each begin reaches, and dominators.
class Reach {
public:
  Reach(llvm::Function& function, const std::vector<llvm::BasicBlock*>& begins,
        const std::vector<llvm::BasicBlock*>& ends)
      : blocks_(1) {
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers;
    for (llvm::BasicBlock& block : function) {
      numbers[&block] = static_cast<unsigned>(blocks_.size());
      blocks_.emplace_back();
      blocks_.back().block = &block;
      blocks_.back().size = block.size();
    }
    for (Block& block : blocks_)
      if (block.block && std::ranges::find(ends, block.block) == ends.end())
        for (const llvm::BasicBlock* next : llvm::successors(block.block))
          block.next.push_back(numbers[next]);
    for (const llvm::BasicBlock* begin : begins)
      blocks_[numbers[begin]].begins = true;
    for (llvm::BasicBlock* begin : begins)
      begins_.push_back(numbers[begin]);
    given_ = begins_.size();
  }

  void find() {
    for (Block& block : blocks_) {
      block.before.clear();
      block.dominator = block.place = 0;
      block.from.clear();
    }
    blocks_[0].next = begins_;
    order();
    for (const unsigned number : backwards_)
      for (const unsigned next : blocks_[number].next)
        if (number == 0 || !blocks_[next].begins)
          blocks_[next].before.push_back(number);
    find_dominators();
    for (unsigned i = 0; i < begins_.size(); ++i)
      spread(i);
  }

  // Counts instructions of all segments, and of all blocks.
  std::size_t copied() const {
    std::size_t sum = 0;
    for (const Block& block : blocks_)
      sum += block.size * block.from.count();
    return sum;
  }
  std::size_t size() const {
    std::size_t sum = 0;
    for (const Block& block : blocks_)
      sum += block.size;
    return sum;
  }

  // Makes the most worthwhile block another begin; false: no block is worth it.
  bool add_best() {
    std::vector<std::size_t> below(blocks_.size()); // what is reached only through it
    for (const unsigned number : backwards_) {
      below[number] += blocks_[number].size;
      below[blocks_[number].dominator] += number == 0 ? 0 : below[number];
    }
    unsigned best = 0;
    std::size_t most = 0;
    for (const unsigned number : backwards_) {
      const Block& block = blocks_[number];
      if (number == 0 || block.dominator != 0 || block.begins)
        continue;
      const std::size_t saved = (block.from.count() - 1) * below[number];
      if (saved > most) {
        most = saved;
        best = number;
      }
    }
    if (most < kLeastSaved)
      return false;
    blocks_[best].begins = true;
    begins_.push_back(best);
    return true;
  }

  // The added begins.
  std::vector<Junction> junctions() const {
    std::vector<Junction> junctions;
    for (std::size_t i = given_; i < begins_.size(); ++i) {
      Junction junction;
      junction.block = blocks_[begins_[i]].block;
      for (unsigned number = 1; number < blocks_.size(); ++number)
        if (std::ranges::find(blocks_[number].next, begins_[i]) != blocks_[number].next.end() &&
            !is_below(number, begins_[i]))
          junction.from.push_back(blocks_[number].block);
      junctions.push_back(std::move(junction));
    }
    return junctions;
  }

private:
  struct Block { // the first one is a root that leads to all begins
    llvm::BasicBlock* block = nullptr;
    std::size_t size = 0;
    bool begins = false;
    std::vector<unsigned> next, before;
    unsigned dominator = 0, place = 0; // place: in postorder, from 1; 0: never reached
    llvm::BitVector from;              // which beginnings reach it
  };

  // Blocks in postorder.
  void order() {
    backwards_.clear();
    std::vector<std::pair<unsigned, std::size_t>> open{{0, 0}};
    std::vector<bool> seen(blocks_.size());
    seen[0] = true;
    while (!open.empty()) {
      const auto [number, index] = open.back();
      const std::vector<unsigned>& next = blocks_[number].next;
      if (index == next.size()) {
        backwards_.push_back(number);
        blocks_[number].place = static_cast<unsigned>(backwards_.size());
        open.pop_back();
        continue;
      }
      ++open.back().second;
      if (!seen[next[index]]) {
        seen[next[index]] = true;
        open.emplace_back(next[index], 0);
      }
    }
  }

  // Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
  void find_dominators() {
    std::vector<bool> known(blocks_.size());
    known[0] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto number = backwards_.rbegin(); number != backwards_.rend(); ++number) {
        Block& block = blocks_[*number];
        unsigned dominator = 0;
        bool first = true;
        for (const unsigned before : block.before)
          if (known[before]) {
            dominator = first ? before : common(dominator, before);
            first = false;
          }
        if (*number == 0 || (known[*number] && block.dominator == dominator))
          continue;
        block.dominator = dominator;
        known[*number] = changed = true;
      }
    }
  }

  unsigned common(unsigned a, unsigned b) const {
    while (a != b)
      if (blocks_[a].place < blocks_[b].place)
        a = blocks_[a].dominator;
      else
        b = blocks_[b].dominator;
    return a;
  }

  bool is_below(unsigned number, unsigned above) const {
    while (number != 0 && number != above)
      number = blocks_[number].dominator;
    return number == above;
  }

  void spread(unsigned index) {
    std::vector<unsigned> open{begins_[index]};
    while (!open.empty()) {
      Block& block = blocks_[open.back()];
      open.pop_back();
      block.from.resize(static_cast<unsigned>(begins_.size()));
      if (block.from.test(index))
        continue;
      block.from.set(index);
      for (const unsigned next : block.next)
        if (!blocks_[next].begins)
          open.push_back(next);
    }
  }

  std::vector<Block> blocks_;
  std::vector<unsigned> begins_, backwards_;
  std::size_t given_ = 0;
};

} // namespace

std::vector<Junction> find_junctions(llvm::Function& function,
                                     const std::vector<llvm::BasicBlock*>& begins,
                                     const std::vector<llvm::BasicBlock*>& ends) {
  for (const llvm::BasicBlock& block : function)
    if (llvm::isa<llvm::IndirectBrInst>(block.getTerminator()))
      return {}; // a block cannot be split here
  Reach reach(function, begins, ends);
  reach.find();
  const std::size_t enough = std::max(kLittle, 2 * reach.size());
  for (std::size_t i = 0; i < kMostJunctions && reach.copied() > enough && reach.add_best(); ++i)
    reach.find();
  return reach.junctions();
}

} // namespace gputest::simulator
