#!/usr/bin/fish --no-config
# Prints what fish proposes: propose.fish PROGRAM WORD..., the last word being the one to complete.
for program in tokenvault tokenvault-host tokenvault-simulate
    $program completions fish | source
end
complete -C "$argv" | string replace -r '\t.*' '' | sort
