import type { Item } from '../rede.types.ts';
import { bytesDoIp } from '../../registros/endereco.regras.ts';

/** What an open session has, as its NAS told; empty where it did not say. */
export interface SessaoComo {
  readonly framedipaddress: string | null;
  readonly delegatedipv6prefix: string | null;
  readonly callingstationid: string | null;
}

/** What changed of what a login is given and bound by. */
export interface MudancaDoLogin {
  /** Answers that it has from now on, and those that it had. */
  readonly dadas: readonly Item[];
  readonly tiradas: readonly Item[];
  /** The MAC that it is bound to from now on; null: none that is new. */
  readonly mac: string | null;
}

/**
 * Whether a session really has another address or MAC than its login has from now on: what it has already, and what a NAS never told, is no
 * reason to end it. A binding that goes leaves it up.
 */
export function difere({ dadas, tiradas, mac }: MudancaDoLogin, sessao: SessaoComo): boolean {
  if (mac !== null && dito(sessao.callingstationid) && soHexa(mac) !== soHexa(sessao.callingstationid)) return true;
  return (
    outro(dadas, tiradas, 'Framed-IP-Address', sessao.framedipaddress) ||
    outro(dadas, tiradas, 'Delegated-IPv6-Prefix', sessao.delegatedipv6prefix)
  );
}

function outro(dadas: readonly Item[], tiradas: readonly Item[], attribute: string, tem: string | null): boolean {
  if (!dito(tem)) return false;
  const de = (itens: readonly Item[]) => itens.filter((item) => item.attribute === attribute);
  const nova = de(dadas).at(-1);
  return nova === undefined ? de(tiradas).some(({ value }) => igual(value, tem)) : !igual(nova.value, tem);
}

const dito = (valor: string | null): valor is string => valor !== null && valor !== '' && valor !== '0.0.0.0';
const soHexa = (mac: string): string => mac.toLowerCase().replaceAll(/[-:.]/g, '');

/** Addresses and prefixes, however they are written. */
function igual(a: string, b: string): boolean {
  const [um, outro_] = [a, b].map((valor) => {
    const [ip = '', bits = ''] = valor.split('/');
    return `${bytesDoIp(ip)?.toString('hex') ?? ip}/${bits}`;
  });
  return um === outro_;
}
