import { columns } from '../../../platform/mysql/columns.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import { NOMES_DE_PERMISSAO, PERFIS_DE_FABRICA, permissoesDeFabrica } from '../permissoes.regras.ts';
import type { PerfilDeFabrica, PermissaoPainel } from '../permissoes.regras.ts';

export interface Perfil {
  readonly id: number;
  readonly nome: string;
  readonly permissoes: readonly PermissaoPainel[];
  /** Which of those it is that come made; null for the provider's own. */
  readonly deFabrica: PerfilDeFabrica | null;
}

export interface PerfilRow {
  perfil_id: number;
  perfil_nome: string;
  permissoes: string | string[] | null;
  de_fabrica: string | null;
}

export const COLUNAS_DE_PERFIL = columns<PerfilRow>('perfis', {
  perfil_id: 'perfis.id',
  perfil_nome: 'perfis.nome',
  permissoes: 'perfis.permissoes',
  de_fabrica: 'perfis.de_fabrica',
});

const DE_FABRICA = Object.keys(PERFIS_DE_FABRICA) as readonly PerfilDeFabrica[];

/** What nobody has changed follows the program; the administrator's always does. A permission that is no more is nobody's. */
export function paraPerfil({ perfil_id: id, perfil_nome: nome, permissoes, de_fabrica }: PerfilRow): Perfil {
  const deFabrica = DE_FABRICA.find((um) => um === de_fabrica) ?? null;
  if (deFabrica !== null && (deFabrica === 'administrador' || permissoes === null)) {
    return { id, nome, permissoes: permissoesDeFabrica(deFabrica), deFabrica };
  }
  const guardadas = jsonColumn<string[]>(permissoes ?? []);
  return { id, nome, permissoes: NOMES_DE_PERMISSAO.filter((uma) => guardadas.includes(uma)), deFabrica };
}
