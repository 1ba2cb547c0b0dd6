import type { JsonObject } from "../model/json.ts";
import type { ApprovalDecision } from "../policy/approval-decision.ts";
import type { Clock } from "./clock.ts";

/** What became of an answer. Only the first good one counts. */
export type ApprovalReceipt =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      /** After the last two the question is still open: the parameters can be corrected. */
      readonly why: "already_answered" | "expired" | "invalid_parameters" | "denied_by_policy";
      readonly reason: string;
    };

/** An answer to a question that was never asked. */
export class UnknownApproval extends Error {
  override readonly name = "UnknownApproval";
  readonly callId: string;

  constructor(callId: string) {
    super(`No approval was asked for the call ${JSON.stringify(callId)}.`);
    this.callId = callId;
  }
}

export type EditCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly why: "invalid_parameters" | "denied_by_policy";
      readonly reason: string;
    };

export type Question = {
  readonly callId: string;
  readonly timeoutMs: number;
  /** Are these parameters, instead of the model's, valid and not denied? Never rejects. */
  readonly checkEdit: (parameters: JsonObject) => Promise<EditCheck>;
};

/** Nothing when time ran out. */
export type Answer = ApprovalDecision | undefined;

type OpenQuestion = Question & {
  readonly settle: (answer: Answer) => void;
  /** The check of an earlier answer's edits; later answers wait for it. */
  checking: Promise<EditCheck> | undefined;
};

type Closed = "answered" | "expired";

/**
 * Questions that wait for somebody, and what became of those that did. An id that was asked about is never forgotten:
 * a late answer must not reach a later call.
 */
export class Approvals {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #closed = new Map<string, Closed>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the first good answer. Rejects with the signal's reason. */
  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { callId } = question;
    if (this.wasAsked(callId)) throw new Error(`The call ${callId} was asked about before.`);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const close = (how: Closed) => {
      this.#open.delete(callId);
      this.#closed.set(callId, how);
      timer[Symbol.dispose]();
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      close("expired");
      reject(signal.reason);
    };
    const settle = (answer: Answer) => {
      close(answer ? "answered" : "expired");
      resolve(answer);
    };
    const timer = this.#clock.after(question.timeoutMs, () => settle(undefined));
    this.#open.set(callId, { ...question, settle, checking: undefined });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    return promise;
  }

  isOpen(callId: string): boolean {
    return this.#open.has(callId);
  }

  wasAsked(callId: string): boolean {
    return this.#open.has(callId) || this.#closed.has(callId);
  }

  /** Rejects with `UnknownApproval` when nothing was asked for this call. */
  async provide(callId: string, decision: ApprovalDecision): Promise<ApprovalReceipt> {
    const question = this.#open.get(callId);
    if (!question) return this.#late(callId);
    while (question.checking) await question.checking;
    if (!this.isOpen(callId)) return this.#late(callId);
    if (decision.approved && decision.modifiedParameters) {
      question.checking = question.checkEdit(decision.modifiedParameters);
      const check = await question.checking;
      question.checking = undefined;
      if (!check.ok) return { accepted: false, why: check.why, reason: check.reason };
      if (!this.isOpen(callId)) return this.#late(callId);
    }
    question.settle(decision);
    return { accepted: true };
  }

  #late(callId: string): ApprovalReceipt {
    const how = this.#closed.get(callId);
    if (!how) throw new UnknownApproval(callId);
    return how === "answered"
      ? { accepted: false, why: "already_answered", reason: "Another answer came first." }
      : { accepted: false, why: "expired", reason: "The question is no longer open." };
  }
}
