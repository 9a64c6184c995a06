# gputest_add_kernel(): k: MUTATION: 'TRESHOLD' is not expected here (did you mean THRESHOLD?); the keywords are THRESHOLD, OPERATORS, FUNCTIONS, FILES, REPEAT, SAMPLE, SINCE, TIME_LIMIT, TIMEOUT_FACTOR
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION TRESHOLD 80)
