import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { CAMPO_CRC, prepararPixEmPartes, txidEstaticoValido } from '../../brazil/pix/pix.ts';
import type { ApuradasDoDia, LoteDoDia } from '../../../workers/threads/pix-do-dia/contract.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import { contaDaFatura } from '../cobradores/cobradores.types.ts';
import type { Conta } from '../cobradores/cobradores.types.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { FATURAS_TAG } from '../tags.ts';
import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { apurarDivida } from './apuracao.regras.ts';
import { listarPagamentos } from './apuracao.service.ts';
import { aindaVencidas, contarVencidas, proximasVencidas } from './noturno.queries.ts';
import type { LugarDaFatura } from './faturas.types.ts';
import type { FaturaDoLote } from './noturno.queries.ts';

/** Payments may come in while a chunk is computed; that the same chunk meets some at every try is a fault. */
const TENTATIVAS = 5;

/** As MySQL writes it. */
const NADA = '0.00';

/** Invoices of a chunk that are written alike, by column. */
interface Grupo {
  readonly faturas: readonly FaturaDoLote[];
  /** The account that they were issued by. */
  readonly conta: Conta;
  /** As they were read, of each or of all. */
  readonly valorPago: string | readonly string[];
  readonly abatido: string | readonly string[];
  /** A code with a PSP's own txid is the PSP's to make. */
  readonly doPsp: boolean;
}

/**
 * Stores what each overdue invoice asks for on a day, and the PIX code that carries it. Requests compute both themselves, by the same
 * rules; this is for those who read the table.
 */
export function createValorDoDia({
  threads,
}: {
  threads: Pick<Threads, 'run'>;
}): Trabalho<FaturaDoLote, LugarDaFatura> {
  /** Resolves to who writes what the invoices come to, where nothing was paid meanwhile, and says of how many. */
  async function apurar(
    tenant: TenantDb,
    provedor: Provedor,
    dia: Data,
    { faturas, conta, valorPago, abatido, doPsp }: Grupo,
  ): Promise<(w: Write) => Promise<number>> {
    const recebedor = doPsp ? null : conta.recebedor;
    const { atualizados, camposValor, crcs } = await threads.run<LoteDoDia, ApuradasDoDia>('pix-do-dia', {
      recebedor,
      regras: provedor.regras,
      hoje: dia,
      valores: faturas.map(({ valor }) => valor),
      vencimentos: faturas.map(({ vencimento }) => vencimento as Data),
      txids: faturas.map(({ pix_txid }) => pix_txid),
      sabidos: valorPago === NADA ? new Map() : await pagasEmParte(tenant, provedor, dia, faturas),
    });
    const valores = { valor_pago: valorPago, abatido, valor_atualizado: atualizados, apurada_em: dia };
    const como = {
      matching: ['valor_pago', 'abatido'],
      where: { grupo: 'aberta' },
      // It says when the invoice changed. What one asks for changes every day of itself; apurada_em says of which day it is.
      keeping: ['atualizado_em'],
    };
    const ids = faturas.map(({ id }) => id);
    if (doPsp) return async (w) => w.updateEach('faturas', ids, valores, como);
    if (recebedor === null)
      return async (w) => w.updateEach('faturas', ids, { ...valores, pix_copia_cola: null }, como);
    const { antes, meio } = prepararPixEmPartes(recebedor);
    const meios = faturas.map(({ pix_txid }) => (pix_txid === null ? null : meio(pix_txid)));
    // The txid is the row's own, and never changes.
    const codigo = [
      antes,
      { value: 'campo_valor' },
      { value: 'meio' },
      { column: 'pix_txid' },
      CAMPO_CRC,
      { value: 'crc' },
    ];
    return async (w) =>
      w.updateEach(
        'faturas',
        ids,
        { ...valores, campo_valor: camposValor, meio: meios, crc: crcs },
        { ...como, composed: { pix_copia_cola: codigo } },
      );
  }

  /** The same for all invoices of a chunk. */
  async function apurarTodas(
    tenant: TenantDb,
    provedor: Provedor,
    dia: Data,
    faturas: readonly FaturaDoLote[],
  ): Promise<(w: Write) => Promise<number>> {
    const gravacoes = await Promise.all(
      agrupar(provedor, faturas).map(async (grupo) => apurar(tenant, provedor, dia, grupo)),
    );
    return async (w) => {
      let mudadas = 0;
      for (const gravar of gravacoes) mudadas += await gravar(w);
      return mudadas;
    };
  }

  return {
    evento: 'faturas.recalculadas',
    etiquetas: [FATURAS_TAG],
    lugar: ({ emitida_em, id }) => [emitida_em, id],
    retoma: true,
    contar: contarVencidas,
    proximas: proximasVencidas,

    async preparar(tenant, provedor, dia, lote) {
      const primeira = await apurarTodas(tenant, provedor, dia, lote);
      return async (w) => {
        let [faturas, gravar] = [lote, primeira];
        for (let tentativa = 1; tentativa <= TENTATIVAS; tentativa += 1) {
          if ((await gravar(w)) === faturas.length) return faturas.length;
          // Something was paid since it was read, in part or in whole.
          faturas = await aindaVencidas(
            w.tenant,
            dia,
            lote.map(({ id }) => id),
          );
          gravar = await apurarTodas(w.tenant, provedor, dia, faturas);
        }
        throw new Error('os pagamentos não deixaram apurar um lote');
      };
    },
  };
}

/** Most had no payments, and what has the same value in all rows costs less to compare. */
function agrupar({ contas }: Provedor, faturas: readonly FaturaDoLote[]): Grupo[] {
  const doPsp = ({ pix_txid }: FaturaDoLote): boolean => pix_txid !== null && !txidEstaticoValido(pix_txid);
  const contaDe = ({ cobrador_id }: FaturaDoLote): Conta => contaDaFatura(contas, cobrador_id);
  return [...groupBy(faturas, contaDe)].flatMap(([conta, daConta]) =>
    [...groupBy(daConta, doPsp)].flatMap(([dele, doLado]) =>
      [...groupBy(doLado, ({ valor_pago, abatido }) => valor_pago === NADA && abatido === NADA)].map(
        ([semPagamentos, doGrupo]) => ({
          faturas: doGrupo,
          conta,
          valorPago: semPagamentos ? NADA : doGrupo.map(({ valor_pago }) => valor_pago),
          abatido: semPagamentos ? NADA : doGrupo.map(({ abatido }) => abatido),
          doPsp: dele,
        }),
      ),
    ),
  );
}

/** What is left to pay of those paid in part, by their place. */
async function pagasEmParte(
  tenant: TenantDb,
  provedor: Provedor,
  dia: Data,
  faturas: readonly FaturaDoLote[],
): Promise<Map<number, Centavos>> {
  const ids = faturas.map(({ id }) => id);
  const porFatura = groupBy(await listarPagamentos(tenant, ids), ({ fatura_id }) => fatura_id);
  return new Map(
    faturas.map((fatura, n) => [n, apurarDivida(fatura, porFatura.get(fatura.id) ?? [], provedor, dia).total]),
  );
}
