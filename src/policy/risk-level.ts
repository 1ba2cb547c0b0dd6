/** How much harm a call could do, lowest first. */
export const riskLevels = ["safe", "medium", "high"] as const;

export type RiskLevel = (typeof riskLevels)[number];

/** Whether `risk` goes beyond `limit`. */
export function isRiskAbove(risk: RiskLevel, limit: RiskLevel): boolean {
  return riskLevels.indexOf(risk) > riskLevels.indexOf(limit);
}
