// The results of PTX's instructions (instructions.py) for numbers of all kinds, beside those of a GPU.
//
// usage: results <instructions> <results> [write | <n>]
//
// The file of results has three hexadecimal digits for each instruction, of a hash of its results, or `---` if the
// assembler refuses it. `write` writes that file, on a GPU. With a number n, each n-th instruction runs, and the first one of each name.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using Words = std::vector<uint64_t>;

// `registers` and `access` are PTX's types. A number has an exponent and a mantissa, and a pair two of them.
struct Type {
  const char *registers, *access;
  int bytes, exponent, mantissa, parts;
};
static const std::map<std::string, Type> kTypes = {
    {"u8", {"u32", "u32", 4, 0, 0, 1}},     {"s8", {"s32", "s32", 4, 0, 0, 1}},      {"u16", {"u16", "u16", 2, 0, 0, 1}},
    {"s16", {"s16", "s16", 2, 0, 0, 1}},    {"u32", {"u32", "u32", 4, 0, 0, 1}},     {"s32", {"s32", "s32", 4, 0, 0, 1}},
    {"u64", {"u64", "u64", 8, 0, 0, 1}},    {"s64", {"s64", "s64", 8, 0, 0, 1}},     {"b16", {"b16", "b16", 2, 0, 0, 1}},
    {"b32", {"b32", "b32", 4, 0, 0, 1}},    {"b64", {"b64", "b64", 8, 0, 0, 1}},     {"f32", {"f32", "f32", 4, 8, 23, 1}},
    {"f64", {"f64", "f64", 8, 11, 52, 1}},  {"f16", {"b16", "b16", 2, 5, 10, 1}},    {"f16x2", {"b32", "b32", 4, 5, 10, 2}},
    {"bf16", {"b16", "b16", 2, 8, 7, 1}},   {"bf16x2", {"b32", "b32", 4, 8, 7, 2}},  {"e4m3x2", {"b16", "b16", 2, 0, 0, 1}},
    {"e5m2x2", {"b16", "b16", 2, 0, 0, 1}}, {"tf32", {"b32", "b32", 4, 8, 23, 1}},   {"pred", {"pred", "", 4, 0, 0, 1}},
};

class Numbers {
public:
  explicit Numbers(const std::string& text) : state_(88172645463325252u) {
    for (const unsigned char c : text)
      state_ = state_ * 31 + c;
    state_ |= 1;
    for (int i = 0; i < 4; ++i)
      next();
  }
  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x9E3779B97F4A7C15u >> 3 ^ state_ << 40;
  }
  uint64_t of(const Type& type) {
    if (type.exponent == 0)
      return integer();
    uint64_t bits = 0;
    for (int i = 0; i < type.parts; ++i)
      bits |= real(type.exponent, type.mantissa) << (i * (1 + type.exponent + type.mantissa));
    return bits;
  }

private:
  uint64_t integer() {
    static const uint64_t kSpecial[] = {0, 1, 2, ~0ull, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
                                        0x7fffffffffffffff, 0x8000000000000000, 31, 32, 33, 63, 64, 15, 16};
    switch (next() % 5) {
    case 0: return kSpecial[next() % 22];
    case 1: return next() % 70;
    case 2: return 0 - next() % 70;
    case 3: return next() & next() & next();
    default: return next();
    }
  }
  uint64_t real(int exponent, int mantissa) {
    const uint64_t top = 1ull << mantissa, infinite = (1ull << exponent) - 1, bias = infinite >> 1;
    const uint64_t sign = (next() & 1) << (exponent + mantissa);
    const auto fraction = [&] { return next() & (top - 1); };
    switch (next() % 8) {
    case 0: {
      const uint64_t special[] = {0, bias << mantissa, (bias + 1) << mantissa, infinite << mantissa, infinite << mantissa | top >> 1,
                                  (infinite << mantissa) - 1, 1, top - 1, top, (bias - 1) << mantissa, bias << mantissa | 1,
                                  (bias << mantissa) - 1};
      return sign | special[next() % 12];
    }
    case 1: return sign | (bias + next() % 7) << mantissa | (fraction() & ~(top / 8 - 1)); // a small number
    case 2:
    case 3: return sign | (bias + next() % 5 - 2) << mantissa | fraction();
    case 4: return sign | fraction(); // subnormal
    case 5: return sign | ((bias + mantissa + next() % 8 - 4) << mantissa) % (infinite << mantissa) | fraction();
    case 6: return sign | infinite << mantissa | (next() % 3 ? 0 : fraction() | top >> 1);
    default: return next() & ((top << (exponent + 1)) - 1);
    }
  }

  uint64_t state_;
};

