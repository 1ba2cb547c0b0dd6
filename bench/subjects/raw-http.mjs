// The floor with node:http, loaded the cheap way.
const [url, prompt] = process.argv.slice(2);
const http = process.getBuiltinModule("node:http");
const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: prompt }] });
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
const response = await new Promise((resolve, reject) => {
  const request = http.request(`${url}/chat/completions`, { method: "POST", headers }, resolve);
  request.on("error", reject);
  request.end(body);
});
const decoder = new TextDecoder();
let rest = "";
for await (const bytes of response) {
  const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  let out = "";
  for (const line of lines) {
    if (line.startsWith("data: {")) out += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? "";
  }
  process.stdout.write(out);
}
