#!/usr/bin/zsh -f
# Prints what zsh proposes: propose.zsh PROGRAM WORD..., the last word being the one to complete.
#
# Its completion works at a terminal alone: here at a pseudoterminal, with a compadd that prints the
# matches instead of offering them.
zmodload zsh/zpty
export PROPOSED=$(mktemp)
setup='
PS1= RPS1=
unsetopt prompt_cr prompt_sp
autoload -Uz compinit
compinit -u -D
for program in tokenvault tokenvault-host tokenvault-simulate; do
  source <($program completions zsh)
done
compadd() {
  local -a matches
  case " $* " in
    *" -O "* | *" -A "* | *" -D "*) ;;
    *) builtin compadd -A matches "$@"; print -r -l -- $matches >>$PROPOSED ;;
  esac
  builtin compadd "$@"
}
propose() { zle complete-word; print -r -- PROPOSED >/dev/tty }
zle -N propose
bindkey "^T" propose
print READY
'
export setup
zpty shell zsh -f -i
zpty -w shell 'eval "$setup"'
zpty -r -m shell line '*READY*'
zpty -w -n shell "$*"$'\x14'
zpty -r -m shell line '*PROPOSED*'
zpty -d shell
sort -u $PROPOSED | grep .
rm -f $PROPOSED
