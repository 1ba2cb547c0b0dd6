/**
 * A new UUID (version 7: ids sort by time). They must be unique, not secret, and so come from `Math.random`: loading
 * `node:crypto` for them would cost every start 4 ms.
 */
export function newId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, "0");
  const random = () =>
    Math.floor(Math.random() * 0x1000000)
      .toString(16)
      .padStart(6, "0");
  const [a, b, c] = [random(), random(), random()];
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${a.slice(0, 3)}-${variant}${a.slice(3)}-${b}${c}`;
}
