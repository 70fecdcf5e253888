/** The product's name on screens, in mails and in log lines. */
export const PRODUCT = 'Tidemark';
