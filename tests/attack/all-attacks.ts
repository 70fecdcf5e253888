import type { Attack } from './attack';
import { endedSessions } from './attacks/accounts/ended-sessions';
import { guessCodes } from './attacks/accounts/guess-codes';
import { guessPasswords } from './attacks/accounts/guess-passwords';
import { registrationOverwrite } from './attacks/accounts/registration-overwrite';
import { redos } from './attacks/inputs/redos';
import { contactPictures } from './attacks/limits/contact-pictures';
import { deafSockets } from './attacks/limits/deaf-sockets';
import { slowUploads } from './attacks/limits/slow-uploads';
import { socketFlood } from './attacks/limits/socket-flood';

/** Every attack, in the order they run. */
export const ATTACKS: readonly Attack[] = [
  redos,
  guessCodes,
  guessPasswords,
  registrationOverwrite,
  endedSessions,
  deafSockets,
  socketFlood,
  slowUploads,
  contactPictures,
];
