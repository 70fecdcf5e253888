import { expect, onTestFinished, test } from 'vitest';

import { type LoopbackS3, startLoopbackS3 } from '#tests/support/blobs/loopback-s3.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer } from '#tests/support/server/server.ts';

let url: string;
let s3: LoopbackS3;

onPostgres(
  async (postgres) => {
    url = postgres.url;
    s3 = await startLoopbackS3();
  },
  async () => s3?.close(),
);

/** Starts a server with the bucket and these settings. Returns the lines of its log that are errors. */
async function start(settings: Record<string, string> = {}): Promise<string[]> {
  const { endpoint = '', region, bucket, accessKeyId, secretAccessKey } = s3.access;
  const keys = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  const lines: string[] = [];
  const server = await startServer({
    env: { ...sharedEnv(url), LOG_LEVEL: 'error', S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket, ...keys, ...settings },
    logTo: { write: (line) => lines.push(line) },
  });
  onTestFinished(() => server.close());
  await server.settled();
  return lines.filter((line) => line.includes('the bucket cannot keep pictures: check the settings that begin with S3_'));
}

test('a start with a bucket that works says nothing and leaves nothing in it', async () => {
  s3.calls.length = 0;
  expect(await start()).toEqual([]);
  expect(s3.calls.map((call) => call.split(' ')[0])).toEqual(expect.arrayContaining(['PUT', 'GET', 'DELETE']));
  expect(s3.objects.size).toBe(0);
});

test.each([
  ['key', { S3_SECRET_ACCESS_KEY: 'another' }, 'SignatureDoesNotMatch'],
  ['bucket', { S3_BUCKET: 'another' }, 'NoSuchBucket'],
])('a start with a wrong %s says so in its log', async (_what, settings, reason) => {
  const lines = await start(settings);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(reason);
});
