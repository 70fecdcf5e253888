// Ends what the attacking process has started, once that process is gone, however it ended.
// Started by it with an IPC channel; Linux only, where /proc lists a process's children.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;
const parent = process.ppid;
let children = [];

setInterval(() => {
  try {
    const listed = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g)?.map(Number);
    // A process that has just died has no children: the ones to end are those it had.
    if (listed) children = listed;
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
