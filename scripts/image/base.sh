#!/usr/bin/env bash
# base.sh IMAGE: a base for the Dockerfile out of Debian's own packages, where no registry of images can be reached.
# Needs root, debootstrap and podman; takes a minute or two.
set -euo pipefail

if [ $# != 1 ]; then
  echo "usage: $0 IMAGE, for example localhost/debian-python:bookworm" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'umount "$work/root/proc" "$work/root/sys" 2> /dev/null || true; rm -rf --one-file-system "$work"' EXIT

debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv,tzdata bookworm "$work/root" > "$work/log" || {
  tail -20 "$work/log" >&2
  exit 1
}
tar -C "$work/root" --one-file-system --exclude='./var/cache/apt/archives/*.deb' --exclude='./var/lib/apt/lists/*' \
  --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -cf "$work/base.tar" .
podman import --quiet "$work/base.tar" "$1"
