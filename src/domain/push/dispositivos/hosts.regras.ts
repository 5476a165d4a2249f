/** Push services of browsers; `*.` stands for one or more names before the rest. */
const DOS_NAVEGADORES = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
] as const;

/** Whether a subscription may be of a host. @param outros those of `MALHA_PUSH_HOSTS`, in lower case */
export function hostServe(host: string, outros: readonly string[]): boolean {
  return [...DOS_NAVEGADORES, ...outros].some((um) =>
    um.startsWith('*.') ? host.endsWith(um.slice(1)) && host.length > um.length - 1 : host === um,
  );
}
