import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchUrlTool } from "./fetch-url.ts";
import { call, riskOf } from "./testing/tool-kit.ts";
import { isPublicAddress } from "./web/public-address.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const send =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(body);
  };
const to = (location: string, status = 302): Answer => send("", { location }, status);

let server: Server;
let origin: string;
let port: number;
const requests: string[] = [];
const pages: Record<string, Answer> = {
  "/page": send("<title>T</title><h1>Hello</h1><p>wörld"),
  "/plain": send("just <b>text</b>", { "content-type": "text/plain" }),
  "/latin": send(Buffer.from([0x63, 0xe9]), { "content-type": "text/plain; charset=iso-8859-1" }),
  "/gzip": send(gzipSync("packed"), { "content-encoding": "gzip", "content-type": "text/plain" }),
  "/br": send(brotliCompressSync("packed"), { "content-encoding": "br", "content-type": "text/plain" }),
  "/odd": send("x", { "content-encoding": "zzz" }),
  "/broken": send("not gzip", { "content-encoding": "gzip" }),
  "/bomb": send(gzipSync(Buffer.alloc(200 * 1024 * 1024, 97)), {
    "content-encoding": "gzip",
    "content-type": "text/plain",
  }),
  "/long": send("0123456789".repeat(10_000), { "content-type": "text/plain" }),
  "/image": send(Buffer.from([0x89, 0x50, 0]), { "content-type": "image/png" }),
  "/binary": send(Buffer.from([1, 0, 2]), { "content-type": "application/octet-stream" }),
  "/missing": send("<p>gone", {}, 404),
  "/ansi": send("\u001b]52;c;x\u0007\u001b[31mred", { "content-type": "text/plain" }),
  "/one": to("/two"),
  "/two": to("/page", 308),
  "/loop": to("/loop"),
  "/elsewhere": to("http://other.test/x"),
  "/metadata": to("http://169.254.169.254/latest/meta-data"),
  "/file": to("file:///etc/passwd"),
  "/never": () => {},
  "/endless": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const more = () => {
      while (response.write("x".repeat(65_536))) {}
    };
    response.on("drain", more);
    more();
  },
};
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    (pages[request.url ?? ""] ?? send("no such page", {}, 404))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Lets loopback through, and all else as usual: what a test may reach. */
const allowAddress = (address: string) => address === "127.0.0.1" || isPublicAddress(address);
const fetched = (path: string, parameters = {}) =>
  call(fetchUrlTool({ allowAddress, timeLimitMs: 5_000 }), {
    url: path.startsWith("/") ? origin + path : path,
    ...parameters,
  });

describe("fetch_url", () => {
  test("gives the words of a page", async () => {
    expect(await fetched("/page")).toMatchObject({
      ok: true,
      content: `${origin}/page (status 200)\n\nTitle: T\n\n# Hello\n\nwörld`,
      data: { url: `${origin}/page`, status: 200 },
    });
  });

  test.each([
    ["/plain", "just <b>text</b>"],
    ["/latin", "cé"],
    ["/gzip", "packed"],
    ["/br", "packed"],
    ["/ansi", "\\x1b]52;c;x\\x07red"],
    ["/two", "wörld"],
    ["/one", "wörld"],
  ])("%s", async (path, words) => {
    const { ok, content } = await fetched(path);
    expect(ok).toBe(true);
    expect(content.endsWith(words)).toBe(true);
  });

  test.each([
    ["/missing", /status 404\)\n\ngone$/],
    ["/image", /is not text \(image\/png, 3 bytes\)/],
    ["/binary", /is not text/],
    ["/odd", /packed in a way that is not known: zzz/],
    ["/broken", /cannot be read/],
    ["/loop", /redirects more than 5 times/],
    ["/elsewhere", /redirects to another site: http:\/\/other\.test\/x Fetch that if you want it\./],
    ["/file", /redirects to another site|Only http/],
    ["ftp://example.com/x", /Only http and https can be fetched, not ftp/],
    ["file:///etc/passwd", /Only http and https/],
    ["http://user:pass@example.com/", /user name or password/],
    ["example.com", /is not a URL/],
    ["http://127.0.0.1:1/", /cannot be reached/],
    ["http://no-such-name.invalid/", /cannot be found/],
  ])("%s fails with the reason", async (path, reason) => {
    const { ok, content } = await fetched(path);
    expect(ok).toBe(false);
    expect(content).toMatch(reason);
  });

  test("shows a long text in windows", async () => {
    const { content } = await fetched("/long");
    expect(content.length).toBeLessThan(41_000);
    expect(content).toContain("(60000 more characters. Go on with offset 40000.)");
    expect((await fetched("/long", { offset: 99_990 })).content).toMatch(/\n\n0123456789$/);
    expect((await fetched("/long", { offset: 200_000 })).ok).toBe(false);
  });

  test.each(["/bomb", "/endless"])("reads no more of %s than a bounded part", async (path) => {
    expect((await fetched(path)).content).toContain("(Only the first 5242880 bytes were read.)");
  });

  test("does not wait for ever, and stops when told to", async () => {
    const impatient = fetchUrlTool({ allowAddress, timeLimitMs: 100 });
    expect((await call(impatient, { url: `${origin}/never` })).content).toBe(
      `127.0.0.1:${port} did not answer within 0.1 s.`,
    );
    const controller = new AbortController();
    const waiting = call(
      fetchUrlTool({ allowAddress }),
      { url: `${origin}/never` },
      { signal: controller.signal },
    );
    controller.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
  });

  test("is of medium risk: what is asked for leaves the machine", () => {
    expect(riskOf(fetchUrlTool(), { url: "https://example.com" })).toBe("medium");
  });
});

