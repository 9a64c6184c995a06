// What cannot be remapped is named.
uint elsewhere(void);

kernel void test(global uint* out) {
  uint id;
  __asm__("mov %0, 1" : "=r"(id));
  out[0] = elsewhere() + id;
}
