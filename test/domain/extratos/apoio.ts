import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ArquivoDoExtrato } from '../../../src/domain/extratos/extratos.types.ts';
import { untracked } from '../../../src/platform/cache/trail.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

/** A file of an extract, by where the directory keeps it. */
export async function pastaDe(
  api: Api,
  provedorId: number,
): Promise<{ id: number; pasta: string; arquivos: ArquivoDoExtrato[] }> {
  const { itens } = await extratosDe(api, provedorId);
  const [extrato] = itens;
  const [tentativa] = await api.dono('extratos').where({ id: extrato!.id }).pluck<number[]>('tentativa');
  return {
    id: extrato!.id,
    pasta: path.join(api.extratos, String(provedorId), String(extrato!.id), String(tentativa)),
    arquivos: [...extrato!.arquivos],
  };
}

export async function extratosDe({ container }: Api, provedorId: number) {
  const provedor = (await container.provedores.buscarPorId(provedorId))!;
  return container.readTenant(provedor, untracked, { reader: 'teste', whole: false }, async ({ extratos }) =>
    extratos.listar({ pagina: 1, porPagina: 100 }),
  );
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Rows of a gzipped NDJSON file. */
export async function lerNdjson(arquivo: string): Promise<Record<string, any>[]> {
  const texto = gunzipSync(await readFile(arquivo)).toString();
  return texto
    .split('\n')
    .filter(Boolean)
    .map((linha) => JSON.parse(linha) as Record<string, any>);
}

/** DuckDB, in memory. */
export async function abrirDuckdb(): Promise<{
  consultar: (sql: string) => Promise<Record<string, any>[]>;
  fechar(): void;
}> {
  const instancia = await DuckDBInstance.create(':memory:');
  const conexao: DuckDBConnection = await instancia.connect();
  return {
    async consultar(sql) {
      const leitura = await conexao.runAndReadAll(sql);
      return leitura.getRowObjectsJson() as Record<string, any>[];
    },
    fechar() {
      conexao.closeSync();
      instancia.closeSync();
    },
  };
}

/** A provider with a row of every kind that a column may hold. */
export async function povoar(api: Api, clientes = 30): Promise<number> {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor, { valor: '79.90', descricao: 'com "aspas", \\ e\nquebra' });
  await fabrica.plano(provedor, { ativo: 0, valor: '0.01' });
  for (let n = 0; n < clientes; n += 1) {
    const cliente = await fabrica.cliente(provedor, {
      nome: n % 5 === 0 ? `José d'Ávila “${n}” 😀\t\u0001` : `Cliente ${n}`,
      email: n % 3 === 0 ? null : `c${n}@malha.test`,
      data_nascimento: n % 4 === 0 ? null : `19${60 + (n % 40)}-02-28`,
      cep: n % 2 === 0 ? '37550000' : null,
      cidade: n % 2 === 0 ? 'Pouso Alegre' : null,
    });
    for (let fone = 0; fone < n % 3; fone += 1) {
      await fabrica.telefone(provedor, { cliente_id: cliente, numero: `3599990${1000 + n}` });
    }
    const contrato = await fabrica.contrato(provedor, {
      cliente_id: cliente,
      plano_id: plano,
      valor: `${n}.${String(n % 100).padStart(2, '0')}`,
      ativado_em: n % 2 === 0 ? '2024-02-29' : null,
    });
    if (n % 2 === 0) {
      const ouvida_em = n % 4 === 0 ? '2026-11-20 14:58:00.000' : '2026-11-20 10:00:00.000';
      // One long enough for both, from before intervals had a bound.
      const intervalo_segundos = n % 8 === 2 ? 86_400 : 300;
      await fabrica.conexao(provedor, { contrato_id: contrato, ouvida_em, intervalo_segundos });
    }
    // One that holds, one that has lapsed and was not ended yet, one that was ended before its time.
    const [ate, encerrado_em] = [
      ['2026-11-21 03:00:00.000', null],
      ['2026-11-20 14:59:59.999', null],
      ['2026-11-21 03:00:00.000', '2026-11-19 12:00:00.000'],
    ][n % 5] ?? [null, null];
    if (ate !== null) await fabrica.desbloqueio(provedor, { contrato_id: contrato, ate, encerrado_em });
    await fabrica.quedas(provedor, { contrato_id: contrato, dia: '2026-11-18', quedas: n });
    await fabrica.quedas(provedor, { contrato_id: contrato, dia: '2026-11-19', quedas: 1 });
    const situacao = ['pendente', 'vencida', 'paga', 'cancelada', 'estornada', 'processando'][n % 6];
    const parcial = n % 7 === 1 && (situacao === 'pendente' || situacao === 'vencida');
    const fatura = await fabrica.fatura(provedor, {
      cliente_id: cliente,
      contrato_id: n % 2 === 0 ? contrato : null,
      situacao,
      valor: n === 6 ? '9999999999.99' : `${100 + n}.${String((n * 7) % 100).padStart(2, '0')}`,
      valor_pago: parcial ? '10.00' : '0.00',
      vencimento: `2026-11-${String(5 + (n % 20)).padStart(2, '0')}`,
      pago_em: situacao === 'paga' ? '2026-11-02 03:04:05.678' : null,
      emitida_em: `2026-10-${String(1 + (n % 28)).padStart(2, '0')} 09:00:00.12${n % 10}`,
    });
    if (parcial) {
      await api.dono('pix_recebidos').insert({
        provedor_id: provedor,
        fatura_id: fatura,
        end_to_end_id: `E${String(fatura).padStart(31, '0')}`,
        valor: '10.00',
        pago_em: '2026-11-16 12:00:00.000',
        criado_em: '2026-11-16 12:00:00.000',
      });
    }
    await api.dono('nfcom').insert({
      provedor_id: provedor,
      fatura_id: fatura,
      cliente_id: cliente,
      ambiente: n % 2 === 0 ? 'producao' : 'homologacao',
      situacao: ['autorizada', 'rejeitada', 'pendente'][n % 3],
      valor: `${100 + n}.${String((n * 7) % 100).padStart(2, '0')}`,
      serie: n % 3 === 2 ? null : 1,
      numero: n % 3 === 2 ? null : n + 1,
      chave: n % 3 === 0 ? `9${String(n).padStart(43, '0')}` : null,
      autorizada_em: n % 3 === 0 ? '2026-11-02 03:04:05.678' : null,
      motivo: n % 3 === 1 ? 'Rejeição: "IE" não informada' : null,
      xml_autorizado: n % 3 === 0 ? '<nfcomProc>segredo-nenhum</nfcomProc>' : null,
    });
    await fabrica.chamado(provedor, {
      cliente_id: cliente,
      contrato_id: n % 2 === 0 ? contrato : null,
      descricao: `linha um\nlinha dois "${n}"`,
      agendado_para: n % 3 === 0 ? '2026-12-01 08:30:00.000' : null,
    });
  }
  return provedor;
}
