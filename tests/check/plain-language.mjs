// Words that no file may contain: readers search for other ones or need a second read (CONTRIBUTING.md).

/** Each word with its replacement. */
const WORDS = [
  ['spec §\\S*', "the reason, or a row's id in docs/conformance.md"],
  ['failure modes?', "the reason, or a row's id in docs/conformance.md"],
  ['whoever|somebody|nobody', 'the user, the server, the bot'],
  ['taken? along|takes? (?:it|them|nobody) along', 'advance, export, fail the batch'],
  ['told of|tells? of', 'notify, report, show'],
  ['of no use', 'unused, expired'],
  ['shall', 'must, should'],
  ['lies', 'is, is stored'],
  ['wants fewer', 'limits our requests'],
  ['counts? anew', 'reset'],
  ['hitherto|thereof', 'so far, of it'],
  ['stands (?:for|in|on|at|there|beside|behind|below|above)|stood in', 'is, means'],
  ['what becomes of|became of', 'the outcome, the state'],
  ['looked at', 'visible, read, checked'],
  ['reigns?|abdicat\\w*', 'lead, resign'],
  ['errands?', 'afterResponse'],
  ['desks?', 'batched store'],
  ['holdUser', 'lockUser'],
  ['createGather', 'createBatcher'],
  ['createTend', 'runBotCycle'],
  ['words\\.ts', 'messages.ts, or the text beside its only user'],
].map(([pattern, instead]) => ({ pattern: new RegExp(`(?<!\\w)(?:${pattern})(?!\\w)`, 'i'), instead }));

/** Legal texts, and the files that name the words. */
const EXEMPT = /(^|\/)(terms-page|privacy-page)\.tsx$|^tests\/check\/plain-language\.|^tests\/check\/source-rules\.test\.ts$/;

/** Returns each line of a text file that contains one of the words. */
export function plainLanguage({ file, text }) {
  if (EXEMPT.test(file)) return [];
  return text.split('\n').flatMap((line, index) =>
    WORDS.flatMap(({ pattern, instead }) => {
      const word = line.match(pattern)?.[0];
      return word ? [{ place: file, message: `line ${index + 1}: instead of "${word}", write: ${instead}` }] : [];
    }),
  );
}
