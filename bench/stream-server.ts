import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/*
 * A model server that costs next to nothing: chat completions only, the whole answer framed ahead, each token its own
 * event in its own HTTP chunk. The prompt says how many tokens. Prints its port; logs the arrival of requests.
 */

const frame = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunk = (delta: object, finish: string | null) =>
  frame(
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
  );

const answers = new Map<number, Buffer>();
function answer(tokens: number): Buffer {
  const known = answers.get(tokens);
  if (known) return known;
  const parts = [chunk({ role: "assistant", content: "" }, null)];
  for (let at = 0; at < tokens; at++)
    parts.push(chunk({ content: at % 20 === 19 ? `w${at}\n` : `w${at} ` }, null));
  parts.push(chunk({}, "stop"), frame("data: [DONE]\n\n"), "0\r\n\r\n");
  const made = Buffer.from(parts.join(""));
  answers.set(tokens, made);
  return made;
}

let arrived = "0";
const server = createServer((request, response) => {
  const now = process.hrtime.bigint().toString();
  if (request.url === "/arrived") return void response.end(arrived);
  arrived = now;
  const body: Buffer[] = [];
  request.on("data", (piece: Buffer) => body.push(piece));
  request.on("end", () => {
    const tokens = Number(/TOKENS (\d+)/.exec(Buffer.concat(body).toString())?.[1] ?? 5);
    response.writeHead(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
    response.flushHeaders();
    response.chunkedEncoding = false;
    response.end(answer(tokens));
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
