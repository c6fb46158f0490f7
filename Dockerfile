# The exporter as an image: docs/kubernetes.md says how to run it, scripts/image/build.sh builds it where there is no Docker.
#
# Any base with Python 3.11 or newer, venv and ensurepip will do; both stages use the same one.
ARG BASE_IMAGE=docker.io/library/python:3.11-slim-bookworm

# hadolint ignore=DL3006
FROM ${BASE_IMAGE} AS build
SHELL ["/bin/sh", "-eu", "-c"]
WORKDIR /build

# What it is built with, and pip, stay in this stage. A compiler is in none: all dependencies come as wheels.
RUN python3 -m venv tools && python3 -m venv --without-pip /opt/model-drift-exporter

# A company's own index goes into a pip.conf that no layer keeps: --secret id=pip_conf,src=pip.conf
COPY requirements.lock requirements-build.lock ./
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf \
    tools/bin/python -m pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements-build.lock \
    && tools/bin/python -m pip --python /opt/model-drift-exporter/bin/python install --no-cache-dir --no-compile --require-hashes --only-binary :all: -r requirements.lock

COPY pyproject.toml README.md LICENSE ./
COPY suites suites
COPY exporter exporter
ARG REVISION=unknown
RUN echo "${REVISION}" > exporter/revision.txt \
    && tools/bin/python -m hatchling build -t wheel -d dist \
    && tools/bin/python -m pip --python /opt/model-drift-exporter/bin/python install --no-cache-dir --no-compile --no-deps --no-index dist/*.whl

# Never run, and a quarter of the size: the libraries' own tests and sources, SQLAlchemy's ORM and what it needs for other databases, aiohttp's
# server, libyaml and how to read Markdown, how to colour 500 languages, and lists of what went into wheels. Two compiled modules have a twin in Python.
# What is left is compiled here, since a read-only root keeps nothing: else each start compiles everything anew.
RUN find /opt/model-drift-exporter/lib -depth -type d '(' -name tests -o -name testing -o -name sboms -o -path '*/sqlalchemy/orm' -o -path '*/sqlalchemy/ext/*' \
        -o -path '*/sqlalchemy/dialects/m*sql' -o -path '*/sqlalchemy/dialects/oracle' -o -path '*/pydantic/v1' -o -path '*/site-packages/markdown_it' ')' \
        -exec rm -r '{}' + \
    && find /opt/model-drift-exporter/lib '(' -path '*/aiohttp/web*.py' -o -path '*/aiohttp/_websocket/reader_c.*' -o -path '*/frozenlist/_frozenlist.*' \
        -o -path '*/yaml/_yaml.*' -o -name '*.py[ix]' -o -name '*.px[di]' -o -name '*.[ch]' ')' -delete \
    && find /opt/model-drift-exporter/lib -path '*/pygments/lexers/*' ! -name __init__.py ! -name _mapping.py ! -name python.py -delete \
    && /opt/model-drift-exporter/bin/python -m compileall -q -j 0 -x pygments --invalidation-mode unchecked-hash /opt/model-drift-exporter/lib \
    && /opt/model-drift-exporter/bin/model-drift-exporter --version

# hadolint ignore=DL3006
FROM ${BASE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="model-drift-exporter" \
      org.opencontainers.image.description="Prometheus exporter that notices when the language model behind a name gets worse" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"

COPY --from=build /opt/model-drift-exporter /opt/model-drift-exporter
RUN install -d -o 10201 -g 10201 -m 0750 /data
ENV PATH=/opt/model-drift-exporter/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1 \
    TMPDIR=/data
# SQLite sorts in files where memory does not do, and nothing but the volume can be written. From here the default storage, sqlite:///data/history.db, is /data/history.db.
WORKDIR /
VOLUME /data
USER 10201:10201
EXPOSE 10201
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/opt/model-drift-exporter/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:10201/-/healthy', timeout=4)"]
ENTRYPOINT ["model-drift-exporter"]
CMD ["serve", "--config.file=/etc/model-drift-exporter/config.yml"]
