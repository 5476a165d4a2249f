import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { BoletosParaImprimir } from '../../../workers/threads/boletos-pdf/contract.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import { contaDaFatura } from '../cobradores/cobradores.types.ts';
import { apurarFaturas } from '../faturas/apuracao.service.ts';
import { listarParcelas } from './cobrancas.queries.ts';
import type { Cobranca, CobrancaImpressa, CobrancaRow, Pagador } from './cobrancas.types.ts';
import { beneficiarioDe, pagadorDe, parcelaDe } from './impressao.regras.ts';
import { buscarCobrancaPorToken } from './token.queries.ts';

export type CobrancasService = ReturnType<typeof createCobrancasService>;

/** An invoice with all that was read with it. */
interface Aberta extends Cobranca {
  readonly row: CobrancaRow;
  readonly pagador: Pagador;
}

/** Invoices on the side of who follows a payment link: nobody but the token says who that is, and of which provider. */
export function createCobrancasService({ db, relogio }: { db: Db; relogio: Relogio }) {
  async function abrirComTudo(token: string): Promise<Aberta | null> {
    const encontrada = await buscarCobrancaPorToken(db, token);
    if (encontrada === null) return null;
    const { row, provedor } = encontrada;
    const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
    const [fatura] = await apurarFaturas(createTenantDb(db, provedor.id), provedor, hoje, [row]);
    return fatura === undefined ? null : { ...encontrada, fatura, hoje };
  }

  /** What goes on paper: the slip of an invoice, or all that are open of its carnê. */
  async function paraImprimir({ row, fatura, provedor, identidade, pagador, hoje }: Aberta) {
    const sozinha = parcelaDe(row, fatura, provedor, hoje, null);
    if (sozinha === null) return null;
    const tenant = createTenantDb(db, provedor.id);
    const conta = contaDaFatura(provedor.contas, row.cobrador_id);
    // One paper has one beneficiary: a slip that another account issued is on a paper of its own.
    const parcelas = row.carne_id === null ? [] : await listarParcelas(tenant, row);
    const rows = parcelas.filter(({ cobrador_id }) => contaDaFatura(provedor.contas, cobrador_id) === conta);
    const apuradas = await apurarFaturas(tenant, provedor, hoje, rows);
    const doCarne = apuradas.flatMap((parcela, i) => {
      const linha = rows[i];
      return linha === undefined ? [] : (parcelaDe(linha, parcela, provedor, hoje, linha.parcelas) ?? []);
    });
    const carne = fatura.tipo === 'carne';
    const boletos: BoletosParaImprimir = {
      formato: carne ? 'carne' : 'boleto',
      titulo: `${carne ? 'Carnê' : 'Boleto'} - ${provedor.nome}`,
      beneficiario: beneficiarioDe(provedor, conta, identidade),
      pagador: pagadorDe(pagador),
      parcelas: doCarne.length === 0 ? [sozinha] : doCarne,
    };
    return boletos;
  }

  return {
    /** The invoice behind a link's token, or null. */
    async abrir(token: string): Promise<Cobranca | null> {
      return abrirComTudo(token);
    },

    /** The same with what its PDF holds. */
    async imprimir(token: string): Promise<CobrancaImpressa | null> {
      const cobranca = await abrirComTudo(token);
      return cobranca === null ? null : { ...cobranca, boletos: await paraImprimir(cobranca) };
    },
  };
}
