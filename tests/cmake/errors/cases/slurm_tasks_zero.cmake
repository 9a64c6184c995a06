# gputest_add_slurm_jobs(): TASKS: '0'
gputest_add_slurm_jobs(TASKS 0)
