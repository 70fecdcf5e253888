import fs from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { StartupError } from '#server/startup-error.ts';
import { createCluster } from './create-cluster.ts';

/** PostgreSQL's major version inside PGlite, which reads no other one's files. Raise it with PGlite. */
export const POSTGRES = '18';

/** Optimizing PostgreSQL's WebAssembly takes V8 80 MB, for seconds 600 MB on Node 24, and shows no measurable gain. */
const UNOPTIMIZED = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** PGlite internals that this file depends on. Valid for the pinned version; database.test.ts counts the fsyncs. */
interface NodefsModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } };
}

/** Adds fsync, which PGlite's file system omits. Without it, a power cut would lose acknowledged rows. */
class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const started = await super.init(...args);
    started.emscriptenOpts.preRun = [
      ...(started.emscriptenOpts.preRun ?? []),
      (module: unknown) => {
        (module as NodefsModule).NODEFS.stream_ops.fsync = (stream) => {
          if (stream.nfd !== undefined) fs.fsyncSync(stream.nfd);
          return 0;
        };
      },
    ];
    return started;
  }
}

/** Throws for the files of another PGlite, which would end the process without a reason. */
function demandVersion(directory: string): void {
  const file = path.join(directory, 'PG_VERSION');
  const made = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : POSTGRES;
  if (made === POSTGRES) return;
  throw new StartupError(
    `DATA_DIR: ${directory} was made with PostgreSQL ${made}, and this version of Tidemark has ${POSTGRES}. ` +
      'Run `npm run operator -- backup` with the version that made it, and `restore` with this one (docs/operations.md, Upgrade).',
  );
}

/** Opens the embedded database and creates it on first use. Every commit is on disk before it is acknowledged. */
export async function openDurable(directory: string): Promise<PGlite> {
  for (const flag of UNOPTIMIZED) setFlagsFromString(flag);
  if (!fs.existsSync(directory)) await createCluster(directory);
  demandVersion(directory);
  const startParams = [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    ...['fsync=on', 'wal_sync_method=fsync', 'shared_buffers=16MB'].flatMap((setting) => ['-c', setting]),
  ];
  return PGlite.create({ fs: new DurableNodeFS(directory), startParams });
}
