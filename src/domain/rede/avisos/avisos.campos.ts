import { bem, exigido, grupo, mal, malEm, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { escolha, id, ipv4, ouNulo, texto } from '../../campos/leitores.ts';
import { versao } from '../../campos/versao.ts';
import { TIPOS_DE_AVISO } from './avisos.types.ts';
import type { AlvoDeAviso } from './avisos.types.ts';

const MAIS_ALVOS = 100;
const lugar = texto(1, 80);

/** What each kind of target takes beside its kind. */
const FORMAS = {
  nas: { nas: exigido(ipv4), porta: opcional(texto(1, 32)) },
  pop: { id: exigido(id) },
  plano: { id: exigido(id) },
  cidade: { cidade: exigido(lugar) },
  bairro: { cidade: exigido(lugar), bairro: exigido(lugar) },
  todos: {},
} as const;

const especie = escolha(['nas', 'pop', 'plano', 'cidade', 'bairro', 'todos']);

const alvo: Leitor<AlvoDeAviso> = (valor) => {
  if (typeof valor !== 'object' || valor === null || Array.isArray(valor)) return mal('deve ser um objeto');
  const { tipo, ...resto } = valor as Readonly<Record<string, unknown>>;
  const lido = especie(tipo);
  if ('faltas' in lido) return malEm('tipo', lido.faltas);
  const partes = grupo<(typeof FORMAS)[AlvoDeAviso['tipo']]>(FORMAS[lido.valor])(resto);
  return 'faltas' in partes ? partes : bem({ tipo: lido.valor, ...partes.valor } as AlvoDeAviso);
};

/** What a notice covers: at least one; who covers all names nothing else. */
export const alvos: Leitor<readonly AlvoDeAviso[]> = (valor) => {
  if (!Array.isArray(valor) || valor.length === 0) return mal('diga ao menos um');
  if (valor.length > MAIS_ALVOS) return mal(`deve ter no máximo ${MAIS_ALVOS}`);
  const lidos = new Map<string, AlvoDeAviso>();
  for (const [n, dado] of valor.entries()) {
    const um = alvo(dado);
    if ('faltas' in um) return malEm(String(n), um.faltas);
    lidos.set(JSON.stringify(um.valor).toLowerCase(), um.valor);
  }
  const todos = [...lidos.values()];
  return bem(todos.some(({ tipo }) => tipo === 'todos') ? [{ tipo: 'todos' as const }] : todos);
};

/** A notice, as staff open it. Without a beginning it begins at once. */
export const FORMA_DE_AVISO = {
  tipo: exigido(escolha(TIPOS_DE_AVISO)),
  titulo: exigido(texto(3, 120)),
  texto: exigido(texto(3, 1000)),
  inicio: opcional(ouNulo(versao)),
  previsao: opcional(ouNulo(versao)),
  alvos: exigido(alvos),
} as const;

/** What of an open notice is changed; what it covers stays. */
export const FORMA_DA_ALTERACAO = {
  tipo: FORMA_DE_AVISO.tipo,
  titulo: FORMA_DE_AVISO.titulo,
  texto: FORMA_DE_AVISO.texto,
  previsao: FORMA_DE_AVISO.previsao,
  atualizado_em: opcional(versao),
} as const;

export const FORMA_DA_CONFIRMACAO = { atualizado_em: opcional(versao) } as const;

export const FORMA_DO_FIM = { fim: opcional(ouNulo(versao)), atualizado_em: opcional(versao) } as const;
