#include "tests/simulator/race_programs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gputest::simulator::tests {
namespace {

constexpr std::size_t kFirstLine = 100;

// Each step is one line, whatever it does.
std::string kernel_text(const RaceProgram& program) {
  const auto [atomics, bytes, copies, loops] =
      std::array{program.atomics, program.bytes, program.copies, program.loops};
  const auto in = [&](const std::string& space, const std::string& begin) {
    const std::string base = "((" + space + " uchar*)" + begin + " + p)";
    const auto pointer = [&](const std::string& type) {
      return "((" + space + " " + type + "*)" + base + ")";
    };
    std::string text = "case 1: s += *" + pointer("uint") + "; break; case 2: *" + pointer("uint") +
                       " = o.z; break; case 7: s += " + pointer("uint2") + "->x; break; case 8: *" +
                       pointer("uint2") + " = (uint2)(o.z, o.z); break; ";
    if (atomics)
      text += "case 3: s += *" + pointer("volatile uint") + "; break; case 4: *" +
              pointer("volatile uint") + " = o.z; break; case 5: atomic_add(" + pointer("uint") +
              ", o.z); break; case 6: s += atomic_cmpxchg(" + pointer("uint") +
              ", o.w, o.z); break; ";
    if (bytes)
      text += "case 9: s += *" + base + "; break; case 10: *" + base + " = o.z; break; ";
    if (loops)
      text += "case 11: for (int j = 0; j < o.w; ++j) s += " + base + "[j]; break; " +
              "case 12: for (int j = 0; j < o.w; ++j) " + base + "[j] = o.z; break; " +
              "case 13: for (uint j = 0; j < o.w; ++j) s += " + pointer("uint") + "[j]; break; " +
              "case 14: for (uint j = 0; j < o.w; ++j) " + pointer("uint") + "[j] = o.z; break; " +
              "case 15: for (int j = o.w - 1; j >= 0; --j) s += " + base + "[2 * j]; break; " +
              "case 16: for (int j = o.w - 1; j >= 0; --j) " + base + "[2 * j] = o.z; break; ";
    return "switch (o.x) { " + text + "}";
  };
  const std::string together =
      copies ? "if (b.x == 2) { if (b.w > 0) e[n] = async_work_group_copy(tile + b.y, data + b.z, "
               "b.w, 0); "
               "else e[n] = async_work_group_strided_copy(tile + b.y, data + b.z, -b.w, 2, 0); } "
               "if (b.x == 3) { if (b.w > 0) e[n] = async_work_group_copy(data + b.z, tile + b.y, "
               "b.w, 0); "
               "else e[n] = async_work_group_strided_copy(data + b.z, tile + b.y, -b.w, 2, 0); } "
               "if (b.x == 4) wait_group_events(1, e + b.y); "
             : "";
  const std::string local = std::to_string(RaceOperation::kLocal);
  std::string text =
      "#define STEP(n) { const int4 b = together[get_group_id(0) * steps + n]; if (b.x == 1) "
      "barrier(b.y); " +
      together + "const int4 o = program[get_global_id(0) * steps + n]; const uint p = o.y % " +
      local + "; if (o.y < " + local + ") { " + in("global", "data") + " } else { " +
      in("local", "tile") +
      " } }\n"
      "kernel void k(global uint* data, local uint* tile, global const int4* program,\n"
      "              global const int4* together, uint steps, global uint* sums) {\n"
      "uint s = 0;\nevent_t e[" +
      std::to_string(kMostSteps) + "];\n#line " + std::to_string(kFirstLine) + " \"/t.cl\"\n";
  for (std::size_t step = 0; step < kMostSteps; ++step)
    text += "if (" + std::to_string(step) + " < steps) STEP(" + std::to_string(step) + ")\n";
  return text + "sums[get_global_id(0)] = s;\n}\n"; // so that no read is left out
}

// One that was made, by a work-item or a copy; of an exchange that failed a read.
struct MadeAccess {
  std::size_t group = 0, item = 0, step = 0;
  bool local = false, write = false, atomic = false, of_copy = false;
  int begin = 0, end = 0;
  std::size_t fences = 0;        // for this memory, that the group had passed
  std::size_t ends = kMostSteps; // of copies: the step before which the group waits for it
};

bool conflict(const MadeAccess& a, const MadeAccess& b) {
  return a.local == b.local && a.begin < b.end && b.begin < a.end && (a.write || b.write) &&
         !(a.atomic && b.atomic);
}

// A copy may happen any time from where it stands to where its group waits for it. A work-item's
// own accesses before it are ordered if there are no other work-items, which may have started it
// before.
bool unordered(const MadeAccess& first, const MadeAccess& second, std::size_t items) {
  if (first.group != second.group)
    return !first.local; // of local memory each group has its own
  const MadeAccess& earlier = first.step < second.step ? first : second;
  const MadeAccess& later = first.step < second.step ? second : first;
  if (!first.of_copy && !second.of_copy)
    return first.item != second.item && first.fences == second.fences;
  if (first.of_copy && second.of_copy)
    return first.step != second.step && later.step <= earlier.ends;
  const MadeAccess& copy = first.of_copy ? first : second;
  const MadeAccess& access = first.of_copy ? second : first;
  if (access.step >= copy.step)
    return access.step < copy.ends;
  return items > 1 && access.fences == copy.fences;
}

// Runs the program in its order, and remembers what was accessed.
class Interpreter {
public:
  explicit Interpreter(const RaceProgram& program) : program_(program) { run(); }

