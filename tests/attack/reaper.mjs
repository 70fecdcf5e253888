// Ends what the attacking process has started, once that process is gone, however it ended.
// Started by it with an IPC channel; Linux only, where /proc lists a process's children.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;
const parent = process.ppid;
let children = [];

setInterval(() => {
  try {
    children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    // The parent is ending, or this system has no such list.
  }
}, LOOK_EVERY_MS);

process.on('disconnect', () => {
  for (const pid of children) {
    try {
      if (pid !== process.pid) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  process.exit();
});
// Ctrl-C reaches the whole group; the parent ends its servers itself.
process.on('SIGINT', () => undefined);
