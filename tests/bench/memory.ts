import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 20;

const statusKb = (pid: number, field: string) =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${field}:\\s+(\\d+)`, 'm'))?.[1] ?? 0);

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** Resident memory of a process and all below it, MB. A process that ends meanwhile counts as nothing. */
function treeMb(pid: number): number {
  try {
    return statusKb(pid, 'VmRSS') / 1024 + childrenOf(pid).reduce((sum, child) => sum + treeMb(child), 0);
  } catch {
    return 0;
  }
}

/** The most memory that one process ever held, MB, as the kernel counted it. */
export const peakMb = (pid: number) => statusKb(pid, 'VmHWM') / 1024;

/** Follows all children of this process, and theirs, until stopped; answers with the most they held together, MB. */
export function watchChildren(): () => number {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, ...childrenOf(process.pid).map(treeMb));
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}
