/** Minimum length of a name; shorter names are one edit away from too many ordinary words. */
export const SHORTEST_NAME = 6;
export const LONG_NAME = 8;

/** Whether a word is a name with one edit, or two in a long name. The first letter must match. */
export function isTypoOf(word: string, name: string): boolean {
  if (name.length < SHORTEST_NAME || word[0] !== name[0]) return false;
  const allowed = name.length >= LONG_NAME ? 2 : 1;
  if (Math.abs(word.length - name.length) > allowed) return false;
  return editDistance(word, name) <= allowed;
}

/** Returns the number of letters to insert, delete, replace or swap with their neighbor. */
export function editDistance(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const cost = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(swapped ? Math.min(cost, (twoAbove[column - 2] ?? 0) + 1) : cost);
    }
    twoAbove = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
