#include "tests/simulator/unwritten/aggregate_kernel.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <string>
#include <utility>

namespace gputest::simulator::tests {
namespace {

constexpr unsigned kAggregateItems = 4;
constexpr std::size_t kMostAggregateBytes = 256, kAggregateOffsets = 17;

// A part of a value that is assigned by itself.
struct Leaf {
  std::string path;       // such as ".a.x"
  bool is_noticed = true; // false: a union or a bit-field, whose bytes need not all be written
};

struct Aggregate {
  std::string type{}; // its name
  std::size_t size = 0, alignment = 1;
  std::string path{}; // in the aggregate that it is a part of: ".a" or "[1]"
  bool is_array = false, is_noticed = true;
  std::vector<Aggregate> parts{};
};

void add_leaves(const Aggregate& whole, const std::string& path, bool is_noticed,
                std::vector<Leaf>& leaves) {
  if (whole.parts.empty())
    leaves.push_back({path, is_noticed});
  for (const Aggregate& part : whole.parts)
    add_leaves(part, path + part.path, is_noticed && part.is_noticed, leaves);
}

class AggregateWriter {
public:
  AggregateWriter(std::uint64_t seed, bool cuda)
      : random_(static_cast<std::mt19937::result_type>(seed)), cuda_(cuda) {}

  AggregateKernel copied() {
    const Aggregate type = whole();
    std::vector<Leaf> leaves;
    add_leaves(type, "", true, leaves);
    is_private_ = maybe();
    const unsigned way = below(9);
    const Aggregate copied = way == 8 ? member_of(type) : type;
    const unsigned function_line = static_cast<unsigned>(lines()) + 2;
    if (way == 6)
      line(fmt::format("{}void put({}T* to, const {}T* from) {{\n*to = *from;\n}}", device(),
                       space("global "), space(is_private_ ? "private " : "local ")));
    if (way == 7)
      line(fmt::format("{}T give(T from) {{\nT to = from;\nreturn to;\n}}", device()));
    begin(fmt::format("{}T* out, int n", space("global ")));
    const std::string value = is_private_ ? "v" : "v[l]";
    line(is_private_ ? "T v;" : fmt::format("{}T v[{}];", shared(), kAggregateItems));
    const char* const only = maybe() ? " || l != 2" : "";
    for (std::size_t i = 0; i < leaves.size(); ++i)
      line(fmt::format("if (n != {}{}) {}{} = {};", i + 1, only, value, leaves[i].path, i % 7));
    barrier();
    const std::string from = is_private_ ? "v" : maybe() ? "v[l]" : "v[3 - l]";
    const unsigned at = way == 6 ? function_line : copy(way, from, copied.path);
    if (way == 6)
      line(fmt::format("put(out + l, &{});", from));
    line("}");
    AggregateKernel kernel;
    for (std::size_t run = 0; run <= leaves.size(); ++run) {
      const Leaf leaf = run ? leaves[run - 1] : Leaf{};
      if (!leaf.is_noticed)
        continue;
      add_run(kernel,
              {buffer(std::vector<char>(kMostAggregateBytes * kAggregateItems)), value_of(run)},
              run && leaf.path.starts_with(copied.path) ? at : 0, "uninitialized");
    }
    return kernel;
  }

