# The compendium with its locked packages and JupyterLab:
#   docker build --tag cvstrat .
#   docker run --rm --publish 127.0.0.1:8888:8888 cvstrat
FROM debian:trixie@sha256:fac46bff2e02f51425b6e33b0e1169f55dfb053d83511ca28aa50c09fd5ed7a4

# The image is fixed by its digest; versions of these few come with Debian's stable release. Chromium prints and tests the book.
# hadolint ignore=DL3008
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends ca-certificates chromium git make python3 python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 reader

USER 1000
WORKDIR /home/reader/cvstrat
COPY --chown=reader:reader . .
RUN make setup .venv/.lab

EXPOSE 8888
CMD [".venv/bin/jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--notebook-dir=notebooks"]
