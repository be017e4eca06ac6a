#!/bin/bash
# Prints what bash proposes: propose.bash PROGRAM WORD..., the last word being the one to complete.
set -u
program=$1
source <("$program" completions bash)
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
completion=_${program//-/_}
"$completion"
printf '%s\n' "${COMPREPLY[@]}" | sort
