const filled = (piece: string, length: number, end = '') => piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + end;

/** Texts of about `length` characters that make careless regular expressions backtrack. */
export const HOSTILE_TEXTS: Record<string, (length: number) => string> = {
  'at signs and dots': (length) => filled('@.', length, ' x'),
  letters: (length) => filled('a', length),
  'letters and a sign': (length) => filled('a', length, '!'),
  spaces: (length) => ` ${filled(' \t', length)}x`,
  digits: (length) => filled('1', length, 'x'),
  dashes: (length) => filled('-', length),
  'combining characters': (length) => filled('e\u0301\u0323', length),
  'half characters': (length) => filled('\ud800', length),
  quotes: (length) => filled(`"'\\"[{`, length),
  domains: (length) => filled('a.-_', length, ' www'),
  mixed: (length) => filled('aA1!@.-/: \u202e\u200d漢', length),
};
