/** The SDK: what embedders import. */

export { Agent, AgentBusy, type AgentOptions } from "./agent/agent.ts";
export {
  type AgentConfiguration,
  type AgentSettings,
  agentConfiguration,
  checkAgentConfiguration,
} from "./agent/agent-configuration.ts";
export {
  type AgentEvent,
  type AgentEventOf,
  type AgentEventType,
  agentEventFormatVersion,
} from "./agent/agent-event.ts";
export type { AgentRequest, AttachedFile, InferenceOptions, TextSelection } from "./agent/agent-request.ts";
export type { AgentRun, SelectedModel } from "./agent/agent-run.ts";
export * from "./agent/agent-state.ts";
export { approve, cancel, deny } from "./agent/answer-approval.ts";
export { UnknownApproval } from "./agent/approvals.ts";
export { type CodingEnvironment, codingPrompt } from "./agent/coding-prompt.ts";
export { AgentEventEmitter } from "./agent/event-emitter.ts";
export * from "./agent/event-queries.ts";
export { largeResultFolder } from "./agent/large-result-folder.ts";
export { AgentStateMachine, StateTransitionError } from "./agent/state-machine.ts";
export { describeToolsAsText } from "./agent/system-prompt.ts";
export { type ToolCallLifecycle, ToolCallTracker } from "./agent/tool-call-tracker.ts";
export { type AssembledResponse, MessageAssembler } from "./model/assemble-message.ts";
export type { Model, ModelPrice, Thinking } from "./model/catalogue.ts";
export type { AssistantMessage, Message, ToolCall, ToolResultMessage, UserMessage } from "./model/message.ts";
export { textOf, userMessage } from "./model/message.ts";
export { ModelError, type ModelErrorKind } from "./model/model-error.ts";
export type { ModelEvent, StopReason } from "./model/model-event.ts";
export type { ModelRequest, ToolChoice, ToolDefinition } from "./model/model-request.ts";
export type { ModelProvider, StreamModel } from "./model/stream-model.ts";
export { type ThinkingLevel, thinkingLevels } from "./model/thinking-level.ts";
export type { Usage } from "./model/usage.ts";
export { formatForModel } from "./parsing/choose-format.ts";
export { formatNames } from "./parsing/formats/catalogue.ts";
export type { ParsedCall, ParsedText, ParserEvent } from "./parsing/parser-event.ts";
export {
  createToolCallParser,
  type ParserOptions,
  parseToolCalls,
  type ToolCallParser,
} from "./parsing/tool-call-parser.ts";
export type { ApprovalDecision, Remember } from "./policy/approval-decision.ts";
export { functionPolicy } from "./policy/function-policy.ts";
export type { Policy, PolicyCall } from "./policy/policy.ts";
export type { PolicyDecision } from "./policy/policy-decision.ts";
export { RulePolicy, type RulePolicyOptions } from "./policy/rule-policy.ts";
export { rulesOf } from "./policy/rules/policy-settings.ts";
export type { PolicySettings } from "./policy/rules/policy-settings-schema.ts";
export { safeDefaultPolicy } from "./policy/safe-default-policy.ts";
export { ConfigurationError } from "./providers/credentials.ts";
export { discoverProviders } from "./providers/discovery/discover-providers.ts";
export type { ProviderStatus } from "./providers/discovery/provider-status.ts";
export { type OpenedModel, type OpenModelOptions, openModel } from "./providers/open-model.ts";
export type { ProviderSettings, ProvidersSettings } from "./providers/provider-settings.ts";
export {
  createScriptedProvider,
  type Script,
  type ScriptedAnswer,
  type ScriptedProvider,
} from "./providers/scripted/scripted-provider.ts";
export { withTextTools } from "./providers/text-tools/with-text-tools.ts";
export { type BuiltInTools, type BuiltInToolsOptions, createBuiltInTools } from "./tools/built-in-tools.ts";
export { defineTool } from "./tools/define-tool.ts";
export { listDirectoryTool } from "./tools/list-directory.ts";
export { readFileTool } from "./tools/read-file.ts";
export type { Tool, ToolContext } from "./tools/tool.ts";
export * from "./tools/tool-progress.ts";
export { ToolRegistrationError, ToolRegistry } from "./tools/tool-registry.ts";
export { failed, succeeded, type ToolResult } from "./tools/tool-result.ts";
export { Workspace } from "./workspace/workspace.ts";
