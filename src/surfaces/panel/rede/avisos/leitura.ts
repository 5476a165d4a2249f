import { lerHorario } from '../../../../brazil/calendario/horario.ts';
import type { Dominio } from '../../../../domain/dominio.ts';
import { faltaEm } from '../../../../domain/erros.ts';
import type { AlvoDeAviso } from '../../../../domain/rede/avisos/avisos.types.ts';
import { preenchido } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { nomeDoServidor } from '../palavras.ts';
import type { Nomes } from '../palavras.ts';

type Dados = Readonly<Record<string, unknown>>;

export const CAMPOS_DO_AVISO: Readonly<Record<string, TipoDeCampo>> = {
  tipo: 'texto',
  titulo: 'texto',
  texto: 'texto',
  inicio: 'texto',
  previsao: 'texto',
  todos: 'caixa',
  nas: 'lista',
  pops: 'lista',
  planos: 'lista',
  cidades: 'lista',
  bairros: 'lista',
  visto: 'texto',
};

/** Two names in one value of a box. */
export const bairroEscrito = (cidade: string, bairro: string): string =>
  `${encodeURIComponent(cidade)}/${encodeURIComponent(bairro)}`;

function bairroLido(valor: string): { cidade: string; bairro: string } {
  const [cidade = '', bairro = ''] = valor.split('/');
  try {
    return { cidade: decodeURIComponent(cidade), bairro: decodeURIComponent(bairro) };
  } catch {
    return { cidade: '', bairro: '' };
  }
}

const lista = (dado: unknown): readonly string[] =>
  Array.isArray(dado) ? dado.filter((um): um is string => typeof um === 'string') : [];

/** What was ticked, as the domain's form of a notice takes it. */
export function alvosDe(dados: Dados): readonly unknown[] {
  if (dados['todos'] === true) return [{ tipo: 'todos' }];
  return [
    ...lista(dados['nas']).map((nas) => ({ tipo: 'nas', nas })),
    ...lista(dados['pops']).map((id) => ({ tipo: 'pop', id })),
    ...lista(dados['planos']).map((id) => ({ tipo: 'plano', id })),
    ...lista(dados['cidades']).map((cidade) => ({ tipo: 'cidade', cidade })),
    ...lista(dados['bairros']).map((um) => ({ tipo: 'bairro', ...bairroLido(um) })),
  ];
}

/** What stands for the targets whose reach somebody has been shown. */
export const vistoDe = (dados: Dados): string => JSON.stringify(alvosDe(dados));

/** The local times that were typed, as instants. @throws CamposInvalidos */
export function comHorarios(fuso: string, dados: Dados, nomes: readonly string[]): Dados {
  const lidos = nomes.map((nome) => {
    const dado = dados[nome];
    if (typeof dado !== 'string') return [nome, dado] as const;
    return [
      nome,
      lerHorario(fuso, dado) ?? faltaEm(nome, 'deve ser um dia e uma hora, como 21/11/2026 14:00'),
    ] as const;
  });
  return Object.fromEntries(lidos);
}

/** A form that shows again what was typed, though nothing is wrong with it. */
export function estadoDe(dados: Dados): EstadoDoFormulario {
  const texto = (nome: string): string | null => (typeof dados[nome] === 'string' ? dados[nome] : null);
  const listas = ['nas', 'pops', 'planos', 'cidades', 'bairros'].map((nome) => [nome, lista(dados[nome])] as const);
  return preenchido({
    ...Object.fromEntries(['tipo', 'titulo', 'texto', 'inicio', 'previsao'].map((nome) => [nome, texto(nome)])),
    ...Object.fromEntries(listas.filter(([, valores]) => valores.length > 0)),
    todos: dados['todos'] === true,
  });
}

/** The names of all that a notice may cover. */
export async function lerNomes(dominio: Dominio): Promise<Nomes> {
  const [servidores, pops, { planos }] = await Promise.all([
    dominio.rede.servidores(),
    dominio.rede.pops(),
    dominio.listas.escolhas(),
  ]);
  return {
    servidores: new Map(servidores.map((um) => [um.endereco, nomeDoServidor(um)])),
    pops: new Map(pops.map(({ id, nome }) => [id, nome])),
    planos: new Map(planos.map(({ id, nome }) => [id, nome])),
  };
}

/** What the boxes of a new notice offer. */
export interface Ofertas {
  readonly nomes: Nomes;
  readonly cidades: readonly string[];
  readonly bairros: readonly Pick<Extract<AlvoDeAviso, { tipo: 'bairro' }>, 'cidade' | 'bairro'>[];
}

export async function lerOfertas(dominio: Dominio): Promise<Ofertas> {
  const [nomes, { cidadesDosContratos: cidades }, bairros] = await Promise.all([
    lerNomes(dominio),
    dominio.listas.escolhas(),
    dominio.avisosDeRede.bairros(),
  ]);
  return { nomes, cidades, bairros };
}
