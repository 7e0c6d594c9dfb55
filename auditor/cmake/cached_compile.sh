#!/bin/sh
# cached_compile.sh CCACHE COMPILER ARGUMENT…   compiler launcher of the build
# A precompiled header is compiled past the cache: ccache takes an older one that lies there for what is compiled, and
# can give back the result of another version. What includes it is cached by a digest of its text (.sum), as the file
# itself is never the same twice.
set -eu
ccache=$1
shift
case " $* " in
  *" -x c++-header "*) ;;
  *) exec "$ccache" "$@" ;;
esac
previous=""
for argument in "$@"; do  # takes "-o FILE" out
  shift
  case $previous$argument in
    -o) ;;
    -o*) output=$argument ;;
    *) set -- "$@" "$argument" ;;
  esac
  previous=""
  if [ "$argument" = "-o" ]; then previous=$argument; fi
done
"$@" -o "$output"
"$@" -E -P | sha256sum >"$output.sum"
