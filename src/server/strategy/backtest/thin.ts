/** At most this many points of a curve, evenly, its first and last among them. */
export function thin<T>(points: readonly T[], most: number): T[] {
  const step = Math.ceil(points.length / (most - 1));
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
