import { temCaractereProibido } from '../../../brazil/pessoa/digitado.ts';
import { exigido, bem, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { escolha, inteiro, ouNulo, simOuNao, texto } from '../../campos/leitores.ts';
import { LUGARES } from '../radius/conteudo.regras.ts';
import type { Bloqueio, Item, TipoDeBloqueio } from '../rede.types.ts';

export const TIPOS_DE_BLOQUEIO = ['grupo', 'recusa', 'pool', 'lista'] as const satisfies readonly TipoDeBloqueio[];

/** Names that a NAS has for pools and lists: without what a shell or a RADIUS server takes for more than a letter. */
const NOME = /^[\w.-]{1,64}$/;

/** What is wrong with a way of blocking; null: nothing. */
export function bloqueioValido({ tipo, nome }: Bloqueio): string | null {
  const pede = tipo === 'pool' || tipo === 'lista';
  if (pede && (nome === null || !NOME.test(nome))) {
    return `${tipo} pede o seu nome no NAS, de 1 a 64 letras sem acento, números e . _ -`;
  }
  return !pede && nome !== null ? `${tipo} não tem nome` : null;
}

/** At most so many lines: what a NAS is answered has to fit in one packet of 4096 octets. */
const MAIS_LINHAS = 20;
/** Width of `value` in FreeRADIUS's tables. */
const MAIOR_VALOR = 253;
/** What would let everybody in, or nobody, is no answer. */
const ATRIBUTO = /^[A-Za-z][\w.-]{0,63}$/;
const NAO_SAO_RESPOSTAS = new Set([
  'auth-type',
  'fall-through',
  'cleartext-password',
  'user-password',
  'post-auth-type',
]);

/** A line of a plan: `Mikrotik-Rate-Limit := {upload_mbps}M/{download_mbps}M`. */
const linha: Leitor<Item> = (valor) => {
  if (typeof valor !== 'string') return mal('deve ser um texto, como Filter-Id := {download_mbps}');
  const [, attribute = '', op = '', resto = ''] = /^\s*(\S+?)\s*(:=|\+=|=)\s*(.*?)\s*$/u.exec(valor) ?? [];
  if (!ATRIBUTO.test(attribute)) return mal('deve ser Atributo := valor, como Filter-Id := {download_mbps}');
  if (NAO_SAO_RESPOSTAS.has(attribute.toLowerCase())) return mal(`${attribute} não é resposta de um plano`);
  if (resto === '' || resto.length > MAIOR_VALOR || temCaractereProibido(resto)) {
    return mal(`${attribute}: o valor deve ter de 1 a ${MAIOR_VALOR} caracteres`);
  }
  // FreeRADIUS expands what begins like this, and a fault in it would refuse each login of the plan.
  if (/[%`"\\]/.test(resto)) return mal(`${attribute}: o valor não pode ter % \` " \\`);
  const lugares = [...resto.matchAll(/\{([^{}]*)\}/g)].map(([, lugar = '']) => lugar);
  const estranho = lugares.find((lugar) => !LUGARES.some((um) => um === lugar));
  if (estranho !== undefined)
    return mal(`{${estranho.slice(0, 30)}} não existe; há ${LUGARES.map((um) => `{${um}}`).join(' ')}`);
  return bem({ attribute, op, value: resto });
};

const linhas: Leitor<readonly Item[]> = (valor) => {
  if (!Array.isArray(valor)) return mal('deve ser uma lista');
  if (valor.length > MAIS_LINHAS) return mal(`deve ter no máximo ${MAIS_LINHAS}`);
  const itens: Item[] = [];
  for (const dado of valor) {
    const lida = linha(dado);
    if ('faltas' in lida) return lida;
    itens.push(lida.valor);
  }
  return bem(itens);
};

/** What a provider may have its network told; all may be missing in a change. */
export const CAMPOS_DA_REDE = {
  bloqueio: exigido(escolha(TIPOS_DE_BLOQUEIO)),
  bloqueio_nome: opcional(ouNulo(texto(1, 64))),
  /** Null: those that the program has. */
  atributos: opcional(ouNulo(linhas)),
  enderecos: opcional(simOuNao),
  prender_mac: opcional(simOuNao),
  /** From how many lines on, and how many of a hundred, drops are an outage; null: as the program has it. */
  queda_minimo: opcional(ouNulo(inteiro(1, 10_000))),
  queda_percentual: opcional(ouNulo(inteiro(1, 100))),
} as const;

/** As a line is typed. */
export const emTexto = ({ attribute, op, value }: Item): string => `${attribute} ${op} ${value}`;
