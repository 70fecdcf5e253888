/** Removes NUL, the only character that PostgreSQL text cannot hold. */
export const stripNul = (text: string): string => text.replaceAll('\0', '');

/** Returns a value for a JSON column, or null for one that PostgreSQL refuses: with NUL, or with half of a surrogate pair. */
export const storableJson = <T>(value: T | undefined): T | null =>
  value === undefined || /\\u(d[89a-f]|0000)/i.test(JSON.stringify(value)) ? null : value;
