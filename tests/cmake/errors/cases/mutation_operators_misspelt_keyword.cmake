# gputest_add_kernel(): k: MUTATION OPERATORS: 'REPEATS' is no name: give names of small letters and _, with spaces between them (or is 'REPEATS' a misspelt keyword?)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION OPERATORS gpu REPEATS 2)
