import * as z from "zod/mini";
import { isJsonObject, type JsonObject } from "../model/json.ts";

/**
 * How long an answer holds. `once`: this call only. `session`: calls like it while the conversation lasts. `tool`: every
 * call of the tool, kept in the user's settings. `pattern`: calls that match, kept likewise; several patterns, for a
 * command line has several parts.
 */
export const rememberSchema = z.union([
  z.strictObject({ scope: z.enum(["once", "session", "tool"]) }),
  z.strictObject({
    scope: z.literal("pattern"),
    pattern: z.union([
      z.string().check(z.minLength(1)),
      z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
    ]),
  }),
]);

export type Remember = z.infer<typeof rememberSchema>;

/** What a person, or whoever stands in for one, answers to an approval request. Plain JSON: it also comes over HTTP. */
export const approvalDecisionSchema = z.discriminatedUnion("approved", [
  z.strictObject({
    approved: z.literal(true),
    remember: z.exactOptional(rememberSchema),
    /** Run the call with these instead. They are validated and judged again. */
    modifiedParameters: z.exactOptional(z.custom<JsonObject>(isJsonObject)),
  }),
  z.strictObject({
    approved: z.literal(false),
    /** The model reads it. */
    reason: z.exactOptional(z.string()),
    remember: z.exactOptional(rememberSchema),
    /** Ends the whole request, not only this call. */
    cancelsRequest: z.exactOptional(z.literal(true)),
  }),
]);

export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/** Where an approval came from: an `answer`, or the lack of one, because of a `timeout` or because there is `nobody`. */
export type ApprovalSource = "answer" | "timeout" | "nobody";
