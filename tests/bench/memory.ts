import { readFileSync } from 'node:fs';

/** The most memory that a process ever held, MB, as the kernel counted it. The server starts no other process. */
export function peakMb(pid: number): number {
  const peak = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmHWM:\s+(\d+)/m)?.[1];
  return Number(peak ?? Number.NaN) / 1024;
}
