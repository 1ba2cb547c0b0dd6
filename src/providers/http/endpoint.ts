/** Where and how a provider is reached. `headers` carry the credentials: never log or show them. */
export type Endpoint = {
  /** The provider's name as the user writes it in `--model`. */
  readonly provider: string;
  /** Without a trailing slash; the wire format adds its path. */
  readonly baseURL: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must never leave in an error or an event. */
  readonly secrets: readonly string[];
  /** A response that sends nothing for this long has stalled. */
  readonly idleTimeoutMs: number;
};
