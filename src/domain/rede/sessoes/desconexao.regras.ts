import { createIpList, isIpRule } from '../../../platform/ip.ts';

/**
 * Seconds from each try to the next, and from the last one to giving up: RFC 5080, section 2.2.1, which RFC 5176, section 2.3,
 * asks for: the first after 2 s, then twice as long each time up to 16 s, five tries, some 30 s in all.
 */
export const ESPERAS_SEGUNDOS = [2, 4, 8, 16, 2] as const;

/** Tries at changing a session before it is ended instead: a subscriber in debt is not left online by a NAS that knows no CoA. */
export const TENTATIVAS_DE_ALTERAR = 2;

/** Error-Cause "Session Context Not Found" (RFC 5176, section 3.6): it has ended already, perhaps by a try before. */
export const SESSAO_INEXISTENTE = 503;

/** When to try again after a try: the waits vary by a tenth, so that what began together does not stay together. */
export function proximaTentativa(tentativa: number, agora: Date, sorte = Math.random()): Date {
  const segundos = ESPERAS_SEGUNDOS[tentativa - 1] ?? 0;
  return new Date(agora.getTime() + segundos * 1000 * (0.9 + 0.2 * sorte));
}

/** The client that FreeRADIUS takes an address for: the address itself, else the narrowest network that it is in. */
export function clienteDoEndereco<Cliente extends { nasname: string }>(
  endereco: string,
  clientes: readonly Cliente[],
): Cliente | undefined {
  const exato = clientes.find(({ nasname }) => nasname === endereco);
  if (exato !== undefined) return exato;
  const [rede] = clientes
    .filter(({ nasname }) => nasname.includes('/') && isIpRule(nasname) && createIpList([nasname]).has(endereco))
    .toSorted((a, b) => tamanho(b) - tamanho(a));
  return rede;
}

const tamanho = ({ nasname }: { nasname: string }): number => Number(nasname.split('/')[1]);
