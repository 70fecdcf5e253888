import pg from 'pg';

/** The parts of pg's connection and query that its types leave out. */
interface Wire {
  parse(message: { text: string; name: string }): void;
  bind(message: object): void;
  execute(message: object): void;
  submittedNamedStatements: Record<string, string>;
}

interface QueryParts {
  name: string | undefined;
  callback: (error: Error | null, result: unknown) => void;
  prepare(wire: Wire): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

const Query = pg.Query as unknown as new (config: object, values: unknown) => pg.Query & QueryParts;

/** The `begin` of a transaction and its first statement in one message: PostgreSQL runs the statement only after `begin` succeeded. */
export class FirstStatement extends Query {
  private hasBegun = false;
  private readonly begin: string;
  private readonly ownName: string | undefined;

  constructor(begin: string, config: { name?: string | undefined }, values: unknown) {
    super(config, values);
    this.begin = begin;
    this.ownName = config.name;
  }

  override prepare(wire: Wire): void {
    wire.parse({ text: this.begin, name: '' });
    wire.bind({});
    wire.execute({});
    super.prepare(wire);
    // At the first confirmed text, pg notes that the connection knows the query's name. That is the text of `begin`.
    this.name = undefined;
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.hasBegun) super.handleCommandComplete(message, wire);
    this.hasBegun = true;
    this.name = this.ownName;
  }

  override handleError(error: Error, wire: Wire): void {
    if (!this.hasBegun && this.ownName) delete wire.submittedNamedStatements[this.ownName];
    super.handleError(error, wire);
  }
}
