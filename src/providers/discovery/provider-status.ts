import type { Model } from "../../model/catalogue.ts";

/** Whether a provider can be used now, and with which models. */
export type ProviderStatus = {
  readonly name: string;
  readonly title: string;
  readonly available: boolean;
  /** Where its key comes from, or why it cannot be used. */
  readonly reason: string;
  readonly models: readonly Model[];
  /** For a user who names only the provider, or nothing at all. */
  readonly defaultModel?: string;
};
