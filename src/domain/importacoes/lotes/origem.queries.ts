import { createHash } from 'node:crypto';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import type { Formato } from '../importacoes.types.ts';
import { CONTRATO_ACHADO, emPartes } from './lote.queries.ts';
import type { ContratoAchado } from './lote.queries.ts';
import type { Leitor } from './lote.types.ts';

/** Sixteen bytes by which a line's login is known again, also when its contract holds it no more. */
export const resumoDoLogin = (login: string): Buffer =>
  createHash('sha256').update(emPalavra(login)).digest().subarray(0, 16);

const LOGIN_DA_LINHA = columns<{ login_de_origem: Buffer }>('importacao_linhas', { login_de_origem: true });
const CONTRATO_DA_LINHA = expressions<{ contrato: number }>({
  contrato: 'COALESCE(importacao_linhas.contrato_de_origem, importacao_linhas.contrato_id)',
});

/** By these logins, the contracts that came with them from a system's own files. */
export async function contratosDaOrigem(
  leitor: Leitor,
  formato: Formato,
  logins: readonly string[],
): Promise<(login: string) => readonly ContratoAchado[]> {
  const resumos = new Map(logins.map((login) => [resumoDoLogin(login).toString('hex'), resumoDoLogin(login)]));
  const linhas = await emPartes([...resumos.values()], async (parte) => {
    const delas = leitor
      .from('importacao_linhas')
      .join('importacoes', sameTenant('importacao_linhas', 'importacao_id', 'importacoes', 'id'))
      .whereIn('importacao_linhas.login_de_origem', parte)
      .where({ 'importacao_linhas.situacao': 'gravada', 'importacoes.formato': formato });
    return rowsOf(delas, LOGIN_DA_LINHA, CONTRATO_DA_LINHA);
  });
  const ids = linhas.map(({ contrato }) => contrato);
  const contratos = await emPartes(ids, async (parte) =>
    rowsOf(leitor.from('contratos').whereIn('id', parte), CONTRATO_ACHADO),
  );
  const porId = new Map(contratos.map((contrato) => [contrato.id, contrato]));
  const porLogin = new Map<string, Map<number, ContratoAchado>>();
  for (const { login_de_origem: resumo, contrato: id } of linhas) {
    const contrato = porId.get(id);
    if (contrato === undefined) continue;
    const nome = resumo.toString('hex');
    porLogin.set(nome, (porLogin.get(nome) ?? new Map<number, ContratoAchado>()).set(id, contrato));
  }
  return (login) => [...(porLogin.get(resumoDoLogin(login).toString('hex'))?.values() ?? [])];
}
