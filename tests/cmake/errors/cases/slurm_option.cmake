# gputest_add_slurm_jobs(): OPTIONS: '--array=1-4' is decided here already
gputest_add_slurm_jobs(OPTIONS --array=1-4)
