# gputest_add_kernel(): k: MUTATION OPERATORS: 'gpu,conventional' is no name: give names of small letters and _, with spaces between them
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION OPERATORS gpu,conventional)
