/** Joins class names and skips false ones. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
