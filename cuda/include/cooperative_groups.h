// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): blocks, tiles of a warp,
// coalesced threads, clusters, grids.
#ifndef GPUTEST_CUDA_COOPERATIVE_GROUPS_H
#define GPUTEST_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef __CUDA__

#include "gputest_cuda/copies.h"

#include <type_traits>

// gputest_grid_sync() makes all blocks of the grid wait for each other. gputest_is_cooperative()
// returns whether the launch allows it.
extern "C" __device__ unsigned long long gputest_grid_sync() __attribute__((convergent, nothrow));
extern "C" __device__ unsigned gputest_is_cooperative();
// Functions for clusters: all blocks of the cluster wait for each other; the number of blocks in a
// dimension; the address of a shared variable in another block.
extern "C" __device__ unsigned long long gputest_cluster_sync()
    __attribute__((convergent, nothrow));
extern "C" __device__ unsigned gputest_cluster_size(unsigned dimension);
extern "C" __device__ void* gputest_shared_of(const void* pointer, unsigned long long block);

// The names are in `__v1`, as CUDA's are: libcu++ declares some of them there.
namespace cooperative_groups {
namespace __v1 {

namespace details {
#define GPUTEST_CG static __device__ __forceinline__
GPUTEST_CG unsigned thread_of_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
GPUTEST_CG unsigned threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
GPUTEST_CG unsigned lane() {
  return __gputest_lane_id();
}
using lanes = unsigned long long; // a mask of a warp
// The `size` lanes from `first` on.
GPUTEST_CG lanes lanes_from(unsigned first, unsigned size) {
  return (size >= 64 ? ~0ull : (1ull << size) - 1) << first;
}
template <unsigned kind> GPUTEST_CG lanes vote(lanes mask, unsigned long long value) {
  return gputest_warp(kind, mask, value, 0);
}
template <typename T> GPUTEST_CG unsigned long long bits_of(T value) {
  static_assert(sizeof(T) <= 8, "values of at most 8 bytes are matched");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

// Shuffles values of any size, 4 bytes at a time.
template <unsigned kind, typename T>
GPUTEST_CG T shuffle(lanes mask, T value, int by, int width) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned parts[words] = {};
  __builtin_memcpy(parts, &value, sizeof(T));
  for (int i = 0; i < words; ++i)
    parts[i] = __gputest_shuffle<kind>(mask, parts[i], by, width);
  T result;
  __builtin_memcpy(&result, parts, sizeof(T));
  return result;
}
#undef GPUTEST_CG
#define GPUTEST_CG __device__ __forceinline__
} // namespace details

// A group of any kind, whose kind is known only at run time.
class thread_group {
public:
  GPUTEST_CG thread_group(bool block, details::lanes mask, unsigned size, unsigned rank)
      : block_(block), mask_(mask), size_(size), rank_(rank) {}
  GPUTEST_CG void sync() const {
    if (block_)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  GPUTEST_CG unsigned long long size() const { return size_; }
  GPUTEST_CG unsigned long long num_threads() const { return size_; }
  GPUTEST_CG unsigned long long thread_rank() const { return rank_; }
  GPUTEST_CG bool is_valid() const { return true; }
  GPUTEST_CG bool is_block() const { return block_; }

private:
  bool block_;
  details::lanes mask_;
  unsigned size_, rank_;
};

class thread_block {
public:
  static GPUTEST_CG void sync() { __syncthreads(); }
  static GPUTEST_CG unsigned thread_rank() { return details::thread_of_block(); }
  static GPUTEST_CG unsigned size() { return details::threads_of_block(); }
  static GPUTEST_CG unsigned num_threads() { return details::threads_of_block(); }
  static GPUTEST_CG dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static GPUTEST_CG dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static GPUTEST_CG dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static GPUTEST_CG dim3 dim_threads() { return group_dim(); }
  GPUTEST_CG operator thread_group() const { return {true, 0, size(), thread_rank()}; }
  struct arrival_token {};
  GPUTEST_CG arrival_token barrier_arrive() const { return {}; }
  GPUTEST_CG void barrier_wait(arrival_token&&) const { __syncthreads(); }
};
static GPUTEST_CG thread_block this_thread_block() {
  return {};
}

class grid_group {
public:
  GPUTEST_CG void sync() const { gputest_grid_sync(); }
  struct arrival_token {};
  GPUTEST_CG arrival_token barrier_arrive() const { return {}; }
  GPUTEST_CG void barrier_wait(arrival_token&&) const { sync(); }
  GPUTEST_CG bool is_valid() const { return gputest_is_cooperative(); }
  GPUTEST_CG unsigned long long block_rank() const {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  GPUTEST_CG unsigned long long num_blocks() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  GPUTEST_CG unsigned long long thread_rank() const {
    return block_rank() * details::threads_of_block() + details::thread_of_block();
  }
  GPUTEST_CG unsigned long long size() const { return num_blocks() * details::threads_of_block(); }
  GPUTEST_CG unsigned long long num_threads() const { return size(); }
  GPUTEST_CG dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  GPUTEST_CG dim3 dim_blocks() const { return group_dim(); }
  GPUTEST_CG dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  GPUTEST_CG dim3 dim_threads() const {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  GPUTEST_CG dim3 thread_index() const {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
};
static GPUTEST_CG grid_group this_grid() {
  return {};
}

class cluster_group {
public:
  struct arrival_token {};
  static GPUTEST_CG void sync() { gputest_cluster_sync(); }
  static GPUTEST_CG arrival_token barrier_arrive() { return {}; }
  static GPUTEST_CG void barrier_wait() { sync(); }
  static GPUTEST_CG void barrier_wait(arrival_token&&) { sync(); }
  static GPUTEST_CG dim3 dim_blocks() {
    return dim3(gputest_cluster_size(0), gputest_cluster_size(1), gputest_cluster_size(2));
  }
  static GPUTEST_CG dim3 block_index() {
    const dim3 blocks = dim_blocks();
    return dim3(blockIdx.x % blocks.x, blockIdx.y % blocks.y, blockIdx.z % blocks.z);
  }
  static GPUTEST_CG unsigned num_blocks() {
    const dim3 blocks = dim_blocks();
    return blocks.x * blocks.y * blocks.z;
  }
  static GPUTEST_CG unsigned block_rank() {
    const dim3 at = block_index(), blocks = dim_blocks();
    return at.x + blocks.x * (at.y + blocks.y * at.z);
  }
  static GPUTEST_CG dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static GPUTEST_CG dim3 thread_index() {
    const dim3 at = block_index();
    return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y,
                at.z * blockDim.z + threadIdx.z);
  }
  static GPUTEST_CG unsigned num_threads() { return num_blocks() * details::threads_of_block(); }
  static GPUTEST_CG unsigned size() { return num_threads(); }
  static GPUTEST_CG unsigned thread_rank() {
    return block_rank() * details::threads_of_block() + details::thread_of_block();
  }
  // Returns the address of the variable in the shared memory of another block of the cluster.
  template <typename T> static GPUTEST_CG T* map_shared_rank(T* variable, int rank) {
    const dim3 at = block_index(), blocks = dim_blocks();
    const unsigned of_rank = (unsigned)rank;
    const unsigned long long x = blockIdx.x - at.x + of_rank % blocks.x,
                             y = blockIdx.y - at.y + of_rank / blocks.x % blocks.y,
                             z = blockIdx.z - at.z + of_rank / blocks.x / blocks.y;
    return (T*)gputest_shared_of((const void*)variable, x + gridDim.x * (y + gridDim.y * z));
  }
};
static GPUTEST_CG cluster_group this_cluster() {
  return {};
}

// Memory for tiles of several warps. Some GPUs need it, the simulator does not.
template <unsigned Bytes = 8, unsigned Threads = 1024> struct block_tile_memory {
  unsigned char unused;
};
template <unsigned Bytes, unsigned Threads>
static GPUTEST_CG thread_block this_thread_block(block_tile_memory<Bytes, Threads>&) {
  return {};
}

namespace details {
template <unsigned Size, bool of_warps = (Size > 32)> class tile {
  static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");

public:
  explicit GPUTEST_CG tile(unsigned parent) : parent_(parent) {}
  GPUTEST_CG unsigned parent() const { return parent_; }
  GPUTEST_CG lanes mask() const {
    return lanes_from(lane() / Size * Size, Size);
  }
  GPUTEST_CG void sync() const { __syncwarp(mask()); }
  GPUTEST_CG unsigned thread_rank() const { return lane() % Size; }
  static constexpr GPUTEST_CG unsigned size() { return Size; }
  static constexpr GPUTEST_CG unsigned num_threads() { return Size; }
  GPUTEST_CG unsigned meta_group_rank() const {
    const unsigned thread = thread_of_block();
    return (parent_ ? thread % parent_ : thread) / Size;
  }
  GPUTEST_CG unsigned meta_group_size() const {
    return ((parent_ ? parent_ : threads_of_block()) + Size - 1) / Size;
  }
  template <typename T> GPUTEST_CG T shfl(T value, int source) const {
    return shuffle<GPUTEST_WARP_SHUFFLE>(mask(), value, source, Size);
  }
  template <typename T> GPUTEST_CG T shfl_up(T value, unsigned delta) const {
    return shuffle<GPUTEST_WARP_SHUFFLE_UP>(mask(), value, __gputest_steps(delta), Size);
  }
  template <typename T> GPUTEST_CG T shfl_down(T value, unsigned delta) const {
    return shuffle<GPUTEST_WARP_SHUFFLE_DOWN>(mask(), value, __gputest_steps(delta), Size);
  }
  template <typename T> GPUTEST_CG T shfl_xor(T value, unsigned lanes) const {
    return shuffle<GPUTEST_WARP_SHUFFLE_XOR>(mask(), value, __gputest_steps(lanes), Size);
  }
  GPUTEST_CG int any(int predicate) const { return __any_sync(mask(), predicate); }
  GPUTEST_CG int all(int predicate) const { return __all_sync(mask(), predicate); }
  GPUTEST_CG unsigned ballot(int predicate) const {
    return (unsigned)(vote<GPUTEST_WARP_BALLOT>(mask(), predicate != 0) >> first());
  }
  template <typename T> GPUTEST_CG unsigned match_any(T value) const {
    return (unsigned)(vote<GPUTEST_WARP_MATCH_ANY>(mask(), bits_of(value)) >> first());
  }
  template <typename T> GPUTEST_CG unsigned match_all(T value, int& predicate) const {
    const lanes all = vote<GPUTEST_WARP_MATCH_ALL>(mask(), bits_of(value));
    predicate = all != 0;
    return (unsigned)(all >> first());
  }
  GPUTEST_CG operator thread_group() const { return {false, mask(), Size, thread_rank()}; }

private:
  static GPUTEST_CG unsigned first() { return lane() / Size * Size; }
  unsigned parent_;
};

// A tile of several warps, or of a warp of 64 threads. Where it has several, its threads wait for
// the whole block, so all tiles of a block must do the same.
template <unsigned Size> class tile<Size, true> {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");

public:
  explicit GPUTEST_CG tile(unsigned parent) : parent_(parent) {}
  GPUTEST_CG unsigned parent() const { return parent_; }
  GPUTEST_CG void sync() const { wait(); }
  GPUTEST_CG unsigned thread_rank() const { return thread_of_block() % Size; }
  static constexpr GPUTEST_CG unsigned size() { return Size; }
  static constexpr GPUTEST_CG unsigned num_threads() { return Size; }
  GPUTEST_CG unsigned meta_group_rank() const {
    const unsigned thread = thread_of_block();
    return (parent_ ? thread % parent_ : thread) / Size;
  }
  GPUTEST_CG unsigned meta_group_size() const {
    return ((parent_ ? parent_ : threads_of_block()) + Size - 1) / Size;
  }
  template <typename T> GPUTEST_CG T shfl(T value, int source) const {
    const unsigned first = thread_of_block() / Size * Size;
    return exchange(value, first + (unsigned)source % Size);
  }
  template <typename T> GPUTEST_CG T shfl_up(T value, int delta) const {
    const unsigned back = thread_rank() >= (unsigned)delta ? (unsigned)delta : 0;
    return exchange(value, thread_of_block() - back);
  }
  template <typename T> GPUTEST_CG T shfl_down(T value, int delta) const {
    const unsigned ahead = thread_rank() + (unsigned)delta < Size ? (unsigned)delta : 0;
    return exchange(value, thread_of_block() + ahead);
  }
  template <typename T> GPUTEST_CG T shfl_xor(T value, int lanes) const {
    return exchange(value, thread_of_block() ^ (unsigned)lanes);
  }
  GPUTEST_CG int any(int predicate) const {
    int found = 0;
    for (unsigned i = 0; i < Size; ++i)
      found |= shfl(predicate != 0, (int)i);
    return found;
  }
  GPUTEST_CG int all(int predicate) const { return !any(!predicate); }

private:
  static GPUTEST_CG void wait() {
    if (Size <= gputest_warp_size())
      __syncwarp();
    else
      __syncthreads();
  }
  template <typename T> GPUTEST_CG T exchange(T value, unsigned thread) const {
    static_assert(sizeof(T) <= 32, "a tile of several warps exchanges at most 32 bytes");
    __shared__ unsigned char values[1024][32];
    __builtin_memcpy(values[thread_of_block()], &value, sizeof(T));
    wait();
    T result;
    __builtin_memcpy(&result, values[thread], sizeof(T));
    wait();
    return result;
  }
  unsigned parent_;
};
} // namespace details

// A tile of a group of type `Parent`.
template <unsigned Size, typename Parent = void>
class thread_block_tile : public details::tile<Size> {
public:
  // `parent`: the number of threads of the tile that this tile is part of; 0: the block.
  explicit GPUTEST_CG thread_block_tile(unsigned parent = 0) : details::tile<Size>(parent) {}
  template <typename Other>
  GPUTEST_CG thread_block_tile(const thread_block_tile<Size, Other>& other)
      : details::tile<Size>(other.parent()) {}
};

// Threads of a warp that have reached a place together.
class coalesced_group {
public:
  explicit GPUTEST_CG coalesced_group(details::lanes mask, unsigned rank = 0, unsigned groups = 1)
      : mask_(mask), group_rank_(rank), groups_(groups) {}
  GPUTEST_CG void sync() const { __syncwarp(mask_); }
  GPUTEST_CG unsigned size() const { return (unsigned)__popcll(mask_); }
  GPUTEST_CG unsigned num_threads() const { return (unsigned)__popcll(mask_); }
  GPUTEST_CG unsigned thread_rank() const {
    return (unsigned)__popcll(mask_ & __gputest_lanes_below());
  }
  GPUTEST_CG unsigned meta_group_rank() const { return group_rank_; }
  GPUTEST_CG unsigned meta_group_size() const { return groups_; }
  template <typename T> GPUTEST_CG T shfl(T value, int source) const {
    return details::shuffle<GPUTEST_WARP_SHUFFLE>(mask_, value, lane_of(source), 0);
  }
  template <typename T> GPUTEST_CG T shfl_up(T value, int delta) const {
    const int rank = (int)thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <typename T> GPUTEST_CG T shfl_down(T value, int delta) const {
    const int rank = (int)thread_rank(), last = (int)size();
    return shfl(value, rank + delta < last ? rank + delta : rank);
  }
  GPUTEST_CG int any(int predicate) const { return __any_sync(mask_, predicate); }
  GPUTEST_CG int all(int predicate) const { return __all_sync(mask_, predicate); }
  GPUTEST_CG unsigned ballot(int predicate) const {
    return packed(details::vote<GPUTEST_WARP_BALLOT>(mask_, predicate != 0));
  }
  template <typename T> GPUTEST_CG unsigned match_any(T value) const {
    return packed(details::vote<GPUTEST_WARP_MATCH_ANY>(mask_, details::bits_of(value)));
  }
  template <typename T> GPUTEST_CG unsigned match_all(T value, int& predicate) const {
    const details::lanes all = details::vote<GPUTEST_WARP_MATCH_ALL>(mask_, details::bits_of(value));
    predicate = all != 0;
    return packed(all);
  }
  GPUTEST_CG operator thread_group() const { return {false, mask_, size(), thread_rank()}; }
  GPUTEST_CG details::lanes mask() const { return mask_; }

private:
  GPUTEST_CG int lane_of(int rank) const {
    for (int i = 0; i < (int)gputest_warp_size(); ++i)
      if (mask_ >> i & 1 && rank-- == 0)
        return i;
    return (int)details::lane();
  }
  // Returns the bits of this group's lanes, without gaps; those of the first 32.
  GPUTEST_CG unsigned packed(details::lanes lanes) const {
    details::lanes result = 0;
    unsigned at = 0;
    for (int i = 0; i < (int)gputest_warp_size(); ++i)
      if (mask_ >> i & 1)
        result |= (lanes >> i & 1) << at++;
    return (unsigned)result;
  }
  details::lanes mask_;
  unsigned group_rank_, groups_;
};
static GPUTEST_CG coalesced_group coalesced_threads() {
  return coalesced_group(__gputest_active_lanes());
}
// Parts are numbered in the order of their lowest lanes.
namespace details {
static GPUTEST_CG coalesced_group part(lanes all, lanes mask) {
  const lanes first = mask & -mask;
  const lanes leaders = vote<GPUTEST_WARP_BALLOT>(all, lane() == (unsigned)__ffsll((long long)mask) - 1);
  return coalesced_group(mask, (unsigned)__popcll(leaders & (first - 1)), (unsigned)__popcll(leaders));
}
} // namespace details
template <typename Group, typename Label>
GPUTEST_CG coalesced_group labeled_partition(const Group& group, Label label) {
  return details::part(group.mask(), details::vote<GPUTEST_WARP_MATCH_ANY>(group.mask(), details::bits_of(label)));
}
template <typename Group> GPUTEST_CG coalesced_group binary_partition(const Group& group, bool p) {
  const details::lanes those = details::vote<GPUTEST_WARP_BALLOT>(group.mask(), p);
  return coalesced_group(p ? those : group.mask() & ~those, p, 2);
}

template <unsigned Size, typename Parent>
GPUTEST_CG thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}
template <unsigned Size, unsigned Whole, typename Grandparent>
GPUTEST_CG thread_block_tile<Size, thread_block_tile<Whole, Grandparent>>
tiled_partition(const thread_block_tile<Whole, Grandparent>&) {
  static_assert(Size < Whole, "a part of a tile is smaller than the tile");
  return thread_block_tile<Size, thread_block_tile<Whole, Grandparent>>(Whole);
}
static GPUTEST_CG thread_group tiled_partition(const thread_group& parent, unsigned size) {
  const unsigned first = details::lane() / size * size;
  return {false, details::lanes_from(first, size), size, details::lane() - first};
}

// Divides a coalesced group into parts in the order of ranks.
static GPUTEST_CG coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  details::lanes mask = 0;
  unsigned rank = 0;
  for (unsigned i = 0; i < gputest_warp_size(); ++i)
    if (parent.mask() >> i & 1) {
      if (rank >= first && rank < first + size)
        mask |= 1ull << i;
      ++rank;
    }
  return coalesced_group(mask, first / size, (parent.size() + size - 1) / size);
}

// One thread of the group calls the function. `_broadcast` passes its result to the others.
template <typename Group, typename Function, typename... Arguments>
GPUTEST_CG void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0)
    function(static_cast<Arguments&&>(arguments)...);
}
template <typename Group, typename Function, typename... Arguments>
GPUTEST_CG auto invoke_one_broadcast(const Group& group, Function&& function,
                                     Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) value{};
  if (group.thread_rank() == 0)
    value = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(value, 0);
}

template <typename Group> GPUTEST_CG void sync(const Group& group) {
  group.sync();
}
template <typename Group> GPUTEST_CG unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group> GPUTEST_CG unsigned long long group_size(const Group& group) {
  return group.size();
}
static GPUTEST_CG dim3 thread_index(const thread_block& block) {
  return block.thread_index();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#include "gputest_cuda/group_algorithms.h"
#undef GPUTEST_CG

#endif

#endif
