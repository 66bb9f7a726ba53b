# trueup in a container, without root. By default, it runs the local server: docker build -t trueup . && docker run --rm -p 4010:4010 trueup
FROM node:22.21.1-bookworm-slim@sha256:25b3eb23a00590b7499f2a2ce939322727fcce1b15fdd69754fcd09536a3ae2c AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run --silent build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22.21.1-bookworm-slim@sha256:25b3eb23a00590b7499f2a2ce939322727fcce1b15fdd69754fcd09536a3ae2c
COPY --from=build /src/package.json /src/LICENSE /opt/trueup/
COPY --from=build /src/node_modules /opt/trueup/node_modules
COPY --from=build /src/schemas /opt/trueup/schemas
COPY --from=build /src/dist /opt/trueup/dist
RUN chmod 0755 /opt/trueup/dist/cli/bin.js \
  && ln --symbolic /opt/trueup/dist/cli/bin.js /usr/local/bin/trueup \
  && install --directory --owner=node --group=node --mode=0700 /data
USER 1000:1000
WORKDIR /home/node
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["trueup"]
CMD ["serve", "--host", "0.0.0.0", "--allow-insecure", "--data", "/data"]
