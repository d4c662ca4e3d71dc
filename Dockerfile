# The dashboard in a container. docs/hosting.md has the lines that build and run it.
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
# As an environment variable, it pins what builds the package, too.
ENV PIP_CONSTRAINT=/src/constraints.txt
RUN python -m venv /opt/mtsig && /opt/mtsig/bin/pip install --no-cache-dir '.[dashboard]'

FROM python:3.11-slim
COPY --from=build /opt/mtsig /opt/mtsig
# All that is ever written goes below /tmp: the root may be read-only.
ENV PATH=/opt/mtsig/bin:$PATH \
    HOME=/tmp \
    MTSIG_CACHE=/tmp/mtsig \
    MPLCONFIGDIR=/tmp/matplotlib \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /data
USER 65534:65534
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.build_opener(u.ProxyHandler({})).open('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
ENTRYPOINT ["mtsig", "dashboard", "--server.headless=true", "--server.port=8501", "--server.fileWatcherType=none", "--share"]
