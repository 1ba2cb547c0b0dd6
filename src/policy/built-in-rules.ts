import { rulesOf } from "./rules/policy-settings.ts";

/** What nobody means, whoever allows it. All else is a question of risk, and asks. */
export const builtInRules = rulesOf(
  {
    deny: [
      { rule: "run_command(rm -rf /)", match: ["rm -rf /"], noMatch: ["rm -rf /tmp/x", "rm -r build"] },
      { rule: "run_command(rm -rf '/*')", match: ["rm -rf '/*'"] },
      { rule: "run_command(rm -rf ~)", match: ["rm -rf ~"], noMatch: ["rm -rf ~/x"] },
      { rule: "run_command(rm * --no-preserve-root *)", match: ["rm -rf --no-preserve-root /"] },
    ].map((entry) => ({ ...entry, reason: "It deletes everything there is." })),
  },
  "built_in",
);
