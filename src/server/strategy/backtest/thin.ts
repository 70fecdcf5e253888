/** Returns at most `most` evenly spread points of a curve, with its first and last. */
export function thin<T>(points: readonly T[], most: number): T[] {
  const step = Math.ceil(points.length / (most - 1));
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
