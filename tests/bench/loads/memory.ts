import { readFileSync } from 'node:fs';

/** Returns the peak memory of a process in MB, from the kernel. The server has no child processes. */
export function peakMb(pid: number): number {
  const peak = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmHWM:\s+(\d+)/m)?.[1];
  return Number(peak ?? Number.NaN) / 1024;
}
