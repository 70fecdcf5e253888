// Ends the children of the attacking process once that process is gone, even after a crash.
// Linux only, where /proc lists a process's children.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;
const parent = process.ppid;
let children = [];

setInterval(() => {
  try {
    const listed = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g)?.map(Number);
    // A dead process lists no children, so keep the last list.
    if (listed) children = listed;
  } catch {
    // The parent is exiting, or the system has no such list.
  }
}, LOOK_EVERY_MS);

process.on('disconnect', () => {
  for (const pid of children) {
    try {
      if (pid !== process.pid) process.kill(pid, 'SIGKILL');
    } catch {
      // The process has exited.
    }
  }
  process.exit();
});
// Ctrl-C reaches the whole group, and the parent ends its servers itself.
process.on('SIGINT', () => undefined);
