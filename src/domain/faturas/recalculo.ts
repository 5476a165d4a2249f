import type { Data } from '../../brazil/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro.ts';
import { txidEstaticoValido } from '../../brazil/pix.ts';
import type { ApuradasDoDia, LoteDoDia } from '../../brazil/pix-do-dia.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Threads } from '../../platform/threads.ts';
import type { Write } from '../../platform/writes.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { FaturaDoLote, Trabalho } from '../tarefas/tarefas.types.ts';
import { apurarDivida, pedePagamentos } from './apuracao.regras.ts';
import { listarPagamentos } from './apuracao.service.ts';
import { aindaVencidas, contarVencidas, proximasVencidas } from './noturno.queries.ts';

/** Payments may come in while a chunk is computed; that the same chunk meets some at every try is a fault. */
const TENTATIVAS = 5;

/** As MySQL writes it. */
const NADA = '0.00';

/**
 * Stores what each overdue invoice asks for on a day, and the PIX code that carries it. Requests compute both themselves, by the same
 * rules; this is for those who read the table.
 */
export function createRecalculo({ threads }: { threads: Pick<Threads, 'run'> }): Trabalho {
  async function apurar(
    tenant: TenantDb,
    provedor: Provedor,
    dia: Data,
    faturas: readonly FaturaDoLote[],
  ): Promise<Apurada[]> {
    const { recebedor, regras } = provedor;
    const valores = faturas.map(({ valor }) => lerDinheiro(valor));
    const { aPagar, pix } = await threads.run<LoteDoDia, ApuradasDoDia>('pix-do-dia', {
      recebedor,
      regras,
      hoje: dia,
      valores,
      vencimentos: faturas.map(({ vencimento }) => vencimento as Data),
      txids: faturas.map(({ pix_txid }) => pix_txid).map((txid) => (doPsp(txid) ? null : txid)),
      sabidos: await pagasEmParte(tenant, provedor, dia, faturas),
    });
    return faturas.map(({ id, valor_pago, pix_txid, pix_copia_cola }, n) => {
      const total = aPagar[n] ?? centavos(0);
      return {
        id,
        valor_pago,
        valor_atualizado: total === valores[n] ? null : escreverDinheiro(total),
        // A code with a PSP's own txid is the PSP's to make.
        pix_copia_cola: doPsp(pix_txid) ? pix_copia_cola : (pix[n] ?? null),
        apurada_em: dia,
      };
    });
  }

  return {
    evento: 'faturas.recalculadas',
    contar: contarVencidas,
    proximas: proximasVencidas,

    async preparar(tenant, provedor, dia, faturas) {
      const primeiras = await apurar(tenant, provedor, dia, faturas);
      return async (w) => {
        let apuradas = primeiras;
        for (let tentativa = 1; tentativa <= TENTATIVAS; tentativa += 1) {
          const mudadas = await gravar(w, apuradas);
          if (mudadas === apuradas.length) return mudadas;
          // Something was paid since it was read, in part or in whole.
          const ids = faturas.map(({ id }) => id);
          apuradas = await apurar(w.tenant, provedor, dia, await aindaVencidas(w.tenant, dia, ids));
        }
        throw new Error('os pagamentos não deixaram apurar um lote');
      };
    },
  };
}

/** What a row is to hold; `valor_pago` is what it held when it was read. */
type Apurada = {
  readonly id: number;
  readonly valor_pago: string;
  readonly valor_atualizado: string | null;
  readonly pix_copia_cola: string | null;
  readonly apurada_em: Data;
};

/** Writes those of which nothing was paid meanwhile; resolves to how many. */
async function gravar(w: Write, apuradas: readonly Apurada[]): Promise<number> {
  const como = { matching: ['valor_pago'], where: { grupo: 'aberta' } };
  // Apart, because what has the same value in all rows costs less to compare.
  const inteiras = apuradas.filter(({ valor_pago }) => valor_pago === NADA);
  const emParte = apuradas.filter(({ valor_pago }) => valor_pago !== NADA);
  return (await w.updateEach('faturas', inteiras, como)) + (await w.updateEach('faturas', emParte, como));
}

const doPsp = (txid: string | null): boolean => txid !== null && !txidEstaticoValido(txid);

/** What is left to pay of those paid in part, by their place; one statement reads the payments, where there are any. */
async function pagasEmParte(
  tenant: TenantDb,
  provedor: Provedor,
  dia: Data,
  faturas: readonly FaturaDoLote[],
): Promise<Map<number, Centavos>> {
  const sabidos = new Map<number, Centavos>();
  const emParte = faturas.filter(pedePagamentos).map(({ id }) => id);
  if (emParte.length === 0) return sabidos;
  const porFatura = groupBy(await listarPagamentos(tenant, emParte), ({ fatura_id }) => fatura_id);
  for (const [n, fatura] of faturas.entries()) {
    if (!pedePagamentos(fatura)) continue;
    sabidos.set(n, apurarDivida(fatura, porFatura.get(fatura.id) ?? [], provedor, dia).total);
  }
  return sabidos;
}
