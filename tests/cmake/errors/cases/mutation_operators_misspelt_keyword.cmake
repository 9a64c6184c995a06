# gputest_add_kernel(): k: MUTATION OPERATORS: 'REPEATS' is no mutation operator: give conventional, gpu, all or names that `gputest mutants --list-operators` lists (or is 'REPEATS' a misspelt keyword?)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION OPERATORS gpu REPEATS 2)
