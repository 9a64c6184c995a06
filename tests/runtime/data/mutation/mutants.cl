/* The mutants variant of scale.cl, by hand: each mutant does one thing that a runner must notice, or must not. */
#define ACTIVE state[8]
#define TRACE state[9]
#define SCHEDULE state[11] /* where the order of groups (from word 20 on) and of items is, if there is one */
#define REVERSED (SCHEDULE && state[SCHEDULE + 20] == 1 && state[SCHEDULE + state[SCHEDULE + 18]] == 1)
#define EVENTS state[12]
#define GUARD state[13]
#define ITERATIONS state[14]
#define REACHED state[22] /* 16 words of header, 2 for each of 3 arguments */
#define RUNS state[23]    /* no bit here belongs to a site; it is written before traced runs only */

kernel void scale(global const int* in, global int* out, int n, global uint* state) {
  const int i = get_global_id(0);
  if (TRACE) {
    /* Site 0 is in all cases, site 1 in none, site 2 in those of three elements. */
    atomic_or(&REACHED, n == 3 ? 5 : 1);
    ITERATIONS = 7;
  }
  if (i == 0)
    RUNS++;
  int factor = 2;
  switch (ACTIVE) {
  case 0:
    factor = REVERSED ? 3 : 2; /* the original depends on this order, and is no oracle there */
    break;
  case 1:
    factor = 3;
    break;
  case 2:
    EVENTS = 1;
    GUARD = 1;
    break;
  case 3:
    EVENTS = 2;
    break;
  case 4:
    EVENTS = 4;
    GUARD = 2;
    break;
  case 5:
    EVENTS = 8;
    break;
  case 6:
    ((volatile global int*)out)[(size_t)1 << 45] = 1;
    break;
  case 8: /* one work-item: the threads of the others stop */
    while (i == 0 && ((volatile global int*)in)[0] != 12345)
      if (((volatile global uint*)state)[15])
        break;
    break;
  case 9:
    factor = i == 0 && RUNS & 1 ? 3 : 2;
    break;
  case 10:
    factor = SCHEDULE && !REVERSED ? 3 : 2;
    break;
  case 11:
    factor = REVERSED ? 3 : 2;
    break;
  case 12:
    if (i == 0)
      out[get_global_size(0)] = 7;
    break;
  case 13:
    factor = n == 3 ? 3 : 2;
    break;
  }
  if (i < n)
    out[i] = factor * in[i];
}