describe("what is not on the public internet is refused", () => {
  test.each([
    () => origin,
    () => `http://localhost:${port}/`,
    () => `http://LOCALHOST:${port}/`,
    () => `http://0x7f.1:${port}/`,
    () => `http://2130706433:${port}/`,
    () => `http://0177.0.0.1:${port}/`,
    () => `http://127.1:${port}/`,
    () => `http://0:${port}/`,
    () => `http://[::1]:${port}/`,
    () => `http://[::ffff:127.0.0.1]:${port}/`,
    () => `http://[::ffff:7f00:1]:${port}/`,
    () => `http://[64:ff9b::7f00:1]:${port}/`,
    () => `http://[2002:7f00:1::]:${port}/`,
    () => "http://169.254.169.254/latest/meta-data",
    () => "http://10.0.0.1/",
    () => "http://[fd00::1]/",
    () => "http://[fe80::1]/",
  ])("before anything is sent: %s", async (url) => {
    const before = requests.length;
    const { ok, content } = await call(fetchUrlTool(), { url: url() });
    expect(ok).toBe(false);
    expect(content).toContain("is not on the public internet");
    expect(requests).toHaveLength(before);
  });

  test("also at the end of a redirect on the same site", async () => {
    let asked = 0;
    // The name is public when it is first resolved and leads here the second time.
    const changing = fetchUrlTool({ allowAddress: () => ++asked === 1 });
    const { content } = await call(changing, { url: `${origin}/one` });
    expect(content).toContain("is not on the public internet");
    expect(asked).toBe(2);
  });

  test("also when a redirect leads to another site there", async () => {
    expect((await fetched("/metadata")).ok).toBe(false);
  });

  test("the connection goes to the address that was checked, and the name is not looked up again", async () => {
    const names: string[] = [];
    const resolveName = async (name: string) => {
      names.push(name);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const url = `http://known-to-nobody.invalid:${port}/page`;
    expect((await call(fetchUrlTool({ allowAddress, resolveName }), { url })).content).toContain("Hello");
    expect((await call(fetchUrlTool({ resolveName }), { url })).content).toContain(
      "not on the public internet",
    );
    expect(names).toEqual(["known-to-nobody.invalid", "known-to-nobody.invalid"]);
  });

  test("a name with one public address among others is refused", async () => {
    const resolveName = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    const { content } = await call(fetchUrlTool({ resolveName }), { url: "http://both.test/" });
    expect(content).toBe("both.test is not on the public internet. Only public addresses are fetched.");
  });
});

describe("an address", () => {
  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2a00:1450:4001:81b::200e",
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "203.0.113.5",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2001:10::1",
    "2002:0808:0808::1",
    "3fff::1",
    "fc00::1",
    "fdff::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "localhost",
    "1.2.3",
    "1.2.3.4.5",
  ])("%j is not", (address) => expect(isPublicAddress(address)).toBe(false));

  test("of IPv4 is closed exactly in the closed blocks", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0] = address.split(".").map(Number);
        const closed =
          a === 0 ||
          a === 10 ||
          a === 127 ||
          a >= 224 ||
          (a === 100 && b >= 64 && b < 128) ||
          (a === 169 && b === 254) ||
          (a === 172 && b >= 16 && b < 32) ||
          (a === 192 && b === 168) ||
          (a === 192 && b === 0 && (c === 0 || c === 2)) ||
          (a === 192 && b === 88 && c === 99) ||
          (a === 198 && (b === 18 || b === 19)) ||
          (a === 198 && b === 51 && c === 100) ||
          (a === 203 && b === 0 && c === 113);
        expect(isPublicAddress(address)).toBe(!closed);
      }),
    );
  });

  test("of IPv6 outside of the block that is given out is never public", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (isPublicAddress(address)) expect(address).toMatch(/^[23][0-9a-f]{3}:/i);
      }),
    );
  });
});
