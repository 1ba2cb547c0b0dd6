/**
 * Why a run or a call was stopped: the `reason` of its abort signal. Ends are told apart by these, never by text.
 */

/** Somebody asked for it, or left the stream of events. */
export class RunCancelled extends Error {
  override readonly name = "RunCancelled";
}

export class RequestTimedOut extends Error {
  override readonly name = "RequestTimedOut";
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`The request took longer than ${milliseconds / 1_000} s.`);
    this.milliseconds = milliseconds;
  }
}

export class ToolTimedOut extends Error {
  override readonly name = "ToolTimedOut";
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`The call took longer than ${milliseconds / 1_000} s.`);
    this.milliseconds = milliseconds;
  }
}
