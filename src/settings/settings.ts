import * as z from "zod/mini";
import { providerSettings } from "../providers/provider-settings.ts";

/** The user's settings file, all of it. */
export const settingsSchema = z.strictObject({
  /** Where editors find the description of this file. */
  $schema: z.exactOptional(z.string()),
  /** The model to use when none is named: `provider/model[:thinking]`. */
  model: z.exactOptional(
    z.string().check(z.regex(/^[^/\s]+\/\S+$/, { error: "must be written provider/model" })),
  ),
  providers: z.exactOptional(z.record(z.string().check(z.regex(/^[^/\s]+$/)), providerSettings)),
});

export type Settings = z.infer<typeof settingsSchema>;
