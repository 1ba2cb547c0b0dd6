import { isIP } from "node:net";

/** Whether an address is of this machine or the network around it, where services trust whoever asks. */
export function isLocalHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (/(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(name)) return true;
  switch (isIP(name)) {
    case 4:
      return isLocalIPv4(name);
    case 6:
      return isLocalIPv6(name);
    default:
      return !name.includes(".");
  }
}

function isLocalIPv4(address: string): boolean {
  const [a = 0, b = 0] = address.split(".").map(Number);
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19))
  );
}

function isLocalIPv6(address: string): boolean {
  const mapped = /^::(?:ffff:(?:0:)?)?(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return isLocalIPv4(mapped);
  const hex = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (hex?.[1] && hex[2]) {
    const [high, low] = [Number.parseInt(hex[1], 16), Number.parseInt(hex[2], 16)];
    return isLocalIPv4([high >> 8, high & 0xff, low >> 8, low & 0xff].join("."));
  }
  return /^(::1?$|f[cd]|fe[89ab]|ff|64:ff9b:)/.test(address);
}
