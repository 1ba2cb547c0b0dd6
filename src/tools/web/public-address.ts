/** Decides whether an address may be connected to. */
export type AllowAddress = (address: string) => boolean;

/** First address and length of each block of IPv4 that is not the public internet. */
const closedBlocks: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // between carriers and their customers
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local: where clouds keep credentials
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocols
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
];

/**
 * Whether an address, written as a number, is one of the public internet. For IPv6 that is the one block that is given
 * out (2000::/3) without the parts of it that are not for hosts or that lead back into IPv4: mapped, translated (NAT64)
 * and tunnelled (6to4, Teredo) addresses would reach what the list above keeps away.
 */
export function isPublicAddress(address: string): boolean {
  const version = process.getBuiltinModule("node:net").isIP(address);
  if (version === 4) {
    const value = ipv4Value(address);
    return closedBlocks.every(([first, length]) => {
      const shift = 32 - length;
      return Math.floor(value / 2 ** shift) !== Math.floor(ipv4Value(first) / 2 ** shift);
    });
  }
  if (version !== 6 || address.includes("%")) return false;
  const [first = 0, second = 0] = ipv6Groups(address);
  if (first < 0x2000 || first > 0x3fff) return false;
  // 2001::/23 for protocols, Teredo among them; 2001:db8::/32 and 3fff::/20 for documentation; 2002::/16 is 6to4.
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

function ipv4Value(address: string): number {
  return address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}

/** The eight groups of a valid address; where IPv4 is written at its end, that part is not looked at. */
function ipv6Groups(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const parse = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}
