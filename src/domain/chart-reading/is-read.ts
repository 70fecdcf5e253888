import type { ChartReading } from '#contract/chat/chart-reading.ts';

/** Below this confidence nothing of a chart is told: a wrong level costs the user more than none. */
const MIN_CONFIDENCE = 0.6;

/** Returns whether a chart was found and read with enough confidence. A picture that is not read is free a few times a day. */
export const isRead = ({ kind, confidence }: Pick<ChartReading, 'kind' | 'confidence'>): boolean =>
  kind !== 'none' && confidence >= MIN_CONFIDENCE;
