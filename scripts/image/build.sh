#!/usr/bin/env bash
# build.sh IMAGE [BASE]: the image, by buildah, without a daemon. BASE is by default what the Dockerfile names; base.sh makes one.
# PIP_CONF may name a pip.conf for the build, with the certificates of /etc/ssl/certs if it asks for them; the image keeps neither.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: $0 IMAGE [BASE], for example $0 localhost/model-drift-exporter:dev" >&2
  exit 2
fi
options=(--isolation chroot --network host --format docker --tag "$1")
if [ $# = 2 ]; then options+=(--build-arg "BASE_IMAGE=$2"); fi
if [ -n "${PIP_CONF:-}" ]; then options+=(--secret "id=pip_conf,src=$PIP_CONF" --volume /etc/ssl/certs:/etc/ssl/certs:ro); fi

version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' exporter/__init__.py)
revision=$(git rev-parse HEAD)
if [ -n "$(git status --porcelain -- Dockerfile .dockerignore exporter suites pyproject.toml requirements.lock requirements-build.lock)" ]; then
  revision+=-dirty
fi
exec buildah bud "${options[@]}" --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
  --build-arg "CREATED=$(date -u +%Y-%m-%dT%H:%M:%SZ)" .
