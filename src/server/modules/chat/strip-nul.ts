/** Removes NUL, the only character that PostgreSQL text cannot hold. */
export const stripNul = (text: string): string => text.replaceAll('\0', '');
