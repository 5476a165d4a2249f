import type { Write } from '../../escrita.ts';
import { paraNasNaRede, paraRede } from '../configuracao/configuracao.types.ts';
import type { NasNaRede, RedeDoProvedor } from '../configuracao/configuracao.types.ts';
import { createFilaQueries } from '../fila.queries.ts';
import {
  GRUPO_BLOQUEADO,
  GRUPO_RETIRADO,
  grupoBloqueadoDe,
  grupoBloqueadoEm,
  grupoRetiradoEm,
} from '../grupos.regras.ts';
import type { GrupoDesejado } from '../radius/conteudo.queries.ts';
import { RECUSA, conteudoDoBloqueio, conteudoDoPlano } from '../radius/conteudo.regras.ts';

/** A provider's network: what it is told, and by which NASes. */
export interface Rede extends RedeDoProvedor {
  readonly provedorId: number;
  readonly nas: readonly NasNaRede[];
}

/** Networks of the provider that is written, and of some others. */
export async function lerRedes(
  w: Write,
  outros: readonly number[],
): Promise<{ nossa: Rede; de: (id: number) => Rede }> {
  const ids = [...new Set([w.provedorId, ...outros])];
  const fila = createFilaQueries(w.tenant.db);
  const rows = await fila.redesDe(ids);
  const nas = await fila.nasDe(ids);
  const de = (provedorId: number): Rede => ({
    provedorId,
    ...paraRede(rows.find(({ provedor_id }) => provedor_id === provedorId)),
    nas: nas.filter(({ provedor_id }) => provedor_id === provedorId).map(paraNasNaRede),
  });
  return { nossa: de(w.provedorId), de };
}

export const enderecosDe = ({ nas }: Rede): string[] => nas.map(({ endereco }) => endereco);

/** The group of a provider's blocked on all NASes. */
export function grupoDosBloqueados({ provedorId, bloqueio }: Rede): string {
  return bloqueio.tipo === 'grupo' ? GRUPO_BLOQUEADO : grupoBloqueadoDe(provedorId);
}

/** NASes that block in a way of their own. */
export const nasProprios = ({ nas }: Rede): string[] =>
  nas.filter(({ bloqueio }) => bloqueio !== null).map(({ endereco }) => endereco);

/** Whether whoever is blocked gets an address of a pool on some NAS, as far as that is Malha's to say. */
export const bloqueiaPorPool = ({ bloqueio, nas }: Rede): boolean =>
  [bloqueio, ...nas.map((um) => um.bloqueio)].some((um) => um?.tipo === 'pool');

/** What the groups mean that the provider's blocked and refused may be in. */
export function gruposQueNegam(rede: Rede): GrupoDesejado[] {
  const { bloqueio, atributos, nas } = rede;
  const tudo = { nossos: 'tudo' } as const;
  return [
    { ...tudo, grupo: GRUPO_RETIRADO, conteudo: RECUSA, nas: null },
    { ...tudo, grupo: grupoDosBloqueados(rede), conteudo: conteudoDoBloqueio(bloqueio, atributos), nas: null },
    ...nas.flatMap(({ endereco, bloqueio: dele }) => [
      { ...tudo, grupo: grupoRetiradoEm(endereco), conteudo: RECUSA, nas: endereco },
      {
        ...tudo,
        grupo: grupoBloqueadoEm(endereco),
        conteudo: conteudoDoBloqueio(dele ?? bloqueio, atributos),
        nas: endereco,
      },
    ]),
  ];
}

interface PlanoNaRede {
  readonly id: number;
  readonly grupo_radius: string | null;
  readonly download_mbps: number;
  readonly upload_mbps: number;
}

/** What the plans' own groups answer; one that an operator named is the operator's, and so is all where no line is said. */
export function gruposDosPlanos(atributos: Rede['atributos'], planos: readonly PlanoNaRede[]): GrupoDesejado[] {
  if (atributos.length === 0) return [];
  const nossos = new Set(atributos.map(({ attribute }) => attribute));
  return planos
    .filter(({ grupo_radius }) => (grupo_radius ?? '').trim() === '')
    .map((plano) => ({
      grupo: `plano-${plano.id}`,
      conteudo: { check: [], reply: conteudoDoPlano(atributos, plano) },
      nas: null,
      nossos,
    }));
}
