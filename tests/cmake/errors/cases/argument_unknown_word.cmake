# gputest_add_kernel(): k: ARGUMENTS: 'out:size=8,outptu': unknown word 'outptu'
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 ARGUMENTS out:size=8,outptu)
