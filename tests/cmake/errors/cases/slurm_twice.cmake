# gputest_add_slurm_jobs(): the target 'slurm-mutation' is there already
gputest_add_slurm_jobs()
gputest_add_slurm_jobs()