struct Instruction {
  std::string result, text;
  std::vector<std::string> operands;
};
static Instruction instruction_of(const std::string& line) {
  const size_t one = line.find('|'), two = line.find('|', one + 1);
  Instruction of{line.substr(0, one), line.substr(two + 1), {}};
  for (size_t at = one + 1; at < two;) {
    const size_t end = std::min(line.find(',', at), two);
    of.operands.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return of;
}

// What is before the first point of the instruction that gives the result: cvt, mul.
static std::string name_of(const std::string& line) {
  const std::string text = instruction_of(line).text;
  size_t end = text.find(" d,");
  if (end == std::string::npos)
    end = text.find(' ');
  const size_t before = text.find_last_of(' ', end - 1), begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, text.find('.', begin) - begin);
}

constexpr int kThreads = 64, kWords = 5; // four operands and the result
static const std::string kHead = ".version 8.3\n.target sm_80\n.address_size 64\n";

static std::string kernel_of(const Instruction& of, size_t number) {
  std::string text = ".visible .entry k" + std::to_string(number) +
                     "(.param .u64 p) {\n.reg .b64 %q; .reg .b32 %t;\nld.param.u64 %q, [p];\nmov.u32 %t, %tid.x;\n"
                     "mad.wide.u32 %q, %t, 40, %q;\n.reg ." +
                     kTypes.at(of.result).registers + " d;\n";
  for (size_t i = 0; i < of.operands.size(); ++i) {
    const Type& type = kTypes.at(of.operands[i]);
    const std::string name(1, "abce"[i]);
    text += std::string(".reg .") + type.registers + " " + name + "; ld.global." + type.access + " " + name + ", [%q+" + std::to_string(8 * i) + "];\n";
  }
  const Type& type = kTypes.at(of.result);
  text += of.text + "\n";
  if (of.result == "pred")
    return text + "{ .reg .u32 r; selp.u32 r, 1, 0, d; st.global.u32 [%q+32], r; }\nret; }\n";
  return text + "st.global." + (type.access[0] == 'f' ? type.access : "b" + std::to_string(8 * type.bytes)) + " [%q+32], d;\nret; }\n";
}

// All that are no number are the same one.
static uint64_t without_payload(const Type& type, uint64_t bits) {
  bits &= type.bytes == 8 ? ~0ull : (1ull << (8 * type.bytes)) - 1;
  const int width = 1 + type.exponent + type.mantissa;
  for (int i = 0; type.exponent != 0 && i < type.parts; ++i) {
    const uint64_t infinite = (1ull << type.exponent) - 1, fraction = (1ull << type.mantissa) - 1;
    const uint64_t part = bits >> (i * width);
    if ((part >> type.mantissa & infinite) == infinite && (part & fraction) != 0)
      bits = (bits | (infinite << type.mantissa | fraction) << (i * width)) & ~(1ull << (i * width + width - 1));
  }
  return bits;
}

static CUdeviceptr memory;

