# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of gputest for fish. What it offers is what `gputest help` prints.
function __gputest_commands
    gputest help | string replace -rf '^  ([a-z-]+) +(.*)' '$1\t$2'
end
function __gputest_options
    set -l words (commandline -opc)
    gputest help $words[2] 2>/dev/null | string match -rg '^ +(?:-[a-zA-Z], +)?(--[a-z0-9-]+)'
end
complete -c gputest -f -n __fish_use_subcommand -a '(__gputest_commands)'
complete -c gputest -f -n '__fish_seen_subcommand_from help' -a '(__gputest_commands)'
function __gputest_other_program # of which the command line is behind --
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words)
    complete -C (string join ' ' -- (string escape -- $words[(math $at + 1)..-1]) (commandline -ct))
end
complete -c gputest -f -n 'contains -- -- (commandline -opc)' -a '(__gputest_other_program)'
complete -c gputest -n 'not __fish_use_subcommand; and not contains -- -- (commandline -opc); and string match -q -- "-*" (commandline -ct)' -a '(__gputest_options)'
