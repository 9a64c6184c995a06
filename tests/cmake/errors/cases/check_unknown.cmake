# gputest_add_kernel(): k: CHECK: 'RACE' is not expected here (did you mean RACES?); the keywords are RACES, RACES_IN_STEP, BARRIERS, BOUNDS, UNINITIALIZED, ARITHMETIC, OVERFLOW, EXITS, HOST, INTERLEAVINGS, SUB_GROUP_SIZES
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 CHECK RACE)
