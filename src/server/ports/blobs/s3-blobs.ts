import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { S3, S3ServiceException } from '@aws-sdk/client-s3';
import { SECOND } from '#domain/clock.ts';
import { runOnce } from '#domain/run-once.ts';
import { measureCall } from '#server/metrics/measurements.ts';
import { type BlobStore, BlobStoreAwayError, demandHash, HASH, refOf, type StoredBlob } from './blob-store.ts';

/** A bucket of an S3-compatible server, for this installation alone. */
export interface S3Access {
  /** Address of the server; undefined for Amazon's. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const PREFIX = 'blobs/';
/**
 * How long one operation may take with its repetitions, ms: `has` runs inside a transaction. A connection without a byte for as long is
 * closed, which also ends streams whose reader stalls.
 */
const DEADLINE = 10 * SECOND;
/** Time limit of a connection attempt, ms. */
const CONNECT = 3 * SECOND;
/** Connections at once. Far above the SDK's 50, because each stalled reader of a picture keeps one until the deadline. */
const MAX_SOCKETS = 1000;

const keyOf = (hash: string): string => PREFIX + demandHash(hash);

/** Stores blobs as objects `blobs/<SHA-256>` of a bucket. Throws `BlobStoreAwayError` when the server cannot be used. `deadline` in ms. */
export function openS3Blobs(access: S3Access, deadline = DEADLINE): BlobStore {
  const { call, find } = createCalls(access, deadline);
  const { bucket: Bucket } = access;

  return {
    async put(source) {
      const blob = await refOf(source instanceof Uint8Array ? [source] : createReadStream(source.path));
      const Body = source instanceof Uint8Array ? source : createReadStream(source.path);
      try {
        await call((s3, options) => s3.putObject({ Bucket, Key: keyOf(blob.hash), Body, ContentLength: blob.size }, options));
      } finally {
        if (!(Body instanceof Uint8Array)) Body.destroy();
      }
      return blob;
    },

    async read({ hash, size }) {
      const Key = keyOf(hash);
      const found = await find((s3, options) => s3.getObject({ Bucket, Key }, options));
      const body = found?.Body as Readable | undefined;
      if (found?.ContentLength === size) return body;
      body?.destroy();
      return undefined;
    },

    async has({ hash, size }) {
      const Key = keyOf(hash);
      const found = await find((s3, options) => s3.headObject({ Bucket, Key }, options));
      return found?.ContentLength === size;
    },

    async remove(hash) {
      const Key = keyOf(hash);
      // Some servers answer 404 for a key that does not exist, Amazon 204.
      await find((s3, options) => s3.deleteObject({ Bucket, Key }, options));
    },

    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const page = await call((s3, options) => s3.listObjectsV2({ Bucket, Prefix: PREFIX, ContinuationToken }, options));
        for (const { Key = '', Size: size = 0, LastModified } of page.Contents ?? []) {
          const hash = Key.slice(PREFIX.length);
          if (HASH.test(hash)) yield { hash, size, storedAt: LastModified?.getTime() ?? Date.now() } satisfies StoredBlob;
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },

    // A PUT that is cut off leaves no object, and multipart uploads are not used.
    deleteUnfinished: async () => undefined,
  };
}

type Operation<T> = (s3: S3, options: { abortSignal: AbortSignal }) => Promise<T>;

/**
 * Returns functions that run an operation with a deadline for its answer, and explain its failure. A body may be read after the deadline.
 * `find` returns undefined for a missing key.
 */
function createCalls(access: S3Access, deadline: number) {
  // Loads the SDK at the first use: most installations have no bucket.
  const open = runOnce(() => openClient(access, deadline));

  async function run<T>(operation: Operation<T>): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), deadline);
    try {
      const s3 = await open();
      return await measureCall('bucket', () => operation(s3, { abortSignal: late.signal }), isNoKey);
    } finally {
      clearTimeout(timer);
    }
  }

  // Without the cause, which holds the connection with all its fields.
  function fail(error: S3ServiceException): never {
    const status = error.$metadata?.httpStatusCode;
    const isNamed = status === undefined || !NAMELESS.includes(error.name);
    throw new BlobStoreAwayError(`S3 bucket ${access.bucket}: ${isNamed ? `${error.name}: ${error.message}` : `status ${status}`}`);
  }

  return {
    call: <T>(operation: Operation<T>): Promise<T> => run(operation).catch(fail),
    find: <T>(operation: Operation<T>): Promise<T | undefined> =>
      run(operation).catch((error) => (isNoKey(error) ? undefined : fail(error))),
  };
}

async function openClient({ endpoint, region, accessKeyId, secretAccessKey }: S3Access, deadline: number): Promise<S3> {
  // The pinned version supports Node 20; the SDK announces at each start that later ones will not.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { S3 } = await import('@aws-sdk/client-s3');
  const client = new S3({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey },
    // It would print beside the log; every failure is thrown.
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    // Servers other than Amazon's refuse the SDK's newer checksum headers; the signed SHA-256 checks the content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT,
      requestTimeout: deadline,
      throwOnRequestTimeout: true,
      socketTimeout: deadline,
      httpAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
      httpsAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
    },
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        // Signs the SHA-256 in the key, so that the server refuses a file that changes while it is sent.
        if (commandName === 'PutObjectCommand') headers['x-amz-content-sha256'] = (args.input as { Key: string }).Key.slice(PREFIX.length);
        return next(args);
      },
    { step: 'build' },
  );
  return client;
}

/** HEAD has no body that could name the error: a missing bucket looks like a missing key there. */
const isNoKey = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes((error as S3ServiceException).name);

/** The SDK's names of errors that no body names. */
const NAMELESS = ['Unknown', 'NotFound'];
