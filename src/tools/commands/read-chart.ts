import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { MAX_CHAT_IMAGE_BYTES, MAX_PIXELS } from '#contract/pictures.ts';
import { describeReading } from '#domain/chart-reading/describe-reading.ts';
import { readChart } from '#domain/chart-reading/read-chart.ts';
import { decodePicture } from '#server/pictures/decode-picture.ts';
import { PictureRefused } from '#server/pictures/open-picture.ts';

const MB = 1024 * 1024;
const REFUSALS = {
  type: 'The file is no PNG, JPEG or GIF.',
  pixels: `The picture has more than ${MAX_PIXELS / 1_000_000} million pixels.`,
  broken: 'The picture cannot be read.',
};

interface Answer {
  /** One line of JSON, or text for users. */
  output: string;
  exitCode: 0 | 1 | 2;
}

/** Runs `npm run read:chart -- FILE [--json]`; a relative FILE starts at `folder`. */
export async function command(args: string[], folder: string): Promise<Answer> {
  const files = args.filter((arg) => arg !== '--json');
  const [file] = files;
  if (!file || files.length > 1) return { output: 'Usage: npm run read:chart -- FILE [--json]', exitCode: 1 };
  return readChartFile(resolve(folder, file), { json: args.length > files.length });
}

/** Reads one picture. A picture it refuses answers `{ error: { code, message } }` and exit code 2. */
export async function readChartFile(file: string, { json }: { json: boolean }): Promise<Answer> {
  const refuse = (code: string, message: string): Answer => ({
    output: json ? JSON.stringify({ error: { code, message } }) : message,
    exitCode: 2,
  });
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return refuse('file_missing', 'There is no such file.');
  if (found.size > MAX_CHAT_IMAGE_BYTES) return refuse('image_bytes', `The file has more than ${MAX_CHAT_IMAGE_BYTES / MB} MB.`);
  try {
    const reading = readChart(await decodePicture(await readFile(file)));
    return { output: json ? JSON.stringify(reading) : describeReading(reading), exitCode: 0 };
  } catch (error) {
    if (error instanceof PictureRefused) return refuse(`image_${error.reason}`, REFUSALS[error.reason]);
    throw error;
  }
}
