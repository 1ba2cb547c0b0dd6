import { expect, test } from "vitest";
import { newId } from "./new-id.ts";

test("ids are UUIDs of version 7", () => {
  for (let at = 0; at < 1_000; at++) {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test("ids are not given twice, and sort by the time they were made", () => {
  const same = Array.from({ length: 100_000 }, () => newId(1_700_000_000_000));
  expect(new Set(same).size).toBe(100_000);
  expect(newId(1_700_000_000_000) < newId(1_700_000_000_001)).toBe(true);
  expect(newId(0)).toMatch(/^00000000-0000-7/);
});
