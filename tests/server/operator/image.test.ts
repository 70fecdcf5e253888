import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '#tests/faults/api.ts';
import { mailReader } from '#tests/support/mail/mail-folder.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { connect, next, questionOf, send } from '#tests/support/server/realtime.ts';
import { at } from '#tools/root.mjs';

const run = promisify(execFile);
const dockerfile = readFileSync(at('ops/Dockerfile'), 'utf8');
/** The base image, by https://labs.iximiuz.com/tutorials/how-to-choose-nodejs-container-image; the bar for the whole image. MB. */
const SIZES = { base: 141, image: 350 };
/** The user of the image. Only root can become it; others run the server as themselves. */
const USER = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {};

const folder = mkdtempSync(join(tmpdir(), 'tidemark-image-'));
const image = join(folder, 'app');
const data = join(folder, 'data');

/** Runs what the Dockerfile's first stage runs, with the files that it copies. */
async function buildImage(): Promise<void> {
  const source = join(folder, 'source');
  for (const [, names] of dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm))
    for (const name of names?.split(' ').slice(0, -1) ?? []) cpSync(at(name), join(source, name), { recursive: true });
  symlinkSync(at('node_modules'), join(source, 'node_modules'));
  const [, command = ''] = /^RUN (npm run build .+)$/m.exec(dockerfile) ?? [];
  await run('/bin/sh', ['-c', command.replace(' /image', ` ${image}`).replace('mkdir /data', `mkdir ${data}`)], { cwd: source });
}

/** Returns a command of the Dockerfile. */
const listOf = (line: RegExp): string[] => JSON.parse(line.exec(dockerfile)?.[1] ?? '[]');

function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.runIf(isNightly)('the image', () => {
  let url: string;
  let child: ReturnType<typeof spawn>;
  let log = '';
  const env: Record<string, string> = {};

  beforeAll(async () => {
    await buildImage();
    chmodSync(folder, 0o755);
    if (USER.uid) chownSync(data, USER.uid, USER.gid);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    for (const [, setting = ''] of dockerfile.matchAll(/(\b[A-Z_]+=\S+)/g)) {
      const [name = '', value = ''] = setting.split('=');
      env[name] = value;
    }
    Object.assign(env, {
      PORT: String(port),
      DATA_DIR: data,
      PUBLIC_URL: 'https://app.example.com',
      TRUST_PROXY: 'on',
      PAPER_FEED: 'replay',
      MARKET: 'demo',
    });
    const [, ...args] = [...listOf(/^ENTRYPOINT (\[.+\])$/m), ...listOf(/^CMD (\[.+\])$/m)];
    child = spawn(process.execPath, args, { cwd: image, env, ...USER });
    child.stderr?.on('data', (chunk) => (log += chunk));
    child.stdout?.on('data', (chunk) => (log += chunk));
    await Promise.race([
      new Promise<void>((resolve) => child.stdout?.on('data', () => log.includes('ready at') && resolve())),
      once(child, 'exit').then(() => Promise.reject(new Error(log))),
    ]);
  }, 300_000);
  afterAll(async () => {
    if (child && child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('is smaller than 350 MB', () => {
    const bytes = filesOf(image).reduce((sum, file) => sum + statSync(file).size, 0);
    console.log(`The image adds ${Math.round(bytes / 1e6)} MB to its base.`);
    expect(bytes / 1e6 + SIZES.base).toBeLessThan(SIZES.image);
  });

  test('takes a sign-up and answers a question from a tree that it cannot write', async () => {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1];
    expect((await fetch(`${url}${script}`)).status).toBe(200);
    const { userId, token } = await signUp({ url, readCode: mailReader(join(data, 'mail')) }, 1, 'image@example.com');
    const socket = await connect(url, token);
    const answered = next(socket, 'chat_response');
    await send(socket, questionOf(userId));
    expect((await answered).ai_response).not.toBe('');
    socket.disconnect();
    expect(filesOf(image).filter((file) => (statSync(file).mode & 0o022) !== 0)).toEqual([]);
  });

  test('finds the packages that load late: exchanges, metrics, traces, a bucket, Redis and PostgreSQL', async () => {
    const names = [
      '@aws-sdk/client-s3',
      '@redis/client',
      'prom-client',
      '@opentelemetry/exporter-trace-otlp-http',
      'pg',
      'sharp',
      'nodemailer',
    ];
    const exchanges = ['bybit', 'okx', 'binance', 'coinbase', 'kraken'].map(
      (exchange) => `await import(new URL('./src/${exchange}.js', import.meta.resolve('ccxt')).href);`,
    );
    const script = [...names.map((name) => `await import('${name}');`), ...exchanges].join('');
    await run(process.execPath, ['--input-type=module', '-e', script], { cwd: image, ...USER });
  });

  test('is healthy by its own check while it runs, and not after', async () => {
    const [, ...args] = listOf(/HEALTHCHECK[^[]*CMD (\[.+\])$/m);
    await run(process.execPath, args, { env });
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    await expect(run(process.execPath, args, { env })).rejects.toMatchObject({ code: 1 });
  });
});
