import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { EstadoNaRede } from './rede.types.ts';

/** Group of who is blocked, where the provider says nothing else: what it means, an operator says once for all of them. */
export const GRUPO_BLOQUEADO = 'bloqueado';
/** Group of who has no right to the network at all: refused, whatever anybody's blocks are. A new login begins in it. */
export const GRUPO_RETIRADO = 'retirado';

/** The group of who is blocked, where a provider blocks in a way of its own. */
export function grupoBloqueadoDe(provedorId: number): string {
  return `${GRUPO_BLOQUEADO}-p${provedorId}`;
}

/** What blocks on one NAS alone. */
export function grupoBloqueadoEm(nas: string): string {
  return `${GRUPO_BLOQUEADO}-${nas}`;
}

/** What refuses on one NAS alone. */
export function grupoRetiradoEm(nas: string): string {
  return `${GRUPO_RETIRADO}-${nas}`;
}

/** The groups that hold on one NAS alone. */
export const gruposDoNas = (nas: string): string[] => [grupoBloqueadoEm(nas), grupoRetiradoEm(nas)];

/** What blocks or refuses whichever NAS the line comes by; {@link EM_UM_NAS} does so on the one it names. */
const EM_QUALQUER_NAS = /^(?:bloqueado(?:-p\d+)?|retirado)$/i;
const EM_UM_NAS = /^(?:bloqueado|retirado)-(\d+\.\d+\.\d+\.\d+)$/i;

/** What a state asks of the network; only who is `ativo` gets through. */
export function estadoNaRede(situacao: SituacaoContrato): EstadoNaRede {
  if (situacao === 'ativo') return 'liberado';
  return situacao === 'bloqueado' || situacao === 'inativo' ? 'bloqueado' : 'retirado';
}

/** The group that a plan's logins are in: the one it names, or one of its own. */
export function grupoDoPlano({ id, grupo_radius }: { id: number; grupo_radius: string | null }): string {
  const nomeado = grupo_radius?.trim() ?? '';
  return nomeado === '' ? `plano-${id}` : nomeado;
}

/** What a request is to a process of the release before, which does not look at the contract's state. */
export type AcaoDeRede = 'liberar' | 'bloquear';

/** A row of `radusergroup`. */
export interface LinhaDeGrupo {
  readonly id: number;
  readonly groupname: string;
  readonly priority: number;
}

export interface Pertencimento {
  readonly groupname: string;
  readonly priority: number;
}

/** What becomes of a login's groups. */
export interface MudancaDeGrupos {
  readonly apagar: readonly number[];
  readonly inserir: readonly Pertencimento[];
}

export interface EntradaDosGrupos {
  /** What the contract's state asks for. */
  readonly estado: EstadoNaRede;
  /** Of the contract's plan. */
  readonly grupo: string;
  /** Of all plans of the provider. */
  readonly gruposDosPlanos: ReadonlySet<string>;
  /** All rows that the login has. */
  readonly atuais: readonly LinhaDeGrupo[];
  /** Of the provider's blocked, save on the NASes below. */
  readonly bloqueado: string;
  /** Addresses of the provider's NASes that block in a way of their own. */
  readonly nasProprios: readonly string[];
  /** Addresses of the provider's NASes. */
  readonly nas: readonly string[];
  /** Other providers that have a contract with this login: their NASes, and what its state asks for. */
  readonly outros: readonly { readonly nas: readonly string[]; readonly estado: EstadoNaRede }[];
}

/**
 * Where a login's groups must be after a request.
 *
 * A login that one provider has is in its plan's group, in that of the blocked or in that of the refused; groups that are no plan's of the
 * provider are left alone. FreeRADIUS's tables know a login by its name only, so of one that several providers have nothing is moved
 * that would move it for the others: it enters or leaves groups that hold on the provider's own NASes, one each, and a group for all NASes
 * from the time when it had one owner becomes such groups of each provider that has it blocked or refused.
 */
