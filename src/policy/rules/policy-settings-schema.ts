import * as z from "zod/mini";

/* The shape alone: what the rules in it say is read by `rulesOf`, which is a lot more to load. */

const examples = z.array(z.string());

const detailedEntry = z.strictObject({
  rule: z.string().check(z.describe("For example run_command(git log *), write_file(src/**), read_file.")),
  match: z.exactOptional(
    examples.check(z.describe("Calls the rule must speak for. Checked at every start.")),
  ),
  noMatch: z.exactOptional(
    examples.check(z.describe("Calls the rule must not speak for. Checked at every start.")),
  ),
  reason: z.exactOptional(z.string().check(z.describe("Shown when the rule decides."))),
});

const entry = z.union([z.string(), detailedEntry], {
  error: 'must be a rule, such as "run_command(git log *)", or an object with a `rule`',
});

const entries = z.array(entry);

/** The part of the settings that says what may run. */
export const policySettingsSchema = z.strictObject({
  allow: z.exactOptional(entries.check(z.describe("What runs without a question."))),
  ask: z.exactOptional(entries.check(z.describe("What always asks, though a wider rule allows it."))),
  deny: z.exactOptional(entries.check(z.describe("What never runs, whatever else allows it."))),
});

export type PolicySettings = z.infer<typeof policySettingsSchema>;
export type PolicyEntry = z.infer<typeof entry>;