  AggregateKernel placed() {
    const Aggregate type = whole();
    const bool in_shared = maybe(), reads = maybe();
    begin(fmt::format("{0}char* in, {0}char* out, int n", space("global ")));
    std::string from = "in", to = "out";
    const char* where = "global ";
    if (in_shared) {
      line(fmt::format("{}char s[{}] __attribute__((aligned(16)));", shared(),
                       kMostAggregateBytes + 32));
      line(fmt::format("for (int i = 0; i < {}; ++i) s[i] = in[i];", kMostAggregateBytes + 32));
      (reads ? from : to) = "s";
      where = "local ";
    }
    line(fmt::format("{}T* at = ({}T*)({} + n);", space(where), space(where), reads ? from : to));
    const unsigned at = static_cast<unsigned>(lines()) + 1;
    switch (below(2)) {
    case 0:
      line(reads ? fmt::format("*({}T*)out = *at;", space("global "))
                 : fmt::format("*at = *({}T*)in;", space("global ")));
      break;
    default:
      if (reads)
        line(fmt::format("T w = *at;\n*({}T*)out = w;", space("global ")));
      else
        line(fmt::format("T w = *({}T*)in; *at = w;", space("global ")));
    }
    if (in_shared && !reads)
      line(fmt::format("for (int i = 0; i < {}; ++i) out[i] = s[i];", kMostAggregateBytes + 32));
    line("}");
    AggregateKernel kernel;
    for (std::size_t byte = 0; byte < kAggregateOffsets; ++byte)
      add_run(kernel,
              {buffer(std::vector<char>(kMostAggregateBytes + 32)),
               buffer(std::vector<char>(kMostAggregateBytes + 32)), value_of(byte)},
              byte % type.alignment == 0 ? 0 : at, "bounds");
    for (Run& run : kernel.runs)
      run.global_size = run.local_size = 1;
    return kernel;
  }

private:
  unsigned below(std::size_t count) { return static_cast<unsigned>(random_() % count); }
  bool maybe() { return below(2) == 0; }
  std::string space(const char* name) const { return cuda_ ? "" : name; }
  const char* shared() const { return cuda_ ? "__shared__ " : "local "; }
  const char* device() const { return cuda_ ? "__device__ " : ""; }
  static Given value_of(std::size_t number) { return value(static_cast<int>(number)); }

  void line(const std::string& text) { lines_.push_back(text); }
  std::size_t lines() const {
    std::size_t count = 0;
    for (const std::string& text : lines_)
      count += 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
    return count;
  }
  void barrier() { line(cuda_ ? "__syncthreads();" : "barrier(CLK_LOCAL_MEM_FENCE);"); }
  void begin(const std::string& parameters) {
    line(fmt::format("{} void k({}) {{", cuda_ ? "extern \"C\" __global__" : "kernel", parameters));
    line(cuda_ ? "int l = threadIdx.x;" : "int l = get_local_id(0);");
  }

  // ---- Types ----

  Aggregate scalar() {
    static constexpr std::pair<const char*, std::size_t> kScalars[] = {
        {"char", 1}, {"short", 2}, {"int", 4}, {"float", 4}, {"long", 8}, {"double", 8}};
    const auto& [name, size] = kScalars[below(6)];
    return {.type = name, .size = size, .alignment = size};
  }

  Aggregate vector() {
    struct Vector {
      const char *name, *component;
      std::size_t size, count;
    };
    static constexpr Vector kVectors[] = {{"float4", "float", 4, 4}, {"int2", "int", 4, 2},
                                          {"uchar4", "uchar", 1, 4}, {"float3", "float", 4, 3},
                                          {"short2", "short", 2, 2}, {"int4", "int", 4, 4}};
    const Vector& one = kVectors[below(6)];
    const std::size_t places = !cuda_ && one.count == 3 ? 4 : one.count;
    Aggregate type{.type = one.name,
                   .size = one.size * places,
                   .alignment = one.count == 3 && cuda_ ? 4 : one.size * places};
    for (std::size_t i = 0; i < one.count; ++i)
      type.parts.push_back({.path = fmt::format(".{}", "xyzw"[i])});
    return type;
  }

