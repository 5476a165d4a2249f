/** Something happened that screens show: what kind of thing, and which; null when it says no id. */
export interface LiveNews {
  readonly tipo: string;
  readonly id: number | null;
}

/** The news that says nothing but that some may have been missed. */
export const REFRESH: LiveNews = { tipo: 'atualizar', id: null };

export type LiveListener = (news: LiveNews) => void;

/** Shares no slot with the tenant's data: a channel is no key. */
export const channelOf = (tenantId: number): string => `malha:ao-vivo:${tenantId}`;
const TENANT = /^malha:ao-vivo:(\d+)$/;

/** Whose channel it is. */
export const tenantOf = (channel: string): number => Number(TENANT.exec(channel)?.[1]);

/** The same news of no thing in particular. */
export const withoutId = (tipo: string): LiveNews => ({ tipo, id: null });

/** Messages of another version may say something else; they are not heard. */
export function readNews(message: string): LiveNews[] {
  try {
    const list: unknown = JSON.parse(message);
    if (!Array.isArray(list)) return [];
    return list.flatMap((one: unknown) => {
      if (!Array.isArray(one)) return [];
      const [tipo, id] = one as readonly unknown[];
      return typeof tipo === 'string' ? [{ tipo, id: typeof id === 'number' ? id : null }] : [];
    });
  } catch {
    return [];
  }
}