  std::vector<MadeAccess> accesses;
  std::set<std::size_t> never_waited;

private:
  using Memory = std::array<unsigned char, 4 * kWords>;

  void run() {
    const std::vector<std::uint32_t> groups =
        model::permutation(program_.order.groups, static_cast<std::uint32_t>(program_.groups));
    const std::vector<std::uint32_t> items =
        model::permutation(program_.order.items, static_cast<std::uint32_t>(program_.items));
    for (const std::uint32_t group : groups) {
      local_.fill(kUnwrittenByte); // as the simulator does
      fences_ = {};
      // All work-items go as far as the next barrier, one after the other.
      for (std::size_t first = 0; first < program_.steps;) {
        std::size_t last = first + 1;
        while (last < program_.steps && program_.all(group, last).kind != GroupOperation::Barrier)
          ++last;
        if (const GroupOperation& barrier = program_.all(group, first);
            barrier.kind == GroupOperation::Barrier) {
          fences_[0] += static_cast<std::size_t>(barrier.first & 1);
          fences_[1] += static_cast<std::size_t>(barrier.first >> 1 & 1);
        }
        for (const std::uint32_t item : items)
          for (std::size_t step = first; step < last; ++step) {
            if (item == items.front())
              copy(group, step);
            perform(group, item, step);
          }
        first = last;
      }
    }
  }

  // The step before which the group waits for the copy of `step`; kMostSteps: it never does.
  std::size_t waited(std::size_t group, std::size_t step) const {
    for (std::size_t later = step + 1; later < program_.steps; ++later)
      if (const GroupOperation& wait = program_.all(group, later);
          wait.kind == GroupOperation::Wait && wait.first == static_cast<int>(step))
        return later;
    return kMostSteps;
  }

  // Values do not matter where there are no exchanges.
  void copy(std::size_t group, std::size_t step) {
    const GroupOperation& operation = program_.all(group, step);
    if (operation.kind != GroupOperation::CopyIn && operation.kind != GroupOperation::CopyOut)
      return;
    const bool in = operation.kind == GroupOperation::CopyIn;
    const std::size_t ends = waited(group, step);
    if (ends == kMostSteps)
      never_waited.insert(step);
    for (int i = 0; i < std::abs(operation.count); ++i)
      for (const bool local : {true, false}) {
        const int word =
            local ? operation.first + i : operation.second + i * (operation.count < 0 ? 2 : 1);
        accesses.push_back({.group = group,
                            .step = step,
                            .local = local,
                            .write = in == local,
                            .of_copy = true,
                            .begin = 4 * word,
                            .end = 4 * word + 4,
                            .fences = fences_[local ? 0 : 1],
                            .ends = ends});
      }
  }

