import type { Model } from "../../model/catalogue.ts";
import type { JsonObject } from "../../model/json.ts";
import { ModelError } from "../../model/model-error.ts";
import { askJson } from "../http/ask-json.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { isLoopbackURL } from "../http/loopback.ts";
import { array, count, object, optionalText, text } from "../http/read-json.ts";

const patienceMs = 5_000;

/**
 * What Ollama says of a model, so that the context length is set instead of its default of 4,096 tokens. When it
 * does not answer, what settings say stands; the request itself will then tell what is wrong.
 */
export async function describeOllamaModel(
  endpoint: Endpoint,
  id: string,
  known: Model | undefined,
  signal = AbortSignal.timeout(patienceMs),
): Promise<Model | undefined> {
  let shown: JsonObject | undefined;
  try {
    shown = await askJson(endpoint, "/api/show", signal, { model: id });
  } catch (error) {
    if (!(error instanceof ModelError) && error !== signal.reason) throw error;
  }
  if (!shown) return known;
  const capabilities = array(shown.capabilities);
  const contextWindow = known?.contextWindow ?? contextLength(shown, memoryFor(endpoint));
  return {
    id,
    name: known?.name ?? id,
    images: known?.images ?? capabilities.includes("vision"),
    ...(capabilities.length > 0 && !capabilities.includes("thinking") && { thinking: false as const }),
    ...(capabilities.length > 0 && !capabilities.includes("tools") && { tools: false }),
    ...known,
    ...(contextWindow && { contextWindow }),
  };
}

/** Half of the memory of this machine; of a server elsewhere we know nothing and trust the model's own length. */
function memoryFor(endpoint: Endpoint): number {
  if (!isLoopbackURL(endpoint.baseURL)) return Number.POSITIVE_INFINITY;
  return process.getBuiltinModule("node:os").totalmem() / 2;
}

const smallestContext = 8_192;

/**
 * The author's `num_ctx` if the model file sets one, else the length it was trained for, halved until the memory
 * for attention (keys and values of 16 bits a layer) fits.
 */
export function contextLength(shown: JsonObject, memory: number): number | undefined {
  const chosen = /^num_ctx\s+(\d+)/m.exec(text(shown.parameters));
  if (chosen) return Number(chosen[1]);
  const info = object(shown.model_info);
  const architecture = optionalText(info["general.architecture"]) ?? "";
  const fact = (name: string) => count(info[`${architecture}.${name}`]);
  const trained = fact("context_length");
  if (trained === 0) return undefined;
  const heads = fact("attention.head_count");
  const headSize = heads > 0 ? fact("embedding_length") / heads : 0;
  const keySize = fact("attention.key_length") || headSize;
  const valueSize = fact("attention.value_length") || headSize;
  const bytesPerToken = 2 * fact("block_count") * fact("attention.head_count_kv") * (keySize + valueSize);
  let length = trained;
  while (length / 2 >= smallestContext && length * bytesPerToken > memory) length = Math.floor(length / 2);
  return length;
}
