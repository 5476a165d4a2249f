import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { lidosDoApp } from './app.types.ts';
import type { DoApp } from './app.types.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { Write } from '../../escrita.ts';

interface DoAppRow {
  app_origens: string | string[] | null;
  app_edita_cadastro: number;
}

const DO_APP = columns<DoAppRow>('provedores', { app_origens: true, app_edita_cadastro: true });

const paraDoApp = ({ app_origens: origens, app_edita_cadastro: edita }: DoAppRow): DoApp => ({
  origens: origens === null ? [] : jsonColumn<string[]>(origens),
  editaCadastro: edita === 1,
});

/** Of the provider whose id or host this is; null when there is no such provider. */
export async function lerDoApp(
  db: Db,
  qual: { readonly id: number } | { readonly panel_host: string },
): Promise<DoApp | null> {
  const [row] = await rowsOf(db('provedores').where(qual), DO_APP);
  return row === undefined ? null : paraDoApp(row);
}

/** Writes what is given for the provider that is written. @returns the columns that are not as they were. @throws Recusa `versao_divergente` */
export async function gravarDoApp(
  w: Write,
  { origens, editaCadastro }: { readonly [Nome in keyof DoApp]: DoApp[Nome] | undefined },
  versao?: string,
): Promise<string[]> {
  const deste = () => w.tenant.db('provedores').where('id', w.provedorId);
  const [row] = await rowsOf(deste().forUpdate(), DO_APP);
  if (row === undefined) return [];
  const antes = paraDoApp(row);
  conferirLidos(versao, lidosDoApp(antes));
  const colunas: Record<string, string | number> = {};
  if (origens !== undefined && antes.origens.join('\n') !== origens.join('\n')) {
    colunas['app_origens'] = JSON.stringify(origens);
  }
  if (editaCadastro !== undefined && antes.editaCadastro !== editaCadastro) {
    colunas['app_edita_cadastro'] = editaCadastro ? 1 : 0;
  }
  const campos = Object.keys(colunas);
  if (campos.length > 0) await deste().update(colunas);
  return campos;
}
