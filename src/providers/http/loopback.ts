/** Whether an address is of this machine. `hostname` as `URL` gives it: IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

export function isLoopbackURL(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isLoopback(url.hostname);
}
