/** A plain-text message to one person. */
export interface Mail {
  to: string;
  subject: string;
  /** Lines end with '\n'. */
  text: string;
  /** Messages with the same id are the same message: mail programs may show one of them. */
  id?: string;
}

/** Sends mail. `send` returns the destination for the log and throws when delivery fails. */
export interface MailPort {
  send(mail: Mail): Promise<string>;
  close(): void;
}