  // Returns a struct, and declares it.
  Aggregate structure(unsigned depth) {
    Aggregate type{.type = depth == 0 ? "T" : fmt::format("S{}", names_++)};
    std::string text;
    const unsigned count = 1 + below(4);
    for (unsigned i = 0; i < count; ++i) {
      Aggregate part;
      std::string declared;
      switch (below(depth < 2 ? 8 : 6)) {
      case 0:
        part = vector();
        break;
      case 1: { // a union
        part = {.size = 8, .alignment = 8, .path = ".c", .is_noticed = false};
        declared = fmt::format("union {{ char c; double d; }} m{};", i);
        break;
      }
      case 4: { // an array
        const Aggregate element = scalar();
        const std::size_t elements = 1 + below(3);
        part = {.size = element.size * elements, .alignment = element.alignment, .is_array = true};
        for (std::size_t at = 0; at < elements; ++at)
          part.parts.push_back({.path = fmt::format("[{}]", at)});
        declared = fmt::format("{} m{}[{}];", element.type, i, elements);
        break;
      }
      case 5:         // a bit-field; the integer that it is in decides the alignment
        if (!cuda_) { // OpenCL C has none
          part = scalar();
          break;
        }
        part = {.size = 1, .is_noticed = false};
        declared = fmt::format("unsigned m{} : 5;", i);
        type.alignment = std::max<std::size_t>(type.alignment, 4);
        break;
      case 6:
      case 7:
        part = structure(depth + 1);
        break;
      default:
        part = scalar();
      }
      text += declared.empty() ? fmt::format("{} m{}; ", part.type, i) : declared + " ";
      type.alignment = std::max(type.alignment, part.alignment);
      type.size = rounded(type.size, part.alignment) + part.size;
      part.path = fmt::format(".m{}", i) + part.path;
      type.parts.push_back(std::move(part));
    }
    std::string attribute;
    if (below(4) == 0) {
      type.alignment = std::max<std::size_t>(type.alignment, 16);
      attribute = "__attribute__((aligned(16))) ";
    }
    type.size = rounded(type.size, type.alignment);
    // It looks like a struct of C++ without members, which has a byte that nobody writes.
    type.is_noticed = depth == 0 || type.size > 1 || type.parts[0].is_array;
    line(fmt::format("typedef struct {}{{ {}}} {};", attribute, text, type.type));
    return type;
  }

  Aggregate whole() {
    line(cuda_ ? "typedef unsigned char uchar;" : "");
    if (below(4) == 0) {
      const Aggregate type = vector();
      line(fmt::format("typedef {} T;", type.type));
      return type;
    }
    for (;;) {
      const std::vector<std::string> before = lines_;
      const Aggregate type = structure(0);
      if (type.size <= kMostAggregateBytes)
        return type;
      lines_ = before;
    }
  }

  static std::size_t rounded(std::size_t size, std::size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
  }

  // Returns a member that can be assigned as a whole, or everything.
  Aggregate member_of(const Aggregate& type) {
    const Aggregate& part = type.parts[below(type.parts.size())];
    return part.is_array || !part.is_noticed ? type : part;
  }

  // ---- Ways from `from` to global memory ----

  // Returns the line that writes global memory.
  unsigned copy(unsigned way, const std::string& from, const std::string& path) {
    switch (way) {
    case 0:
      break;
    case 1:
      line(fmt::format("T w = {};", from));
      return out("w");
    case 2:
      line(fmt::format("T a[2];\na[1] = {};", from));
      return out("a[1]");
    case 3:
      line(fmt::format("T a[2];\na[l & 1] = {};", from));
      return out("a[l & 1]");
    case 4:
      line(fmt::format("{}T s[{}];\ns[l] = {};", shared(), kAggregateItems, from));
      barrier();
      return out("s[l ^ 1]");
    case 5:
      line(fmt::format("T w;\nif (n >= 0)\nw = {};", from));
      return out("w");
    case 7:
      return out(fmt::format("give({})", from));
    default:
      line(fmt::format("out[l]{} = {}{};", path, from, path));
      return static_cast<unsigned>(lines());
    }
    return out(from);
  }
  unsigned out(const std::string& what) {
    line(fmt::format("out[l] = {};", what));
    return static_cast<unsigned>(lines());
  }

  void add_run(AggregateKernel& kernel, std::vector<Given> arguments, unsigned line,
               const char* check) {
    std::string text;
    for (const std::string& one : lines_)
      text += one + "\n";
    kernel.runs.push_back({.text = std::move(text),
                           .global_size = kAggregateItems,
                           .local_size = kAggregateItems,
                           .arguments = std::move(arguments),
                           .checks = {check},
                           .cuda = cuda_});
    kernel.line.push_back(line);
  }

  std::mt19937 random_;
  bool cuda_, is_private_ = false;
  unsigned names_ = 0;
  std::vector<std::string> lines_;
};

} // namespace

AggregateKernel copied_aggregate(std::uint64_t seed, bool cuda) {
  return AggregateWriter(seed, cuda).copied();
}

AggregateKernel placed_aggregate(std::uint64_t seed, bool cuda) {
  return AggregateWriter(seed, cuda).placed();
}

} // namespace gputest::simulator::tests
