import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { type OpenDb, openDb } from '#server/db/open.ts';
import { operatorSwitches, secretFingerprints } from '#server/db/schema/operations.ts';
import { createCommands } from '#server/operator/commands.ts';
import { withBots } from '#server/operator/with-bots.ts';
import { claimSecrets } from '#server/settings/shared-secrets.ts';
import { bundleProgram } from '#tests/support/processes/bundle.mjs';
import { freePort } from '#tests/support/processes/free-port.ts';
import { launch } from '#tests/support/processes/launch.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';

const [OLD, NEW, OTHER] = ['s'.repeat(32), 'n'.repeat(32), 'o'.repeat(32)];
const SECRETS_DIFFER = 'SECRETS_KEY: differs from the one that this database was set up with.';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-secrets-'));
let open: OpenDb;
let shared: Record<string, string>;
let program: string;

onPostgres(
  async ({ url }) => {
    shared = { ...sharedEnv(url), PAPER_FEED: 'replay' };
    open = await openDb({ databaseUrl: url, dataDir: '' });
    program = await bundleProgram('src/server/main.ts');
  },
  async () => open?.close(),
);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const dataDir = () => fs.mkdtempSync(path.join(folder, 'data-'));
const configOf = (env: Record<string, string> = {}) => readConfig({ ...shared, DATA_DIR: dataDir(), ...env });
const claim = (env?: Record<string, string>) => claimSecrets(open.db, configOf(env));
const stored = () => open.db.select().from(secretFingerprints).orderBy(secretFingerprints.setting);

/** Runs a command of the operator with these settings, as without a server. */
function run(asked: Parameters<ReturnType<typeof createCommands>>[0], env?: Record<string, string>) {
  const notify = async () => () => undefined;
  const use = withBots({ config: configOf(env), db: open.db, queue: open.queue, clock: Date.now, notify, notifyAll: notify });
  const unused = undefined as never;
  const audit = { note: () => undefined, counts: () => ({}) };
  const rotateKey = () => use((bots) => bots.rotateKey());
  const options = {
    db: open.db,
    clock: Date.now,
    contacts: unused,
    bots: unused,
    erase: unused,
    audit,
    rotateKey,
    verify: unused,
    copyData: unused,
    startedAt: null,
    countClock: Date.now,
  };
  return createCommands(options)(asked);
}

test('of two starts at once with different secrets, one works', async () => {
  for (let round = 0; round < 10; round++) {
    await open.db.delete(secretFingerprints);
    const starts = [OLD, OTHER].map((secret) => claim({ JWT_SECRET: secret, SECRETS_KEY: secret }));
    const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
  }
  expect(JSON.stringify(await stored())).not.toMatch(/[os]{8}/);
});

test('a process with another secret, or without one, says so in one line and ends', async () => {
  await open.db.delete(secretFingerprints);
  await claim();
  const server = launch(program, { ...shared, DATA_DIR: dataDir(), PORT: String(await freePort()), JWT_SECRET: OTHER });
  const url = await server.ready;
  server.child.kill('SIGKILL');
  expect(url).toBe(undefined);
  const { code, stdout, stderr } = await server.ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Tidemark cannot start\. JWT_SECRET: differs from the one that this database was set up with\. [^\n]+\n$/);

  const bare = dataDir();
  const message = `JWT_SECRET: is not set, and the one made in ${bare} differs from the one that this database was set up with.`;
  await expect(claim({ JWT_SECRET: '', DATA_DIR: bare })).rejects.toThrow(message);
});

test('a changed JWT_SECRET is refused until the operator forgets the old one', async () => {
  await open.db.delete(secretFingerprints);
  await claim();
  await expect(claim({ JWT_SECRET: NEW })).rejects.toThrow('JWT_SECRET: differs');
  expect(await run({ command: 'forget-secret', name: 'JWT_SECRET' })).toMatchObject([{ forgotten: 'JWT_SECRET', had_fingerprint: true }]);
  // A refused start stores nothing.
  await expect(claim({ JWT_SECRET: OTHER, SECRETS_KEY: OTHER })).rejects.toThrow(SECRETS_DIFFER);
  await claim({ JWT_SECRET: NEW });
  await expect(claim()).rejects.toThrow('JWT_SECRET: differs');
  await run({ command: 'forget-secret', name: 'JWT_SECRET' });
  await claim();
});

test('a rotation of SECRETS_KEY moves the fingerprint when the new key takes over', async () => {
  const both = { SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD };
  await claim(both);
  await claim();
  await expect(claim({ SECRETS_KEY: NEW })).rejects.toThrow(SECRETS_DIFFER);
  // The operator's command without the right keys changes nothing.
  const wrong = { SECRETS_KEY: OTHER, SECRETS_KEY_PREVIOUS: NEW };
  await expect(run({ command: 'rotate-key' }, wrong)).rejects.toThrow(SECRETS_DIFFER);
  expect(await open.db.$count(operatorSwitches)).toBe(0);

  await run({ command: 'rotate-key' }, both);
  await claim(both);
  await claim({ SECRETS_KEY: NEW });
  await expect(claim()).rejects.toThrow(SECRETS_DIFFER);
});

test('a database whose rotation began before it had fingerprints gets that of the key that encrypts', async () => {
  const both = { SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD };
  await open.db.delete(secretFingerprints);
  await claim(both);
  await expect(claim()).rejects.toThrow(SECRETS_DIFFER);

  await open.db.delete(secretFingerprints);
  await open.db.delete(operatorSwitches).where(eq(operatorSwitches.name, 'sealing-key'));
  await claim(both);
  await claim();
});
