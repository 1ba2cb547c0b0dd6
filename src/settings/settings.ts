import * as z from "zod/mini";
import { agentConfigurationSchema } from "../agent/agent-configuration.ts";
import { policySettingsSchema } from "../policy/rules/policy-settings-schema.ts";
import { providerSettings } from "../providers/provider-settings.ts";

/** The user's settings file, all of it. Its JSON Schema is `docs/settings.schema.json`. */
export const settingsSchema = z.strictObject({
  $schema: z.exactOptional(z.string().check(z.describe("Where editors find the description of this file."))),
  model: z.exactOptional(
    z
      .string()
      .check(
        z.regex(/^[^/\s]+\/\S+$/, { error: "must be written provider/model" }),
        z.describe("The model to use when none is named: provider/model[:thinking]."),
      ),
  ),
  agent: z.exactOptional(
    agentConfigurationSchema.check(z.describe("How the agent works: limits, times, prompts.")),
  ),
  policy: z.exactOptional(
    policySettingsSchema.check(z.describe("What may run without a question, and what never.")),
  ),
  providers: z.exactOptional(
    z
      .record(z.string().check(z.regex(/^[^/\s]+$/)), providerSettings)
      .check(z.describe("Providers by name: new ones, or changes to those known by name.")),
  ),
});

export type Settings = z.input<typeof settingsSchema>;
