import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";

const projectRoot = path.resolve(import.meta.dirname, "../..");
export const certificate = path.join(projectRoot, "tests/fixtures/tls/certificate.pem");
const key = path.join(projectRoot, "tests/fixtures/tls/key.pem");
/** The name that the certificate is for. */
export const name = "receiver.test";
/** In the place of the 1,000 that one address may have open. */
export const sourceMax = 20;

interface Places {
  readonly folder: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly servicePort: number;
}

/** A proxy of the kit; `prepare` writes what it reads, the kit's file with this test's places, and returns its arguments. */
export interface Proxy {
  readonly program: string;
  readonly version: string;
  /** Whether it asks /readyz by itself, and sends nothing to a service that is not ready. */
  readonly asksReadyz: boolean;
  /** Whether it bounds what one address may have open at once. */
  readonly boundsSources: boolean;
  prepare(places: Places): readonly string[];
}

const kit = (file: string): string => readFileSync(path.join(projectRoot, "deploy", file), "utf8");

/** Replaces what has to be there. */
function put(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((before, [old, now]) => {
    expect(before).toContain(old);
    return before.replaceAll(old, now);
  }, text);
}

export const proxies: Readonly<Record<string, Proxy>> = {
  Caddy: {
    program: "caddy",
    version: "version",
    asksReadyz: true,
    boundsSources: false,
    prepare({ folder, httpPort, httpsPort, servicePort }) {
      const file = path.join(folder, "Caddyfile");
      const text = put(kit("caddy/Caddyfile"), {
        "admin localhost:2019": `admin off\n\thttp_port ${httpPort}\n\tdefault_bind 127.0.0.1`,
        "\n{$DOMAIN:api.example.ng} {": `\nhttps://${name}:${httpsPort} {\n\ttls ${certificate} ${key}`,
        "127.0.0.1:8080": `127.0.0.1:${servicePort}`,
      });
      writeFileSync(file, text);
      return ["run", "--config", file, "--adapter", "caddyfile"];
    },
  },
  nginx: {
    program: "nginx",
    version: "-v",
    asksReadyz: false,
    boundsSources: true,
    prepare({ folder, httpPort, httpsPort, servicePort }) {
      const text = put(kit("nginx/dispense.conf"), {
        "api.example.ng;": `${name};`,
        "dispense_sources 1000;": `dispense_sources ${sourceMax};`,
        "listen 80;": `listen 127.0.0.1:${httpPort};`,
        "listen [::]:80;": "",
        "listen 443 ": `listen 127.0.0.1:${httpsPort} `,
        "listen [::]:443 ssl http2;": "",
        "/etc/letsencrypt/live/api.example.ng/fullchain.pem": certificate,
        "/etc/letsencrypt/live/api.example.ng/privkey.pem": key,
        "127.0.0.1:8080": `127.0.0.1:${servicePort}`,
      });
      writeFileSync(path.join(folder, "dispense.conf"), text);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join(" ");
      const user = process.getuid?.() === 0 ? "user root;" : "";
      const main =
        `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;\n` +
        `events {} http { access_log off; ${temporary} include ${folder}/dispense.conf; }\n`;
      writeFileSync(path.join(folder, "nginx.conf"), main);
      return ["-p", folder, "-e", "stderr", "-c", path.join(folder, "nginx.conf")];
    },
  },
  HAProxy: {
    program: "haproxy",
    version: "-v",
    asksReadyz: true,
    boundsSources: true,
    prepare({ folder, httpPort, httpsPort, servicePort }) {
      const pem = path.join(folder, "certificate.pem");
      writeFileSync(pem, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"), { mode: 0o600 });
      const text = put(kit("haproxy/haproxy.cfg"), {
        "log /dev/log local0": "log stderr local0",
        "sc0_conn_cur gt 1000": `sc0_conn_cur gt ${sourceMax}`,
        "    user haproxy\n": "",
        "    group haproxy\n": "",
        "bind :80": `bind 127.0.0.1:${httpPort}`,
        "bind :443": `bind 127.0.0.1:${httpsPort}`,
        "/etc/haproxy/api.example.ng.pem": pem,
        "127.0.0.1:8080": `127.0.0.1:${servicePort}`,
      });
      writeFileSync(path.join(folder, "haproxy.cfg"), text);
      return ["-db", "-f", path.join(folder, "haproxy.cfg")];
    },
  },
};
