#include "machine.h"

#include <CL/cl.h>

#include <functional>
#include <map>
#include <span>
#include <vector>

// A table of operations over a growing stack; what goes wrong is thrown.
void interpret_reference(const cl_int* program, cl_uint length, std::span<const cl_int> inputs,
                         cl_int* results, cl_int* statuses, cl_uint count) {
  for (cl_uint i = 0; i < count; ++i) {
    std::vector<int> stack;
    unsigned next = 0;
    const auto pop = [&] {
      const int value = stack.back();
      stack.pop_back();
      return value;
    };
    const auto push = [&](int value) {
      if (stack.size() == STACK_SIZE)
        throw STACK_FULL;
      stack.push_back(value);
    };
    const auto operand = [&](int missing) { return next < length ? program[next++] : missing; };
    struct Entry {
      std::size_t needs;
      std::function<void()> run;
    };
    const auto jump = [&] { next = static_cast<unsigned>(operand(static_cast<int>(length))); };
    const std::map<int, Entry> operations = {
        {HALT, {0, [] { throw HALTED; }}},
        {PUSH, {0, [&] { push(operand(0)); }}},
        {INPUT, {0, [&] { push(inputs[i]); }}},
        {DUPLICATE, {1, [&] { push(stack.back()); }}},
        {NEGATE, {1, [&] { push(-pop()); }}},
        {SUBTRACT,
         {2,
          [&] {
            const int b = pop();
            push(pop() - b);
          }}},
        {ADD,
         {2,
          [&] {
            const int b = pop();
            push(pop() + b);
          }}},
        {MULTIPLY,
         {2,
          [&] {
            const int b = pop();
            push(pop() * b);
          }}},
        {JUMP_IF_NEGATIVE, {1, [&] { pop() < 0 ? jump() : void(++next); }}},
        {JUMP, {0, jump}}};

    try {
      for (int steps = 0;; ++steps) {
        if (next >= length)
          throw END_OF_PROGRAM;
        if (steps == FUEL)
          throw OUT_OF_FUEL;
        const auto found = operations.find(program[next++]);
        if (found == operations.end())
          throw NO_SUCH_OPERATION;
        if (stack.size() < found->second.needs)
          throw STACK_EMPTY;
        found->second.run();
      }
    } catch (Status status) {
      statuses[i] = status;
      results[i] = status == HALTED && !stack.empty() ? stack.back() : 0;
    }
  }
}
