import fs from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { createCluster } from './create-cluster.ts';

/** What this file knows of PGlite's inside. It holds for the pinned version; tests/server/db counts the fsyncs. */
interface NodefsModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } };
}

/** PGlite leaves fsync out of its file system, so a power cut would lose acknowledged rows. This puts it back. */
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

/** Opens (and on first use creates) the embedded database, with every commit on disk before it is acknowledged. */
export async function openDurable(directory: string): Promise<PGlite> {
  // Optimising PostgreSQL's WebAssembly costs V8 some 80 MB and gains nothing that was measurable: its quick code will do.
  setFlagsFromString('--liftoff-only');
  if (!fs.existsSync(directory)) await createCluster(directory);
  const startParams = [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    ...['fsync=on', 'wal_sync_method=fsync', 'shared_buffers=16MB'].flatMap((setting) => ['-c', setting]),
  ];
  return PGlite.create({ fs: new DurableNodeFS(directory), startParams });
}
