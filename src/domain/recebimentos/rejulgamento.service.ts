import { hojeEm } from '../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { txidEstaticoValido } from '../../brazil/pix/pix.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Actor } from '../actor.ts';
import { EntradaInvalida } from '../erros.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { createQuitacaoQueries } from './quitacao.queries.ts';
import { julgar } from './quitacao.regras.ts';
import type { Juizo } from './quitacao.regras.ts';
import { julgarDeNovo, liberar, travarFatura, valoresDe } from './quitacao.service.ts';
import type { Travada } from './quitacao.service.ts';
import { createRecebimentosQueries } from './recebimentos.queries.ts';
import { LANCAMENTOS } from './recebimentos.types.ts';
import type { FaturaTravadaRow, PagamentoJulgado } from './recebimentos.types.ts';
import { listarFaturasComPix } from './rejulgamento.queries.ts';
import type { FaturaComPix } from './rejulgamento.queries.ts';

export type RejulgamentoService = ReturnType<typeof createRejulgamentoService>;

export interface RejulgamentoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

/** Invoices of one reading. */
const POR_LOTE = 500;

/** Has invoices judged anew at an operator's word. */
export function createRejulgamentoService({ db, relogio, write, provedores }: RejulgamentoDeps) {
  function julgarHoje(fatura: FaturaTravadaRow, pagamentos: readonly PagamentoJulgado[], provedor: Provedor): Juizo {
    const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
    return julgar({ fatura, antes: pagamentos, depois: pagamentos, provedor, hoje });
  }

  /** What its PIX settle by now is settled and released, and what they book is booked; resolves to whether it settled. */
  async function rejulgarEm(w: Write, provedor: Provedor, alvo: FaturaComPix['fatura']): Promise<boolean> {
    const agora = relogio.agora();
    const travada = await travarComTxid(w, alvo);
    const { fatura, antes } = travada;
    const juizo = julgarHoje(fatura, antes, provedor);
    if (!quita(fatura, juizo)) {
      await createQuitacaoQueries(w).gravarLancamentos(new Map([[fatura.id, juizo]]), agora);
      return false;
    }
    await julgarDeNovo(w, provedor, travada, agora);
    w.emit('fatura.paga', fatura.id, { cliente: fatura.cliente_id, ...valoresDe(juizo) });
    await liberar(w, provedor, travada, agora);
    return true;
  }

  return {
    /**
     * Has an invoice that ended `estornada` owed again, from its due date on and as if what was given back had never been paid. What is
     * paid from then on, and given back again, makes it `estornada` again.
     *
     * @throws EntradaInvalida when the provider has no such invoice, or it is not `estornada`.
     */
    async reabrir(actor: Actor, provedorId: number, faturaId: number): Promise<Juizo> {
      const provedor = await provedores.exigirPorId(provedorId);
      return write(actor, provedorId, async (w) => {
        const agora = relogio.agora();
        const alvo = await createRecebimentosQueries(w).buscarFatura(faturaId);
        if (alvo === undefined) throw new EntradaInvalida(`o provedor ${provedorId} não tem a fatura ${faturaId}`);
        const { fatura, antes } = await travarFatura(w, alvo);
        if (fatura.situacao !== 'estornada') {
          throw new EntradaInvalida(`a fatura ${faturaId} está ${fatura.situacao}; só se reabre uma estornada`);
        }
        const reaberta = { ...fatura, reaberta_em: toDatabaseTime(agora) };
        const juizo = await julgarDeNovo(w, provedor, { fatura: reaberta, antes }, agora);
        w.emit('fatura.reaberta', faturaId, { cliente: fatura.cliente_id, ...valoresDe(juizo) });
        return juizo;
      });
    },

    /**
     * Judges each invoice with PIX of a provider by today's rules: what they settle by now is settled and released, and what was settled
     * before discounts and surplus were kept has them booked. Nothing that is settled is opened.
     */
    async rejulgar(actor: Actor, provedorId: number): Promise<{ vistas: number; quitadas: number }> {
      const provedor = await provedores.exigirPorId(provedorId);
      const tenant = createTenantDb(db, provedorId);
      let vistas = 0;
      let quitadas = 0;
      for (let depoisDe = 0; ;) {
        const lote = await listarFaturasComPix(tenant, depoisDe, POR_LOTE);
        for (const { fatura, pagamentos, lancados } of lote) {
          const juizo = julgarHoje(fatura, pagamentos, provedor);
          const lancado = LANCAMENTOS.every((tipo) => escreverDinheiro(juizo[tipo]) === (lancados.get(tipo) ?? '0.00'));
          if (lancado && txidQueFalta(fatura, pagamentos) === null && !quita(fatura, juizo)) continue;
          if (await write(actor, provedorId, async (w) => rejulgarEm(w, provedor, fatura))) quitadas += 1;
        }
        vistas += lote.length;
        depoisDe = lote.at(-1)?.fatura.id ?? depoisDe;
        if (lote.length < POR_LOTE) return { vistas, quitadas };
      }
    },
  };
}

async function travarComTxid(w: Write, alvo: FaturaComPix['fatura']): Promise<Travada> {
  const travada = await travarFatura(w, alvo);
  const txid = txidQueFalta(alvo, travada.antes);
  if (txid === null) return travada;
  await createQuitacaoQueries(w).darTxid(alvo.id, txid);
  return { ...travada, antes: await listarPagamentos(w.tenant, [alvo.id]) };
}

const quita = (fatura: FaturaTravadaRow, juizo: Juizo): boolean =>
  juizo.situacao === 'paga' && fatura.situacao !== 'paga';

/**
 * The txid that PIX of an invoice lack, or null. They were told to a process of release 1.0, which kept none, after the migration had
 * filled in those of before; by the txid of a bank's own charge it is judged as the bank reckoned.
 */
function txidQueFalta({ pix_txid }: FaturaComPix['fatura'], pagamentos: readonly PagamentoJulgado[]): string | null {
  if (pix_txid === null || txidEstaticoValido(pix_txid)) return null;
  const sem = pagamentos.some(
    ({ meio, txid, vinculado_em }) => meio === 'pix' && txid === null && vinculado_em === null,
  );
  return sem ? pix_txid : null;
}
