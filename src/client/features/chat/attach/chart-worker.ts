import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import { marksOf } from '#domain/chart-reading/describe-reading.ts';
import { readChart } from '#domain/chart-reading/read-chart.ts';

/** Reads one chart picture. Posts null for a file that the browser cannot open. */
self.onmessage = async ({ data }: MessageEvent<Blob>) => {
  self.postMessage(await read(data).catch(() => null));
};

async function read(file: Blob): Promise<ChartMarks> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return marksOf(readChart({ width, height, data: context.getImageData(0, 0, width, height).data }));
}
