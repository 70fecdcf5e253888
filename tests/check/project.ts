import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder with exactly these files, deleted at the end of the test. */
export function createProject(files: Record<string, string>): string {
  const base = mkdtempSync(join(tmpdir(), 'tidemark-rules-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, file)), { recursive: true });
    writeFileSync(join(base, file), text);
  }
  return base;
}
