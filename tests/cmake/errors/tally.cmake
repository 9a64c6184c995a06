# Written by the test unit.model
  set_property(GLOBAL PROPERTY gputest_tally_of_kernels TRUE)
  set_property(GLOBAL PROPERTY gputest_tally_result tally.json)
  set_property(GLOBAL PROPERTY gputest_tally_first AT_MOST)
  set_property(GLOBAL PROPERTY gputest_tally_kind_AT_MOST SIZE)
