/** What `Retry-After` (RFC 9110, 10.2.3) asks for, in milliseconds from an instant, at least a second; null where it asks for nothing. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const written = header.trim();
  const ms = /^\d{1,9}$/.test(written) ? Number(written) * 1000 : Date.parse(written) - now.getTime();
  return Number.isNaN(ms) ? null : Math.max(ms, 1000);
}
