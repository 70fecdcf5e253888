import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { at } from '#tools/root.mjs';

const run = promisify(execFile);
const LOCK = 'package-lock.json';

/** A build of an earlier commit. */
export interface Release {
  /** Path of its server program. */
  program: string;
  /** Returns whether its sources have a file. */
  has(source: string): boolean;
}

/** Builds an earlier commit of this repository in `.cache`, or takes the build that is there. Needs the network if its packages differ from ours. */
export async function buildRelease(commit: string): Promise<Release> {
  const folder = at('.cache/releases', commit);
  if (!existsSync(folder)) await extract(commit, folder);
  await install(folder);
  await run(process.execPath, ['src/tools/build.mjs'], { cwd: folder });
  return { program: join(folder, 'dist/server/main.js'), has: (source) => existsSync(join(folder, source)) };
}

async function extract(commit: string, folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await run('git', ['archive', '--format=tar', '--output', join(unfinished, 'release.tar'), commit], { cwd: at('.') });
    await run('tar', ['-xf', 'release.tar'], { cwd: unfinished });
    rmSync(join(unfinished, 'release.tar'));
    renameSync(unfinished, folder);
  } catch (error) {
    throw new Error(`git has no files of ${commit}: fetch the whole history.`, { cause: error });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Installs the release's packages. It shares ours while both have the same ones. */
async function install(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const isShared = lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const isSame = readFileSync(join(folder, LOCK), 'utf8') === readFileSync(at(LOCK), 'utf8');
  if (isShared && !isSame) rmSync(modules);
  if (existsSync(modules)) return;
  if (isSame) symlinkSync(at('node_modules'), modules);
  else await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: folder });
}
