# The service with what it needs and nothing else: not root, its root file system may be read-only. Data is kept under /data.
FROM node:24-bookworm-slim AS release
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts && npm run release -- /release
WORKDIR /app
RUN tar -xzf /release/matricula-*.tgz --strip-components=1 && npm ci --omit=dev --ignore-scripts && npm cache clean --force

FROM node:24-bookworm-slim
RUN rm -rf /usr/local/lib/node_modules/npm /usr/local/bin/npm /usr/local/bin/npx /opt/yarn* \
 && ln -s /app/server/bin/matricula.js /usr/local/bin/matricula \
 && install -d -o node -g node -m 0700 /data
COPY --from=release /app /app
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data LOG_FORMAT=json
# As in server/bin/supervise.sh, which says why.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=4194304
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/dist/main.js"]
