/** Characters of the earlier title: with the ending, wide lists show all of it. */
const LENGTH = 24;
const ENDING = ', continued';
const CONTINUED = /, continued(?: \(\d{1,4}\))?$/;

/** Names a chat that continues one with this title: "Staking, continued", also where that was a continuation. Empty for no title. */
export function continuedTitle(title: string): string {
  const characters = [...title.replace(CONTINUED, '').trim()];
  if (characters.length === 0) return '';
  const start =
    characters.length > LENGTH
      ? `${characters
          .slice(0, LENGTH - 1)
          .join('')
          .trimEnd()}…`
      : characters.join('');
  return start + ENDING;
}
