# docker build -t malha .  ·  the image serves by default; `docker run malha worker`, `… migrate`, `… chave criar` do the rest
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && rm -rf dist/test && npm prune --omit=dev

FROM node:24-bookworm-slim
# One helper thread for V8: more collect garbage at full priority, beside the event loop. See docs/adr/0008 and 0012.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS=--v8-pool-size=1
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/migrations/freeradius ./migrations/freeradius
COPY --from=build /app/workers/threads/nfcom/xsd ./workers/threads/nfcom/xsd
USER node
EXPOSE 3000
ENTRYPOINT ["node", "dist/src/cli.js"]
CMD ["serve"]