  void perform(std::size_t group, std::size_t item, std::size_t step) {
    using enum RaceOperation::Kind;
    const RaceOperation& operation = program_.operation(group, item, step);
    if (operation.kind == Nothing)
      return;
    const bool local = operation.place >= RaceOperation::kLocal;
    const int begin = operation.place % RaceOperation::kLocal;
    if (operation.kind >= ReadBytes) { // the order does not matter where there are no exchanges
      const int size = operation.kind == ReadWords || operation.kind == WriteWords ? 4 : 1;
      const int stride = operation.kind >= ReadBytesDown ? 2 : size;
      for (int i = 0; i < operation.expected; ++i)
        accesses.push_back({.group = group,
                            .item = item,
                            .step = step,
                            .local = local,
                            .write = operation.kind == WriteBytes || operation.kind == WriteWords ||
                                     operation.kind == WriteBytesDown,
                            .begin = begin + i * stride,
                            .end = begin + i * stride + size,
                            .fences = fences_[local ? 0 : 1]});
      return;
    }
    Memory& memory = local ? local_ : global_;
    const int size = operation.kind == ReadTwo || operation.kind == WriteTwo     ? 8
                     : operation.kind == ReadByte || operation.kind == WriteByte ? 1
                                                                                 : 4;
    const auto place = memory.begin() + begin;
    unsigned word = 0;
    std::memcpy(&word, &*place, size < 4 ? 1 : 4);
    const bool write =
        operation.kind == Write || operation.kind == VolatileWrite || operation.kind == WriteTwo ||
        operation.kind == WriteByte || operation.kind == Add ||
        (operation.kind == Exchange && word == static_cast<unsigned>(operation.expected));
    word = static_cast<unsigned>(operation.value) + (operation.kind == Add ? word : 0);
    if (write)
      for (int at = 0; at < size; at += 4)
        std::memcpy(&*(place + at), &word, size < 4 ? 1 : 4);
    accesses.push_back({.group = group,
                        .item = item,
                        .step = step,
                        .local = local,
                        .write = write,
                        .atomic = operation.kind == VolatileRead || operation.kind == Add ||
                                  operation.kind == Exchange,
                        .begin = begin,
                        .end = begin + size,
                        .fences = fences_[local ? 0 : 1]});
  }

  const RaceProgram& program_;
  Memory global_{}, local_{};
  std::array<std::size_t, 2> fences_{}; // of local and of global memory
};

// Barriers, and copies that are waited for once or not at all.
void add_together(std::mt19937_64& random, RaceProgram& program) {
  const auto below = [&](std::size_t end) { return static_cast<int>(random() % end); };
  const int barriers = below(4);
  for (std::size_t group = 0; group < program.groups; ++group) {
    std::vector<int> open; // copies
    for (std::size_t step = 0; step < program.steps; ++step) {
      GroupOperation operation;
      if (program.copies && below(3) == 0) {
        operation.kind = below(2) ? GroupOperation::CopyIn : GroupOperation::CopyOut;
        operation.first = below(kWords);
        operation.second = below(kWords);
        operation.count =
            1 +
            below(kWords - static_cast<std::size_t>(std::max(operation.first, operation.second)));
        if (below(3) == 0 &&
            operation.second + 2 * (operation.count - 1) < static_cast<int>(kWords))
          operation.count = -operation.count;
        open.push_back(static_cast<int>(step));
      } else if (!open.empty() && below(2)) {
        const auto which = open.begin() + below(open.size());
        operation = {.kind = GroupOperation::Wait, .first = *which};
        open.erase(which);
      } else if (below(4) < barriers) {
        operation = {.kind = GroupOperation::Barrier, .first = below(4)};
      }
      program.together.push_back(operation);
    }
  }
}

} // namespace

RaceProgram random_race_program(std::mt19937_64& random, const RaceKind& kind) {
  using enum RaceOperation::Kind;
  const auto below = [&](std::size_t end) { return static_cast<int>(random() % end); };
  RaceProgram program{
      .atomics = kind.atomics, .bytes = kind.bytes, .copies = kind.copies, .loops = kind.loops};
  program.groups = 1 + random() % 3;
  program.items = 1 + random() % 4;
  program.steps = 2 + random() % (kMostSteps - 1);
  if (kind.ordered) {
    program.order.groups = {.kind = model::Order::Kind::Random, .seed = random() % 1000};
    program.order.items = {.kind = model::Order::Kind::Random, .seed = random() % 1000};
  }
  std::vector<int> kinds{Read, Write, ReadTwo, WriteTwo};
  if (kind.atomics)
    kinds.insert(kinds.end(), {VolatileRead, VolatileWrite, Add, Add});
  // Whether an exchange writes depends on values, which copies and loops are not followed for.
  if (kind.atomics && !kind.copies && !kind.loops)
    kinds.insert(kinds.end(), {Exchange, Exchange});
  if (kind.bytes)
    kinds.insert(kinds.end(), {ReadByte, WriteByte, ReadByte, WriteByte});
  if (kind.loops)
    for (int loop = ReadBytes; loop < Kinds; ++loop)
      kinds.push_back(loop);
  // Most programs do little, and few kinds of things, or each of them would have races.
  while (kinds.size() > 1 && below(3) != 0)
    kinds.erase(kinds.begin() + below(kinds.size()));
  const int density = 2 + below(12);
  for (std::size_t i = 0; i < program.groups * program.items * program.steps; ++i) {
    RaceOperation operation;
    if (below(static_cast<std::size_t>(density)) == 0)
      operation.kind = kinds[random() % kinds.size()];
    const bool one = operation.kind == ReadByte || operation.kind == WriteByte;
    const bool two = operation.kind == ReadTwo || operation.kind == WriteTwo;
    operation.place = one ? below(4 * kWords) : two ? 8 * below(kWords / 2) : 4 * below(kWords);
    operation.place += below(2) * RaceOperation::kLocal;
    operation.value = below(3);
    operation.expected = below(3);
    if (operation.kind >= ReadBytes) {
      const int size = operation.kind == ReadWords || operation.kind == WriteWords ? 4 : 1;
      const int stride = operation.kind >= ReadBytesDown ? 2 : size;
      const int place = size * below(4 * kWords / static_cast<std::size_t>(2 * size));
      operation.place += place - operation.place % RaceOperation::kLocal;
      const int most = (4 * static_cast<int>(kWords) - place + stride - 1) / stride;
      operation.expected = below(2) ? most : below(static_cast<std::size_t>(most) + 1);
    }
    program.operations.push_back(operation);
  }
  add_together(random, program);
  return program;
}

