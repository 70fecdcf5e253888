/** The channel on which a tab tells the others, and the script of the stored first screen, that a user signed out. */
export const SIGN_OUT_CHANNEL = 'tidemark/sign-out';
