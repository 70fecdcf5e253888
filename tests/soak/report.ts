import type { Growth } from './judge.ts';
import { warm } from './judge.ts';
import type { SoakReport } from './soak.ts';

const MB = 1_000_000;
/** Growth of the data that needs no explanation: files of the database that belong to no table, bytes. */
const UNEXPLAINED = 5 * MB;

const mb = (bytes: number): string => (bytes / MB).toFixed(1);

/** Returns what is wrong with a run; nothing when it passed. */
export function failuresOf({ stage, processes, data, faults }: SoakReport): string[] {
  const grown = processes.flatMap(({ name, growths }) =>
    growths.filter(({ isOver }) => isOver).map((growth) => `${stage}, ${name}: ${sayGrowth(growth)}`),
  );
  const unexplained = Math.abs(data.rest) > UNEXPLAINED ? [`${stage}: ${mb(data.rest)} MB of the data belong to no table`] : [];
  return [...grown, ...unexplained, ...faults.map((fault) => `${stage}: ${fault}`)];
}

function sayGrowth({ what, hourly, error, allowed, isOver }: Growth): string {
  const say = (value: number) => (what === 'descriptors' ? value.toFixed(1) : `${mb(value)} MB`);
  return `${what} ${say(hourly)} ± ${say(error)} an hour${isOver ? ` (OVER ${say(allowed)})` : ''}`;
}

/** Returns lines to print. */
export function reportLines(report: SoakReport): string[] {
  const { stage, minutes, counts, processes, data } = report;
  const done = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return [
    `${stage}, ${minutes} min: ${done.join(', ')}`,
    ...processes.map(({ name, samples, growths }) => {
      const [first, last] = [warm(samples)[0], samples.at(-1)];
      const p99 = Math.max(...samples.map((sample) => sample.p99));
      const worst = Math.max(...samples.map((sample) => sample.worst));
      const threads = Math.max(...samples.map((sample) => sample.threads));
      const heap = `heap ${mb(first?.heap ?? 0)} to ${mb(last?.heap ?? 0)} MB, of threads up to ${mb(threads)} MB`;
      const memory = `${mb(first?.rss ?? 0)} to ${mb(last?.rss ?? 0)} MB, ${heap}`;
      const delay = `loop delay ${p99.toFixed(0)} ms (99 %), ${worst.toFixed(0)} ms (worst)`;
      return `  ${name}: ${memory}, ${first?.descriptors} to ${last?.descriptors} descriptors; ${growths.map(sayGrowth).join(', ')}; ${delay}`;
    }),
    `  data: ${mb(data.before)} to ${mb(data.after)} MB, ${mb(data.rest)} MB of it in no table`,
    ...data.parts.map(({ name, bytes, rows }) => `    ${name}: ${mb(bytes)} MB, ${rows} rows or files`),
  ];
}