Run run_of(const RaceProgram& program) {
  std::vector<std::array<int, 4>> operations;
  for (const RaceOperation& operation : program.operations)
    operations.push_back({operation.kind, operation.place, operation.value, operation.expected});
  std::vector<std::array<int, 4>> together;
  for (const GroupOperation& all : program.together)
    together.push_back({all.kind, all.first, all.second, all.count});
  return {.text = kernel_text(program),
          .global_size = program.groups * program.items,
          .local_size = program.items,
          .arguments = {buffer(std::vector<unsigned>(kWords)), local(4 * kWords),
                        buffer(operations), buffer(together),
                        value(static_cast<unsigned>(program.steps)),
                        buffer(std::vector<unsigned>(program.groups * program.items))},
          .checks = {"races"},
          .order = program.order};
}

std::size_t step_of(std::size_t line) {
  return line - kFirstLine;
}

RaceTruth races_of(const RaceProgram& program) {
  const Interpreter interpreter(program);
  RaceTruth truth{.pairs = {}, .later = {}, .never_waited = interpreter.never_waited};
  for (std::size_t j = 0; j < interpreter.accesses.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const MadeAccess &first = interpreter.accesses[i], &second = interpreter.accesses[j];
      if (!conflict(first, second) || !unordered(first, second, program.items))
        continue;
      truth.pairs.insert(std::minmax(first.step, second.step));
      truth.later.insert(second.step);
    }
  return truth;
}

std::string text_of(const RaceProgram& program) {
  static constexpr std::array<const char*, RaceOperation::Kinds> kNames{"-",
                                                                        "read",
                                                                        "write",
                                                                        "volatile read",
                                                                        "volatile write",
                                                                        "add",
                                                                        "cas",
                                                                        "read two",
                                                                        "write two",
                                                                        "read byte",
                                                                        "write byte",
                                                                        "read bytes",
                                                                        "write bytes",
                                                                        "read words",
                                                                        "write words",
                                                                        "read bytes down",
                                                                        "write bytes down"};
  std::string text;
  for (std::size_t group = 0; group < program.groups; ++group)
    for (std::size_t step = 0; step < program.steps; ++step) {
      text += "group " + std::to_string(group) + " step " + std::to_string(step) + ":";
      static constexpr std::array<const char*, 5> kTogether{"", "barrier", "copy in", "copy out",
                                                            "wait"};
      if (const GroupOperation& all = program.all(group, step); all.kind != GroupOperation::Nothing)
        text += std::string(" ") + kTogether.at(static_cast<std::size_t>(all.kind)) + "(" +
                std::to_string(all.first) + ", " + std::to_string(all.second) + ", " +
                std::to_string(all.count) + ")";
      for (std::size_t item = 0; item < program.items; ++item) {
        const RaceOperation& operation = program.operation(group, item, step);
        text +=
            std::string(item ? ", " : " ") + kNames.at(static_cast<std::size_t>(operation.kind));
        if (operation.kind != RaceOperation::Nothing)
          text += " " + std::to_string(operation.place) + " " + std::to_string(operation.value) +
                  "/" + std::to_string(operation.expected);
      }
      text += "\n";
    }
  return text;
}

} // namespace gputest::simulator::tests