// Returns three digits; empty: the launch failed.
static std::string results_of(const std::string& line, CUmodule module, size_t number) {
  const Instruction of = instruction_of(line);
  Numbers numbers(line);
  Words words(kThreads * kWords);
  for (int t = 0; t < kThreads; ++t) {
    uint64_t* const row = &words[t * kWords];
    for (size_t i = 0; i < of.operands.size(); ++i)
      row[i] = numbers.of(kTypes.at(of.operands[i]));
    if (of.operands.size() > 1 && numbers.next() % 6 == 0)
      row[1] = row[0];
  }
  CUfunction function = nullptr;
  void* arguments[] = {&memory};
  if (cuMemcpyHtoD(memory, words.data(), words.size() * 8) != CUDA_SUCCESS ||
      cuModuleGetFunction(&function, module, ("k" + std::to_string(number)).c_str()) != CUDA_SUCCESS ||
      cuLaunchKernel(function, 1, 1, 1, kThreads, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS ||
      cuMemcpyDtoH(words.data(), memory, words.size() * 8) != CUDA_SUCCESS)
    return "";
  uint32_t hash = 2166136261u;
  for (int t = 0; t < kThreads; ++t) {
    const uint64_t bits = without_payload(kTypes.at(of.result), words[t * kWords + 4]);
    for (int i = 0; i < 8; ++i)
      hash = (hash ^ (bits >> (8 * i) & 255)) * 16777619u;
  }
  char digits[4];
  std::snprintf(digits, sizeof digits, "%03x", (hash ^ hash >> 12 ^ hash >> 24) & 0xfff);
  return digits;
}

int main(int argc, char** argv) {
  if (argc < 3)
    return 2;
  const bool writes = argc > 3 && std::strcmp(argv[3], "write") == 0;
  const size_t step = argc > 3 && !writes ? std::stoul(argv[3]) : 1;
  std::vector<std::string> lines, wanted;
  std::ifstream in(argv[1]);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  if (!writes) {
    std::ifstream file(argv[2]);
    for (std::string line; std::getline(file, line);)
      if (line[0] != '#')
        for (size_t at = 0; at + 3 <= line.size(); at += 4)
          wanted.push_back(line.substr(at, 3));
    if (wanted.size() != lines.size()) {
      std::printf("there are %zu instructions, and %zu results\n", lines.size(), wanted.size());
      return 1;
    }
  }
  CUdevice device = 0;
  CUcontext context = nullptr;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS ||
      cuMemAlloc(&memory, kThreads * kWords * 8) != CUDA_SUCCESS)
    return 2;
  std::vector<std::string> found(lines.size(), "---");
  std::vector<size_t> those; // that the assembler takes
  std::set<std::string> names;
  for (size_t i = 0; i < lines.size(); ++i)
    if (writes || (wanted[i] != "---" && (i % step == 0 || names.insert(name_of(lines[i])).second)))
      those.push_back(i);
  const size_t together = writes ? 1 : 64;
  for (size_t at = 0; at < those.size(); at += together) {
    std::string text = kHead;
    const size_t end = std::min(at + together, those.size());
    for (size_t i = at; i < end; ++i)
      text += kernel_of(instruction_of(lines[those[i]]), those[i]);
    CUmodule module = nullptr;
    if (cuModuleLoadData(&module, text.c_str()) != CUDA_SUCCESS)
      continue;
    for (size_t i = at; i < end; ++i)
      found[those[i]] = results_of(lines[those[i]], module, those[i]);
    cuModuleUnload(module);
  }
  if (writes) {
    std::ofstream out(argv[2]);
    out << "# What results.cu has written on an H200, for the instructions in the order of instructions.py.\n";
    for (size_t i = 0; i < found.size(); ++i)
      out << found[i] << ((i + 1) % 24 == 0 || i + 1 == found.size() ? "\n" : " ");
    return 0;
  }
  int wrong = 0;
  for (const size_t i : those)
    if (found[i] != wanted[i])
      std::printf("%s gives %s, not %s\n", lines[i].c_str(), found[i].empty() ? "an error" : found[i].c_str(), wanted[i].c_str()), ++wrong;
  std::printf("%zu instructions, %d wrong\n", those.size(), wrong);
  return wrong != 0;
}
