/** Group of who is blocked, the same for all providers: what it means is said once, in `radgroupcheck` and `radgroupreply`. */
export const GRUPO_BLOQUEADO = 'bloqueado';

/** The same, where it holds on one NAS alone. */
export function grupoBloqueadoEm(nas: string): string {
  return `${GRUPO_BLOQUEADO}-${nas}`;
}

const BLOQUEADO_EM_NAS = /^bloqueado-\d+\.\d+\.\d+\.\d+$/i;

/** The group that a plan's logins are in: the one it names, or one of its own. */
export function grupoDoPlano({ id, grupo_radius }: { id: number; grupo_radius: string | null }): string {
  const nomeado = grupo_radius?.trim() ?? '';
  return nomeado === '' ? `plano-${id}` : nomeado;
}

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
  readonly acao: AcaoDeRede;
  /** Of the contract's plan. */
  readonly grupo: string;
  /** Of all plans of the provider. */
  readonly gruposDosPlanos: ReadonlySet<string>;
  /** All rows that the login has. */
  readonly atuais: readonly LinhaDeGrupo[];
  /** Addresses of the provider's NASes; of importance only where others have the login. */
  readonly nas: readonly string[];
  /** Other providers that have a contract with this login: their NASes, and whether theirs is blocked. */
  readonly outros: readonly { readonly nas: readonly string[]; readonly bloqueado: boolean }[];
}

/**
 * Where a login's groups must be after a request.
 *
 * A login that one provider has is in `bloqueado` or in its plan's group; groups that are no plan's of the provider are
 * left alone. FreeRADIUS's tables know a login by its name only, so of one that several providers have nothing is moved
 * that would move it for the others: it enters or leaves groups that hold on the provider's own NASes, one each, and a
 * `bloqueado` from the time when it had one owner becomes such groups of each provider that has it blocked.
 */
export function planejarGrupos(entrada: EntradaDosGrupos): MudancaDeGrupos {
  const { acao, grupo, gruposDosPlanos, atuais, nas, outros } = entrada;
  const bloqueios = [GRUPO_BLOQUEADO, ...nas.map(grupoBloqueadoEm)];
  const nossos = atuais.filter(({ groupname }) => tem(bloqueios, groupname));
  // FreeRADIUS stops at the first group that holds, so a block comes before all others.
  const primeiro = Math.min(0, ...atuais.filter((linha) => !ehBloqueio(linha)).map(({ priority }) => priority - 1));
  const noBloqueio = (groupname: string): Pertencimento => ({ groupname, priority: primeiro });
  const noPlano = { groupname: grupo, priority: 1 };

  if (outros.length === 0) {
    const doPlano = atuais.filter(({ groupname }) => tem([...gruposDosPlanos], groupname));
    return trocar([...nossos, ...doPlano], [acao === 'bloquear' ? noBloqueio(GRUPO_BLOQUEADO) : noPlano]);
  }
  const geral = atuais.some(({ groupname }) => igual(groupname, GRUPO_BLOQUEADO));
  const deles = outros
    .filter(({ bloqueado }) => geral && bloqueado)
    .flatMap((outro) => outro.nas.map(grupoBloqueadoEm));
  const deOutros = deles
    .filter(
      (grupo_) =>
        !tem(
          atuais.map(({ groupname }) => groupname),
          grupo_,
        ),
    )
    .map(noBloqueio);
  const nosso = acao === 'bloquear' ? nas.map(grupoBloqueadoEm).map(noBloqueio) : [];
  const { apagar, inserir } = trocar(nossos, nosso);
  // Which plan's group a login of several is in, only one name can say: it is left to who put it there.
  const semGrupo = acao === 'liberar' && atuais.every(ehBloqueio);
  return { apagar, inserir: [...inserir, ...deOutros, ...(semGrupo ? [noPlano] : [])] };
}

/** Whether a group is that of the blocked, on all NASes or on one. */
export function ehBloqueio({ groupname }: Pick<LinhaDeGrupo, 'groupname'>): boolean {
  return igual(groupname, GRUPO_BLOQUEADO) || BLOQUEADO_EM_NAS.test(groupname);
}

/** Of the rows, leaves what is wished for as it is where it comes early enough, and takes the others away. */
function trocar(nossos: readonly LinhaDeGrupo[], desejados: readonly Pertencimento[]): MudancaDeGrupos {
  const ficam = desejados.map((desejado) =>
    nossos.find(({ groupname, priority }) => igual(groupname, desejado.groupname) && priority <= desejado.priority),
  );
  return {
    apagar: nossos.filter((linha) => !ficam.includes(linha)).map(({ id }) => id),
    inserir: desejados.filter((_, n) => ficam[n] === undefined),
  };
}

/** As FreeRADIUS's queries compare names: the tables' collation ignores case. */
const igual = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const tem = (nomes: readonly string[], nome: string): boolean => nomes.some((outro) => igual(outro, nome));
