#!/bin/sh
# ~/.config/argos/tokenvault.r.30s.sh, executable
exec /usr/local/bin/tokenvault watch --format argos -n primary
