# (or is 'TOLERENCE' a misspelt keyword?)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TEST_CASES program.cpp TOLERENCE ABSOLUTE 1)
