// Runs the built server as a child of start.mjs, and stops it when start.mjs says so or dies.
import { pathToFileURL } from 'node:url';
import { at } from './root.mjs';

const end = () => process.exit(0);
process.on('SIGINT', end).on('SIGTERM', end);
// Windows has no signals between processes, so start.mjs sends their names.
process.on('message', (signal) => process.emit(signal, signal));
// A server that is stopping already would take the second signal for an order to end at once.
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isStopping = true));
process.on('disconnect', () => isStopping || process.emit('SIGTERM', 'SIGTERM'));
await import(pathToFileURL(at('dist/server/main.js')).href);
// From here on the server handles both signals itself.
process.off('SIGINT', end).off('SIGTERM', end);
