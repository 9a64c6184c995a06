// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Records which outcomes occurred in an instrumented CUDA file.
 *
 * Outcome bits are in a __device__ variable, from which the host reads them after launches. In C++ for
 * OpenCL they are in a buffer (cpp_for_opencl.cl). Each
 * execution of a function gathers its bits in words of its own, which are registers. At its end it
 * adds those that are not known yet. Code without such words (the initialisers of a constructor)
 * adds each bit at once. The pass defines, before this text:
 *   GPUTEST_STATE  the name of that variable, unique in a program
 *   GPUTEST_FIRST  its first 32-bit word of bits
 *   GPUTEST_WORDS  number of those words
 * Functions for host and device record nothing on the host.
 */
#ifndef GPUTEST_STATE_IS_BUFFER
extern "C" {
__device__ unsigned GPUTEST_STATE[GPUTEST_FIRST + GPUTEST_WORDS];
}
#endif

static __host__ __device__ __forceinline__ void gputest_publish(unsigned word, unsigned bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  /* The L1 cache answers the first read, and may not show bits that others have recorded. So before a write,
   * a volatile read asks the memory behind it. */
  if (bits & ~GPUTEST_STATE[GPUTEST_FIRST + word])
    if (bits & ~*static_cast<volatile unsigned*>(GPUTEST_STATE + GPUTEST_FIRST + word))
      atomicOr(GPUTEST_STATE + GPUTEST_FIRST + word, bits);
#endif
}

/* Functions that gather bits hide this function by a variable, so that all sites have the same text. */
static __host__ __device__ __forceinline__ void gputest_hit(unsigned word, unsigned bits) {
  gputest_publish(word, bits);
}
static __host__ __device__ __forceinline__ bool gputest_hit(unsigned word, unsigned no, unsigned yes,
                                                            bool outcome) {
  gputest_publish(word, outcome ? yes : no);
  return outcome;
}

namespace {
/* The words first_word, first_word + 1, ... of a function. Sites name them by literals, so that an optimiser can turn
 * them into variables. */
template <unsigned first_word, unsigned word_count, unsigned distance = 0> struct gputest_words {
  __host__ __device__ __forceinline__ gputest_words() {
    for (unsigned i = 0; i < word_count; ++i)
      words[i] = 0;
  }
  __host__ __device__ __forceinline__ ~gputest_words() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    unsigned missing = 0; /* combined, so that the loads do not wait for each other */
#pragma unroll
    for (unsigned i = 0; i < word_count; ++i)
      missing |= words[i] & ~GPUTEST_STATE[GPUTEST_FIRST + first_word + distance + i];
    if (missing)
#pragma unroll
      for (unsigned i = 0; i < word_count; ++i)
        gputest_publish(first_word + distance + i, words[i]);
#endif
  }
  gputest_words(const gputest_words&) = delete;
  gputest_words& operator=(const gputest_words&) = delete;
  __host__ __device__ __forceinline__ void operator()(unsigned word, unsigned bits) {
    words[word - first_word] |= bits;
  }
  __host__ __device__ __forceinline__ bool operator()(unsigned word, unsigned no, unsigned yes, bool outcome) {
    words[word - first_word] |= outcome ? yes : no;
    return outcome;
  }
  unsigned words[word_count];
};

#ifndef GPUTEST_STATE_IS_BUFFER /* C++ for OpenCL does not tell instances apart */
/* FNV-1a of a name without places: " at file.cu:3:5" is left out up to the parenthesis. */
constexpr unsigned long long gputest_hash(const char* name, unsigned long long hash = 0xcbf29ce484222325ull) {
  while (*name) {
    if (name[0] == ' ' && name[1] == 'a' && name[2] == 't' && name[3] == ' ')
      while (*name && *name != ')')
        ++name;
    if (*name)
      hash = (hash ^ static_cast<unsigned char>(*name++)) * 0x100000001b3ull;
  }
  return hash;
}
/* The index of `hash` among these hashes; an unknown hash counts as the first. */
constexpr unsigned gputest_which(unsigned long long) { return 0; }
template <typename... Rest>
constexpr unsigned gputest_which(unsigned long long hash, unsigned long long first, Rest... rest) {
  return hash == first ? 0 : 1 + gputest_which(hash, rest...);
}
template <typename... ALL> constexpr unsigned gputest_one_of(unsigned long long hash, ALL... all) {
  return gputest_which(hash, all...) % sizeof...(all);
}
#endif
} // namespace

/* The bits of what a value decides: by its highest bit, by whether it is not 0, or as the condition of ?: . Each
 * component of a vector decides. Only Clang has vectors, and kernels that use them. */
