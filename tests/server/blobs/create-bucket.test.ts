import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import S3rver from 's3rver';
import { expect, onTestFinished, test } from 'vitest';
import { at } from '#tools/root.mjs';

const run = promisify(execFile);

test('ops/create-bucket.mjs creates the bucket of the settings, and leaves one that exists', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tidemark-s3-'));
  const s3rver = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory });
  const { port } = (await s3rver.run()) as { port: number };
  onTestFinished(async () => {
    await s3rver.close();
    rmSync(directory, { recursive: true });
  });
  const env = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'tidemark',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
  for (const _time of ['first', 'second']) await run(process.execPath, [at('ops/create-bucket.mjs')], { env });
  expect(existsSync(join(directory, 'tidemark'))).toBe(true);
  // Any other refusal fails, so that no server starts without its bucket.
  await expect(run(process.execPath, [at('ops/create-bucket.mjs')], { env: { ...env, S3_BUCKET: 'Ä' } })).rejects.toMatchObject({
    code: 1,
  });
});
