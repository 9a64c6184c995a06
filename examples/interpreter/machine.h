/* The stack machine, for the kernel and the host. PUSH, JUMP and JUMP_IF_NEGATIVE are followed by
 * an operand; a jump's is the index of the next instruction. */
#ifndef MACHINE_H
#define MACHINE_H

enum Operation {
  HALT, /* the result is on top of the stack */
  PUSH,
  INPUT, /* pushes the work-item's input */
  DUPLICATE,
  NEGATE,
  SUBTRACT, /* the top from the one below it */
  ADD,
  MULTIPLY,
  JUMP_IF_NEGATIVE, /* pops what it tests */
  JUMP
};

enum Status { HALTED, STACK_EMPTY, STACK_FULL, END_OF_PROGRAM, NO_SUCH_OPERATION, OUT_OF_FUEL };

enum { STACK_SIZE = 4, FUEL = 1000 };

#endif
