#!/bin/sh
echo "ran $*"
