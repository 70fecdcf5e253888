export interface TracingSettings {
  /** Base address of the collector. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** Share of traces that are recorded, from 0 to 1. */
  ratio: number;
}

/** Tests choose smaller ones. */
export interface TracerLimits {
  /** Time between two exports, ms. */
  interval?: number;
  /** Spans that wait for the collector. */
  queueSize?: number;
  /** The longest wait for an answer of the collector with its retries, ms. */
  timeout?: number;
}
