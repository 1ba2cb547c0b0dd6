import * as z from "zod/mini";
import { plainText } from "./command/plain-output.ts";
import { defineTool } from "./define-tool.ts";
import prose from "./fetch-url.md";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { failed, succeeded, type ToolResult } from "./tool-result.ts";
import {
  RequestFailed,
  type RequestLimits,
  type ResolveName,
  requestChecked,
  type WebAnswer,
} from "./web/checked-request.ts";
import { type AllowAddress, isPublicAddress } from "./web/public-address.ts";

export type FetchUrlOptions = {
  /** Left out: public ones only. */
  readonly allowAddress?: AllowAddress;
  readonly resolveName?: ResolveName;
  readonly timeLimitMs?: number;
};

const defaultTimeLimitMs = 30_000;
const mostBytes = 5 * 1024 * 1024;
const mostCharacters = 40_000;
const mostRedirects = 5;

const input = z.strictObject({
  url: z.string().check(z.minLength(1), z.maxLength(4_000)),
  offset: z._default(z.int().check(z.gte(0), z.lte(mostBytes), z.describe("Character to go on from.")), 0),
});

export function fetchUrlTool({
  allowAddress = isPublicAddress,
  resolveName,
  timeLimitMs = defaultTimeLimitMs,
}: FetchUrlOptions = {}): Tool<z.output<typeof input>> {
  return defineTool({
    id: "fetch_url",
    name: "Fetch URL",
    description: prose.trim(),
    category: "network",
    risk: "medium",
    readOnly: true,
    input,
    summarize: ({ url }) => `Fetch ${shownName(url)}`,
    touches: () => [],
    async execute({ url: written, offset }, { signal }) {
      const url = URL.parse(written);
      if (!url) return failed(`${JSON.stringify(written)} is not a URL. Write it whole, with https://.`);
      const limit = AbortSignal.timeout(timeLimitMs);
      try {
        const limits = { allowAddress, resolveName, mostBytes };
        const fetched = await follow(url, limits, AbortSignal.any([signal, limit]));
        return await describeAnswer(fetched, offset);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof RequestFailed) return failed(error.message);
        if (limit.aborted) return failed(`${url.host} did not answer within ${timeLimitMs / 1_000} s.`);
        throw error;
      }
    },
  });
}

type Fetched = { readonly url: URL; readonly answer: WebAnswer };

/** Each hop is checked like the first. Another site was not asked for, and not approved: the model may ask for it. */
async function follow(start: URL, limits: RequestLimits, signal: AbortSignal): Promise<Fetched> {
  let url = start;
  for (let hop = 0; ; hop++) {
    const answer = await requestChecked(url, limits, signal);
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && answer.location;
    if (!isRedirect || !answer.location) return { url, answer };
    const { location } = answer;
    if (hop >= mostRedirects)
      throw new RequestFailed(`${start.host} redirects more than ${mostRedirects} times.`);
    if (!isSameSite(url, location))
      throw new RequestFailed(
        `${url.host} redirects to another site: ${location.href} Fetch that if you want it.`,
      );
    if (url.protocol === "https:" && location.protocol === "http:")
      throw new RequestFailed(
        `${url.host} redirects from https to http: ${location.href} That was not followed.`,
      );
    url = location;
  }
}

function isSameSite(from: URL, to: URL): boolean {
  const site = (url: URL) => url.hostname.replace(/^www\./, "");
  const port = (url: URL) => url.port || "default";
  return site(from) === site(to) && port(from) === port(to);
}

async function describeAnswer({ url, answer }: Fetched, offset: number): Promise<ToolResult> {
  const { status, contentType, body, isCut } = answer;
  const data = { url: url.href, status, contentType, bytes: body.length };
  if (!isText(contentType, body))
    return failed(`${url.href} is not text (${contentType || "no type given"}, ${body.length} bytes).`, {
      data,
    });
  const text = plainText(await readable(url, contentType, body));
  const shown = text.slice(offset, offset + mostCharacters).toWellFormed();
  if (shown === "" && offset > 0)
    return failed(`There are only ${text.length} characters. Take a smaller offset than ${offset}.`, {
      data,
    });
  const rest = text.length - offset - shown.length;
  const notes = [
    ...(rest > 0 ? [`(${rest} more characters. Go on with offset ${offset + shown.length}.)`] : []),
    ...(isCut ? [`(Only the first ${mostBytes} bytes were read.)`] : []),
  ];
  const content = [`${url.href} (status ${status})`, shown || "(No text.)", ...notes].join("\n\n");
  return status >= 200 && status < 300 ? succeeded(content, { data }) : failed(content, { data });
}

async function readable(url: URL, contentType: string, body: Buffer): Promise<string> {
  const text = decode(contentType, body);
  if (!/html/i.test(contentType) && !/^\s*<(?:!doctype html|html)/i.test(text.slice(0, 1_000))) return text;
  const { htmlToText } = await import("./web/html-text.ts");
  const page = htmlToText(text, url);
  return page.title === "" ? page.text : `Title: ${page.title}\n\n${page.text}`;
}

function isText(contentType: string, body: Buffer): boolean {
  if (/^(?:image|audio|video|font)\//i.test(contentType) && !/svg/i.test(contentType)) return false;
  const isWide = /utf-16/i.test(contentType) || body[0] === 0xff || body[0] === 0xfe;
  return isWide || !body.subarray(0, 4_096).includes(0);
}

function decode(contentType: string, body: Buffer): string {
  const inHeader = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  const inPage = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(body.toString("latin1", 0, 2_048))?.[1];
  const mark =
    body[0] === 0xff && body[1] === 0xfe
      ? "utf-16le"
      : body[0] === 0xfe && body[1] === 0xff
        ? "utf-16be"
        : undefined;
  for (const name of [mark, inHeader, inPage]) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name).decode(body);
    } catch {
      // an encoding nobody knows: the next one, and in the end UTF-8
    }
  }
  return new TextDecoder().decode(body);
}
