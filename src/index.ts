/** The SDK: what embedders import. */

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
