import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { EntradaInvalida } from '../../erros.ts';
import type { Write } from '../../escrita.ts';

const CONTEUDO = columns<{ conteudo: Buffer }>('importacao_arquivos', { conteudo: true });
const PARTE = columns<{ parte: number }>('importacao_arquivos', { parte: true });

/** A part cannot take the place of another, nor of another file's. */
const lugar = (tenant: number, importacaoId: number, parte: number) => ({
  tenant,
  table: 'importacao_arquivos',
  column: 'conteudo',
  row: `${importacaoId}/${parte}`,
});

export async function guardarParte(
  w: Write,
  segredos: Secrets,
  { importacaoId, parte, conteudo, agora }: { importacaoId: number; parte: number; conteudo: Buffer; agora: Date },
): Promise<void> {
  await w.insert('importacao_arquivos', {
    importacao_id: importacaoId,
    parte,
    conteudo: segredos.seal(lugar(w.provedorId, importacaoId, parte), conteudo),
    criado_em: toDatabaseTime(agora),
  });
}

/** Whether the file is still there, before its lines are asked for. */
export async function temArquivo(tenant: TenantDb, importacaoId: number): Promise<boolean> {
  const primeira = tenant.from('importacao_arquivos').where({ importacao_id: importacaoId }).limit(1);
  return (await rowsOf(primeira, PARTE)).length > 0;
}

/** Parts of the compressed file, in clear, one in memory at a time. @throws EntradaInvalida where it is gone */
export async function* partesDe(tenant: TenantDb, segredos: Secrets, importacaoId: number): AsyncGenerator<Buffer> {
  for (let parte = 0; ; parte += 1) {
    const uma = tenant.from('importacao_arquivos').where({ importacao_id: importacaoId, parte });
    const [row] = await rowsOf(uma, CONTEUDO);
    if (row === undefined && parte === 0) {
      throw new EntradaInvalida(`importação ${importacaoId}: o arquivo já foi apagado; guarda-se por 7 dias`);
    }
    if (row === undefined) return;
    yield segredos.open(lugar(tenant.provedorId, importacaoId, parte), row.conteudo);
  }
}

/** A password of a line on its way to the network. */
export const lugarDaSenha = (tenant: number, contratoId: number) => ({
  tenant,
  table: 'importacao_senhas',
  column: 'senha',
  row: String(contratoId),
});
