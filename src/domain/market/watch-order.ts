/**
 * Returns the ids with one of them moved before another, or to the end if `beforeId` is null. Returns the same array if
 * nothing changes or an id is missing: another device may have removed it.
 */
export function moved(ids: number[], id: number, beforeId: number | null): number[] {
  if (id === beforeId || !ids.includes(id)) return ids;
  const others = ids.filter((each) => each !== id);
  const at = beforeId === null ? others.length : others.indexOf(beforeId);
  if (at === -1 || at === ids.indexOf(id)) return ids;
  return [...others.slice(0, at), id, ...others.slice(at)];
}