template <typename V, bool is_vector> struct gputest_decisions {
  static __host__ __device__ __forceinline__ unsigned signs(V value, unsigned no) { return value < 0 ? no << 1 : no; }
  static __host__ __device__ __forceinline__ unsigned values(V value, unsigned no) { return value ? no << 1 : no; }
  static __host__ __device__ __forceinline__ unsigned choices(V value, unsigned no) { return values(value, no); }
};
#if defined(__has_builtin)
#if __has_builtin(__builtin_vectorelements)
#define GPUTEST_HAS_VECTORS
#endif
#endif
#ifdef GPUTEST_HAS_VECTORS
template <typename V> struct gputest_decisions<V, true> {
  static __host__ __device__ __forceinline__ unsigned signs(V value, unsigned no) {
    unsigned bits = 0;
    for (unsigned i = 0; i < __builtin_vectorelements(value); ++i)
      bits |= value[i] >> (8 * sizeof(value[i]) - 1) & 1 ? no << 1 : no;
    return bits;
  }
  static __host__ __device__ __forceinline__ unsigned values(V value, unsigned no) {
    unsigned bits = 0;
    for (unsigned i = 0; i < __builtin_vectorelements(value); ++i)
      bits |= value[i] != 0 ? no << 1 : no;
    return bits;
  }
  static __host__ __device__ __forceinline__ unsigned choices(V value, unsigned no) { return signs(value, no); }
};
template <typename V> struct gputest_kind {
  template <typename W> static decltype(__builtin_vectorelements(*static_cast<W*>(nullptr)), char()) of(W*, int);
  template <typename W> static long of(W*, long);
  static constexpr bool is_vector = sizeof(of(static_cast<V*>(nullptr), 0)) == 1;
};
#else
template <typename V> struct gputest_kind { static constexpr bool is_vector = false; };
#endif
template <typename V> static __host__ __device__ __forceinline__ unsigned gputest_signs(V value, unsigned no) {
  return gputest_decisions<V, gputest_kind<V>::is_vector>::signs(value, no);
}
template <typename V> static __host__ __device__ __forceinline__ unsigned gputest_values(V value, unsigned no) {
  return gputest_decisions<V, gputest_kind<V>::is_vector>::values(value, no);
}
template <typename V> static __host__ __device__ __forceinline__ unsigned gputest_choices(V value, unsigned no) {
  return gputest_decisions<V, gputest_kind<V>::is_vector>::choices(value, no);
}
/* Decisions that keep their value: those of vectors, where each component decides, and the first operand of a ?: b. */
#define GPUTEST_KEEPING(outcomes, word, no, value)       \
  ({                                                     \
    auto gputest_value = (value);                        \
    gputest_hit(word, outcomes(gputest_value, no));      \
    gputest_value;                                       \
  })
/* Of GNU's vectors, whose names are those of OpenCL's in templates. */
#define GPUTEST_GNU_VALUES(word, no, value)                                                       \
  ({                                                                                              \
    auto gputest_value = (value);                                                                 \
    for (unsigned gputest_i = 0; gputest_i < __builtin_vectorelements(gputest_value); ++gputest_i) \
      gputest_hit(word, gputest_value[gputest_i] != 0 ? (no) << 1 : (no));                        \
    gputest_value;                                                                                \
  })
/* Of an object, which its class may not let copy. */
template <typename Words, typename T>
static __host__ __device__ __forceinline__ T&& gputest_object(Words& words, unsigned word,
                                                              unsigned no, T&& value) {
  words(word, no, no << 1, static_cast<bool>(static_cast<T&&>(value)));
  return static_cast<T&&>(value);
}
#define GPUTEST_OBJECT(word, no, value) gputest_object(gputest_hit, word, no, value)
#define GPUTEST_SIGNS(word, no, value) GPUTEST_KEEPING(gputest_signs, word, no, value)
#define GPUTEST_VALUES(word, no, value) GPUTEST_KEEPING(gputest_values, word, no, value)
#define GPUTEST_CHOICES(word, no, value) GPUTEST_KEEPING(gputest_choices, word, no, value)

#define GPUTEST_ENTER(first, count) gputest_words<first, count> gputest_hit
/* In a template: each instance has its own words, in the order of the hashes of their names. */
#define GPUTEST_ENTER_ONE_OF(first, count, ...) \
  gputest_words<first, count, count * gputest_one_of(gputest_hash(__PRETTY_FUNCTION__), __VA_ARGS__)> gputest_hit
#define GPUTEST_HIT(word, bits) gputest_hit(word, bits)
/* `no` is the bit of the outcome false; that of true is the next one. */
#define GPUTEST_DECIDE(word, no, condition) gputest_hit(word, no, no << 1, static_cast<bool>(condition))
#define GPUTEST_BRANCH(word, no, condition) GPUTEST_DECIDE(word, no, condition)
/* The condition of a loop: the iterations tell whether it was true. */
#define GPUTEST_UNTIL(word, no, condition) (static_cast<bool>(condition) ? true : (gputest_hit(word, no), false))
#define GPUTEST_LOOP(loop) unsigned gputest_loop_##loop = 0
#define GPUTEST_ITERATION(loop) ++gputest_loop_##loop
#define GPUTEST_LOOP_END(loop, word, zero, one, many) \
  gputest_hit(word, gputest_loop_##loop > 1 ? many : gputest_loop_##loop ? one : zero)
/* 1 from the switch to the label that it selects. */
#define GPUTEST_SWITCH(number, value) (gputest_switches[number] = 1, (value))
#define GPUTEST_LABEL(number, word, bit)  \
  if (gputest_switches[number])           \
    gputest_hit(word, bit);               \
  gputest_switches[number] = 0
