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
  state: "open" | "answered" | "expired";
  settle: (answer: Answer) => void;
  /** The check of an earlier answer's edits; later answers wait for it. */
  checking?: Promise<EditCheck> | undefined;
};

/** Questions that wait for somebody, and those that were answered. */
export class Approvals {
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the first good answer. Rejects with the signal's reason. */
  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const close = (state: OpenQuestion["state"]) => {
      open.state = state;
      timer[Symbol.dispose]();
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      close("expired");
      reject(signal.reason);
    };
    const open: OpenQuestion = {
      ...question,
      state: "open",
      settle(answer) {
        close(answer ? "answered" : "expired");
        resolve(answer);
      },
    };
    const timer = this.#clock.after(question.timeoutMs, () => open.settle(undefined));
    this.#questions.set(question.callId, open);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    return promise;
  }

  isOpen(callId: string): boolean {
    return this.#questions.get(callId)?.state === "open";
  }

  /** Rejects with `UnknownApproval` when nothing was asked for this call. */
  async provide(callId: string, decision: ApprovalDecision): Promise<ApprovalReceipt> {
    const question = this.#questions.get(callId);
    if (!question) throw new UnknownApproval(callId);
    while (question.checking) await question.checking;
    const late = lateReceipt(question);
    if (late) return late;
    if (decision.approved && decision.modifiedParameters) {
      question.checking = question.checkEdit(decision.modifiedParameters);
      const check = await question.checking;
      question.checking = undefined;
      if (!check.ok) return { accepted: false, why: check.why, reason: check.reason };
      const tooLate = lateReceipt(question);
      if (tooLate) return tooLate;
    }
    question.settle(decision);
    return { accepted: true };
  }

  /** Forgets the questions of an earlier request. */
  clear(): void {
    this.#questions.clear();
  }
}

function lateReceipt({ state }: OpenQuestion): ApprovalReceipt | undefined {
  if (state === "answered") {
    return { accepted: false, why: "already_answered", reason: "Another answer came first." };
  }
  if (state === "expired") {
    return { accepted: false, why: "expired", reason: "The question is no longer open." };
  }
  return undefined;
}
