import type { Attack } from './attack';
import { endedSessions } from './attacks/accounts/ended-sessions';
import { guessCodes } from './attacks/accounts/guess-codes';
import { guessPasswords } from './attacks/accounts/guess-passwords';
import { registrationOverwrite } from './attacks/accounts/registration-overwrite';
import { stolenSession } from './attacks/accounts/stolen-session';
import { badRequests } from './attacks/inputs/bad-requests';
import { deceptiveNames } from './attacks/inputs/deceptive-names';
import { hostileBodies } from './attacks/inputs/hostile-bodies';
import { largePictures } from './attacks/inputs/large-pictures';
import { localPages } from './attacks/inputs/local-pages';
import { longQuestions } from './attacks/inputs/long-questions';
import { redos } from './attacks/inputs/redos';
import { socketEvents } from './attacks/inputs/socket-events';
import { twoUsers } from './attacks/inputs/two-users';
import { archives } from './attacks/limits/archives';
import { askThenStop } from './attacks/limits/ask-then-stop';
import { botKeys } from './attacks/limits/bot-keys';
import { coinCredits } from './attacks/limits/coin-credits';
import { contactPictures } from './attacks/limits/contact-pictures';
import { deafSockets } from './attacks/limits/deaf-sockets';
import { pictureQuestions } from './attacks/limits/picture-questions';
import { slowUploads } from './attacks/limits/slow-uploads';
import { socketFlood } from './attacks/limits/socket-flood';
import { storedAnswers } from './attacks/limits/stored-answers';

/** Every attack, in the order they run. */
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
