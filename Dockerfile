# docker build -t malha .  ·  the image serves by default; `docker run malha worker`, `… migrate`, `… chave criar` do the rest
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev && sh docker/enxugar.sh node_modules

FROM node:24-bookworm-slim AS service
# One helper thread for V8: more collect garbage at full priority, beside the event loop. See docs/adr/0008 and 0012.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS=--v8-pool-size=1 MALHA_DATA_DIR=/var/lib/malha
WORKDIR /app
# /app is root's. A volume takes the owner of the folder that it covers when it is first used.
RUN mkdir -p /var/lib/malha/extratos && chown -R node:node /var/lib/malha
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
# What runs, and neither tests nor benches.
COPY --from=build /app/dist/src ./dist/src
COPY --from=build /app/dist/workers ./dist/workers
COPY --from=build /app/dist/migrations ./dist/migrations
COPY --from=build /app/dist/seeds ./dist/seeds
COPY --from=build /app/migrations/freeradius ./migrations/freeradius
COPY --from=build /app/workers/threads/nfcom/xsd ./workers/threads/nfcom/xsd
USER node
EXPOSE 3000
# Of the service; who runs another role says another (compose.yaml).
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/cli.js"]
CMD ["serve"]

# The same with the programs of the database's client, which `malha backup` runs: docker build --target backup -t malha-backup .
FROM service AS backup
USER root
RUN apt-get update && apt-get install -y --no-install-recommends mariadb-client && rm -rf /var/lib/apt/lists/*
USER node
CMD ["backup", "--help"]
# What is built when nothing else is asked for.
FROM service
