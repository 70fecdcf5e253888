import { FREE_PICTURES_A_DAY } from '#domain/plans/allowance.ts';

/** What an answer says about its cost when its picture showed no chart or could not be read; `used` are the day's free ones before it. */
export function freePictureNote(used: number): string {
  const left = FREE_PICTURES_A_DAY - 1 - used;
  if (left < 0)
    return `This picture counts as a chart analysis. Only ${FREE_PICTURES_A_DAY} pictures a day without a readable chart are free.`;
  if (left === 0)
    return 'This picture is not counted. It was the last free one today: until 00:00 UTC, every further picture counts as a chart analysis.';
  return `This picture is not counted. ${left} more without a readable chart ${left === 1 ? 'is' : 'are'} free today.`;
}
