#!/bin/sh
printf '%s\n' "$1" > /srv/script/"$2"
echo done
echo warned >&2