export function planejarGrupos(entrada: EntradaDosGrupos): MudancaDeGrupos {
  const { estado, grupo, gruposDosPlanos, atuais, bloqueado, nasProprios, nas, outros } = entrada;
  const daqui = nas.flatMap(gruposDoNas);
  const nossos = atuais.filter(({ groupname }) => EM_QUALQUER_NAS.test(groupname) || tem(daqui, groupname));
  // FreeRADIUS stops at the first group that holds, so what takes rights away comes before all others.
  const primeiro = Math.min(0, ...atuais.filter((linha) => !negaAcesso(linha)).map(({ priority }) => priority - 1));
  const negado = (groupname: string): Pertencimento => ({ groupname, priority: primeiro });
  const noPlano = { groupname: grupo, priority: 1 };

  if (outros.length === 0) {
    const doPlano = atuais.filter(({ groupname }) => tem([...gruposDosPlanos], groupname));
    const desejados = {
      liberado: [noPlano],
      // A NAS's own way comes before the provider's.
      bloqueado: [
        negado(bloqueado),
        ...nasProprios.map((um) => ({
          groupname: grupoBloqueadoEm(um),
          priority: Math.min(primeiro, ...nossos.filter(doGrupo(bloqueado)).map(({ priority }) => priority)) - 1,
        })),
      ],
      retirado: [negado(GRUPO_RETIRADO)],
    }[estado];
    return trocar([...nossos, ...doPlano], desejados);
  }
  const geral = atuais.some(({ groupname }) => EM_QUALQUER_NAS.test(groupname));
  const nomes = atuais.map(({ groupname }) => groupname);
  const deOutros = outros
    .flatMap((outro) => (geral ? emCada(outro.nas, outro.estado) : []))
    .filter((nome) => !tem(nomes, nome))
    .map(negado);
  const { apagar, inserir } = trocar(nossos, emCada(nas, estado).map(negado));
  // Which plan's group a login of several is in, only one name can say: it is left to who put it there.
  const semGrupo = estado === 'liberado' && atuais.every(negaAcesso);
  return { apagar, inserir: [...inserir, ...deOutros, ...(semGrupo ? [noPlano] : [])] };
}

/** The groups by which some NASes, and no others, do what a state asks for. */
function emCada(nas: readonly string[], estado: EstadoNaRede): string[] {
  if (estado === 'liberado') return [];
  return nas.map(estado === 'bloqueado' ? grupoBloqueadoEm : grupoRetiradoEm);
}

/** Whether a group is that of the blocked or of the refused, on all NASes or on one. */
export function negaAcesso({ groupname }: Pick<LinhaDeGrupo, 'groupname'>): boolean {
  return EM_QUALQUER_NAS.test(groupname) || EM_UM_NAS.test(groupname);
}

/** Whether a login is blocked or refused on all NASes before any other group of its says something. */
export function negadoEmTodos(grupos: readonly Pertencimento[]): boolean {
  const primeira = (quais: readonly Pertencimento[]): number => Math.min(...quais.map(({ priority }) => priority));
  return (
    primeira(grupos.filter(({ groupname }) => EM_QUALQUER_NAS.test(groupname))) <
    primeira(grupos.filter((linha) => !negaAcesso(linha)))
  );
}

/** The rows after a change; those that are new have no id yet. */
export function depoisDe(
  atuais: readonly LinhaDeGrupo[],
  { apagar, inserir }: MudancaDeGrupos,
): readonly Pertencimento[] {
  return [...atuais.filter(({ id }) => !apagar.includes(id)), ...inserir];
}

/** The first of a login's groups, by which a NAS is answered; null for none. Of groups that are not ours nobody knows what they ask for. */
export function primeiroGrupo(grupos: readonly Pertencimento[], nas: string): string | null {
  const valem = grupos.filter(({ groupname }) => [null, nas].includes(EM_UM_NAS.exec(groupname)?.[1] ?? null));
  return valem.toSorted((a, b) => a.priority - b.priority)[0]?.groupname ?? null;
}

/** Of the rows, leaves what is wished for as it is where it comes early enough, and takes the others away. */
function trocar(nossos: readonly LinhaDeGrupo[], desejados: readonly Pertencimento[]): MudancaDeGrupos {
  const ficam = desejados.map((desejado) =>
    nossos.find((linha) => doGrupo(desejado.groupname)(linha) && linha.priority <= desejado.priority),
  );
  return {
    apagar: nossos.filter((linha) => !ficam.includes(linha)).map(({ id }) => id),
    inserir: desejados.filter((_, n) => ficam[n] === undefined),
  };
}

/** As FreeRADIUS's queries compare names: the tables' collation ignores case. */
const igual = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const tem = (nomes: readonly string[], nome: string): boolean => nomes.some((outro) => igual(outro, nome));
const doGrupo =
  (nome: string) =>
  ({ groupname }: Pick<LinhaDeGrupo, 'groupname'>): boolean =>
    igual(groupname, nome);
