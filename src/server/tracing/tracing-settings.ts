export interface TracingSettings {
  /** Base address of the collector. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** Share of traces that are recorded, from 0 to 1. */
  ratio: number;
}
