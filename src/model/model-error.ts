export type ModelErrorKind =
  | "overloaded"
  | "rate_limit"
  | "context_overflow"
  | "auth"
  | "bad_request"
  | "not_found"
  | "network"
  | "cut_off"
  | "refused"
  | "unknown";

export type ModelErrorDetails = {
  readonly provider?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The provider's own name for the error: `overloaded_error`, `insufficient_quota`. */
  readonly code?: string;
  /** False when waiting cannot help although the kind usually passes: a spent quota. */
  readonly transient?: boolean;
  readonly cause?: unknown;
};

const transientKinds: ReadonlySet<ModelErrorKind> = new Set([
  "overloaded",
  "rate_limit",
  "network",
  "cut_off",
]);

/** What a model call can fail with. The message is for users and holds no secret. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  readonly provider: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly code: string | undefined;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;

  constructor(kind: ModelErrorKind, message: string, details: ModelErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.provider = details.provider;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.code = details.code;
    this.transient = details.transient ?? transientKinds.has(kind);
  }
}
