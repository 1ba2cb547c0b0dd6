import { expect, it } from "vitest";
import { systemClock, wait } from "./clock.ts";
import { RunDeadline } from "./run-deadline.ts";
import { ManualClock } from "./testing/manual-clock.ts";

it("a deadline runs only while it is not paused", () => {
  const clock = new ManualClock();
  let expired = false;
  const deadline = new RunDeadline(clock, 100, () => {
    expired = true;
  });
  clock.advance(1_000);
  deadline.resume();
  deadline.resume();
  clock.advance(60);
  deadline.pause();
  deadline.pause();
  clock.advance(1_000);
  deadline.resume();
  clock.advance(39);
  expect(expired).toBe(false);
  clock.advance(1);
  expect(expired).toBe(true);
});

it("a disposed deadline never comes", () => {
  const clock = new ManualClock();
  const deadline = new RunDeadline(clock, 100, () => {
    throw new Error("it came");
  });
  deadline.resume();
  deadline[Symbol.dispose]();
  clock.advance(200);
  expect(clock.pendingTimers).toBe(0);
});

it("waiting ends with time or with the signal", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const first = wait(clock, 50, controller.signal);
  clock.advance(50);
  await first;
  const second = wait(clock, 50, controller.signal);
  controller.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  await expect(wait(clock, 50, controller.signal)).rejects.toThrow("enough");
  expect(clock.pendingTimers).toBe(0);
});

it("the real clock calls back, unless disposed", async () => {
  using _never = systemClock.after(0, () => {
    throw new Error("disposed timers do not fire");
  });
  _never[Symbol.dispose]();
  await new Promise<void>((resolve) => void systemClock.after(1, resolve));
});
