import type { Attack } from './attack';
import { endedSessions } from './attacks/accounts/ended-sessions';
import { guessCodes } from './attacks/accounts/guess-codes';
import { guessPasswords } from './attacks/accounts/guess-passwords';
import { registrationOverwrite } from './attacks/accounts/registration-overwrite';
import { badRequests } from './attacks/inputs/bad-requests';
import { hostileBodies } from './attacks/inputs/hostile-bodies';
import { redos } from './attacks/inputs/redos';
import { socketEvents } from './attacks/inputs/socket-events';
import { twoUsers } from './attacks/inputs/two-users';
import { contactPictures } from './attacks/limits/contact-pictures';
import { deafSockets } from './attacks/limits/deaf-sockets';
import { slowUploads } from './attacks/limits/slow-uploads';
import { socketFlood } from './attacks/limits/socket-flood';

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
];
