import { FREE_PICTURES_A_DAY } from '#domain/plans/allowance.ts';

/** Returns the sentence on the cost of a picture without a readable chart. `used` is the number of free ones today. */
export function freePictureNote(used: number): string {
  const left = FREE_PICTURES_A_DAY - 1 - used;
  if (left < 0)
    return `This picture counts as a chart analysis. Only ${FREE_PICTURES_A_DAY} pictures a day without a readable chart are free.`;
  if (left === 0)
    return 'This picture is not counted. It was the last free one today: until 00:00 UTC, every further picture counts as a chart analysis.';
  return `This picture is not counted. ${left} more without a readable chart ${left === 1 ? 'is' : 'are'} free today.`;
}
