import type { Attack } from './attack.ts';
import { endedSessions } from './attacks/accounts/ended-sessions.ts';
import { guessCodes } from './attacks/accounts/guess-codes.ts';
import { guessPasswords } from './attacks/accounts/guess-passwords.ts';
import { registrationOverwrite } from './attacks/accounts/registration-overwrite.ts';
import { stolenSession } from './attacks/accounts/stolen-session.ts';
import { badRequests } from './attacks/inputs/bad-requests.ts';
import { deceptiveNames } from './attacks/inputs/deceptive-names.ts';
import { hostileBodies } from './attacks/inputs/hostile-bodies.ts';
import { largePictures } from './attacks/inputs/large-pictures.ts';
import { localPages } from './attacks/inputs/local-pages.ts';
import { longQuestions } from './attacks/inputs/long-questions.ts';
import { redos } from './attacks/inputs/redos.ts';
import { socketEvents } from './attacks/inputs/socket-events.ts';
import { twoUsers } from './attacks/inputs/two-users.ts';
import { archives } from './attacks/limits/archives.ts';
import { askThenStop } from './attacks/limits/ask-then-stop.ts';
import { botKeys } from './attacks/limits/bot-keys.ts';
import { coinCredits } from './attacks/limits/coin-credits.ts';
import { contactPictures } from './attacks/limits/contact-pictures.ts';
import { deafSockets } from './attacks/limits/deaf-sockets.ts';
import { pictureQuestions } from './attacks/limits/picture-questions.ts';
import { slowUploads } from './attacks/limits/slow-uploads.ts';
import { socketFlood } from './attacks/limits/socket-flood.ts';
import { storedAnswers } from './attacks/limits/stored-answers.ts';

/** Every attack, in running order. */
export const ATTACKS: readonly Attack[] = [
  redos,
  hostileBodies,
  badRequests,
  socketEvents,
  twoUsers,
  guessCodes,
  guessPasswords,
  registrationOverwrite,
  endedSessions,
  deafSockets,
  socketFlood,
  slowUploads,
  contactPictures,
  stolenSession,
  deceptiveNames,
  longQuestions,
  largePictures,
  localPages,
  pictureQuestions,
  coinCredits,
  askThenStop,
  botKeys,
  archives,
  storedAnswers,
];
