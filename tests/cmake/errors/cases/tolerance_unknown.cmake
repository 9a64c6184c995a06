# gputest_add_kernel(): k: TOLERANCE: 'ABSOLUT' is not expected here (did you mean ABSOLUTE?); the keywords are ABSOLUTE, RELATIVE, ULP
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TOLERANCE ABSOLUT 1e-6)
