// The floor with fetch: one request, the least parsing that shows the text.
const [url, prompt] = process.argv.slice(2);
const response = await fetch(`${url}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: prompt }] }),
});
const decoder = new TextDecoder();
let rest = "";
for await (const bytes of response.body) {
  const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  let out = "";
  for (const line of lines) {
    if (line.startsWith("data: {")) out += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? "";
  }
  process.stdout.write(out);
}
