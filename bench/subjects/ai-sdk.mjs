// The AI SDK's provider package alone, without the SDK's own loop.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

const [url, prompt] = process.argv.slice(2);
const model = createOpenAICompatible({ name: "bench", baseURL: url, apiKey: "none", includeUsage: true })(
  "m",
);
const { stream } = await model.doStream({
  prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
});
for await (const part of stream) if (part.type === "text-delta") process.stdout.write(part.delta);
