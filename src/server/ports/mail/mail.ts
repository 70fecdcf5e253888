/** A message to one person, in plain text. */
export interface Mail {
  to: string;
  subject: string;
  /** Lines end with '\n'. */
  text: string;
}

/** The way out for mail. `send` says where the message went, in words fit for the log; it throws when it went nowhere. */
export interface MailPort {
  send(mail: Mail): Promise<string>;
  close(): void;
}
