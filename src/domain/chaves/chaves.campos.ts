import { isIpRule } from '../../platform/ip.ts';
import { bem, exigido, mal, opcional } from '../campos/campos.ts';
import type { Leitor } from '../campos/campos.ts';
import { escolha, inteiro, lista, ouNulo, texto } from '../campos/leitores.ts';
import { versao } from '../campos/versao.ts';
import { LIMITE_MAXIMO, PERMISSOES, RESTRICOES } from './chaves.types.ts';

const MAIS_IPS = 100;
/** Days that a key which is renewed may go on beside the new one. */
const MAIS_DIAS = 7;
/** After it a column cannot hold the year. */
const MAIOR_ANO = 9999;

const ip: Leitor<string> = (valor) => {
  const regra = typeof valor === 'string' ? valor.trim() : '';
  return isIpRule(regra) ? bem(regra) : mal('deve ser um endereço ou uma faixa CIDR, como 203.0.113.0/24');
};

/** None admits every source, and so does a list of none. */
const ips: Leitor<readonly string[] | null> = (valor) => {
  if (valor === null) return bem(null);
  const lidos = lista(ip, 0, MAIS_IPS)(valor);
  return 'valor' in lidos && lidos.valor.length === 0 ? bem(null) : lidos;
};

/** As `versao` reads one. */
const validade: Leitor<Date> = (valor) => {
  const lida = versao(valor);
  if ('faltas' in lida || lida.valor.getUTCFullYear() > MAIOR_ANO || lida.valor.getTime() < 0) {
    return mal('deve ser um instante, como 2027-01-31T23:59:59-03:00');
  }
  return lida;
};

/** A key as it is typed. What may be missing is then as `NovaChave` says. */
export const CAMPOS_DA_CHAVE = {
  nome: exigido(texto(1, 120)),
  permissoes: exigido(lista(escolha(PERMISSOES), 1, PERMISSOES.length)),
  restricoes: opcional(lista(escolha(RESTRICOES), 0, RESTRICOES.length)),
  ips: opcional(ips),
  limite: opcional(inteiro(1, LIMITE_MAXIMO)),
  expira: opcional(ouNulo(validade)),
} as const;

export const CAMPOS_DA_ALTERACAO = { ...CAMPOS_DA_CHAVE, atualizado_em: opcional(versao) } as const;

export const CAMPOS_DA_RENOVACAO = { dias: exigido(inteiro(0, MAIS_DIAS)) } as const;
