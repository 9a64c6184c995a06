# gputest_add_kernel(): k: MUTATION OPERATORS: 'gpu,conventional' is no mutation operator: give conventional, gpu, all or names that `gputest mutants --list-operators` lists
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION OPERATORS gpu,conventional)
