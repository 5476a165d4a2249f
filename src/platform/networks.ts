import { createIpList, isIpRule } from './ip.ts';
import type { IpList } from './ip.ts';

/** What the operator sets of the way out. */
export interface NetworkSettings {
  readonly MALHA_REDES_PROIBIDAS?: string;
  readonly MALHA_REDES_PERMITIDAS?: string;
  readonly MALHA_WEBHOOKS_HTTP: string;
  readonly MALHA_GOOGLE_URL?: string;
  readonly NODE_ENV: string;
}

const LISTS = ['MALHA_REDES_PROIBIDAS', 'MALHA_REDES_PERMITIDAS'] as const;

const listed = (setting = ''): string[] =>
  setting
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '');

/** The networks of a setting that has no fault. */
export const networksOf = (setting: string | undefined): IpList => createIpList(listed(setting));

/** What is wrong with these settings, a line each. What makes the way out less strict is for development alone. */
export function networkFaults(settings: NetworkSettings): string[] {
  const malformed = LISTS.filter((name) => !listed(settings[name]).every(isIpRule));
  const loose = [
    ...(settings.MALHA_REDES_PERMITIDAS === undefined ? [] : ['MALHA_REDES_PERMITIDAS']),
    ...(settings.MALHA_GOOGLE_URL === undefined ? [] : ['MALHA_GOOGLE_URL']),
    ...(settings.MALHA_WEBHOOKS_HTTP === 'sim' ? ['MALHA_WEBHOOKS_HTTP'] : []),
  ];
  return [
    ...malformed.map(
      (name) => `Configuração inválida: ${name} — são endereços ou faixas, como 203.0.113.0/24, separados por vírgula.`,
    ),
    ...(settings.NODE_ENV === 'production' ? loose : []).map(
      (name) => `Configuração inválida: ${name} — não se aceita em produção. Retire-a.`,
    ),
  ];
}
