#include "machine.h"

#define STOP(why)                                                                                  \
  {                                                                                                \
    status = (why);                                                                                \
    goto stopped;                                                                                  \
  }
#define NEED(n)                                                                                    \
  if (top < (n))                                                                                   \
  STOP(STACK_EMPTY)
#define ROOM                                                                                       \
  if (top == STACK_SIZE)                                                                           \
  STOP(STACK_FULL)

// Runs one program for `count` inputs, one for each work-item. results[i] is 0 if the program did not halt
// with something on the stack, statuses[i] an enum Status.
kernel void interpret(constant int* program, const uint length, global const int* inputs,
                      global int* results, global int* statuses, const uint count) {
  const uint id = get_global_id(0);
  if (id >= count)
    return;

  int stack[STACK_SIZE];
  uint top = 0, next = 0, steps = 0;
  int status = HALTED;

  for (;;) {
    if (next >= length) {
      status = END_OF_PROGRAM;
      break;
    }
    if (++steps > FUEL)
      STOP(OUT_OF_FUEL)

    switch (program[next++]) {
    case HALT:
      goto stopped;
    case PUSH:
      ROOM
      stack[top++] = next < length ? program[next] : 0;
      ++next;
      continue;
    case INPUT:
      ROOM
      stack[top++] = inputs[id];
      continue;
    case DUPLICATE:
      NEED(1)
      ROOM
      stack[top] = stack[top - 1];
      ++top;
      break;
    case NEGATE:
      NEED(1)
      stack[top - 1] = -stack[top - 1];
      break;
    case SUBTRACT:
      NEED(2)
      stack[top - 1] = -stack[top - 1];
      // fall through: a - b is a + -b
    case ADD:
      NEED(2)
      --top;
      stack[top - 1] += stack[top];
      break;
    case MULTIPLY:
      NEED(2)
      --top;
      stack[top - 1] *= stack[top];
      break;
    case JUMP_IF_NEGATIVE:
      NEED(1)
      if (stack[--top] >= 0) {
        ++next;
        break;
      }
      // fall through
    case JUMP:
      next = next < length ? program[next] : length;
      break;
    default:
      STOP(NO_SUCH_OPERATION)
    }
  }

stopped:
  results[id] = status == HALTED && top > 0 ? stack[top - 1] : 0;
  statuses[id] = status;
}
