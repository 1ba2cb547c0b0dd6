/** Something already granted for a tool in this session. */
export type ToolPermission = {
  readonly toolId: string;
  readonly autoApproved: boolean;
  /** Limits the grant to calls that match. */
  readonly approvalPattern?: string;
  /** ISO 8601. */
  readonly grantedAt: string;
  /** Whether the grant outlives the session. */
  readonly isPersistent: boolean;
};
