import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { exigido, lerCampos, opcional } from '../../campos/campos.ts';
import { id, inteiro } from '../../campos/leitores.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { contaDeQuemEmite, idDaConta } from '../../cobradores/cobradores.types.ts';
import { emitirFaturas } from '../../faturas/emissao/emissao.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { mesEscrito, parcelaDoCarne } from '../calculo/cobranca.regras.ts';
import { mes as mesDito } from '../calculo/meses.leitores.ts';
import { competenciaAte, mesDe, somarMeses } from '../calculo/meses.regras.ts';
import { inicioDoFaturamento } from '../calculo/servico.regras.ts';
import { lerRegras } from '../configuracao/configuracao.queries.ts';
import type { ContratoAFaturar, RegrasDoFaturamento } from '../faturamento.types.ts';
import { lerContratos, presosEntre } from './contratos.queries.ts';
import { cabeNumaFatura, codigoDe } from './faturas.regras.ts';
import type { CobrancaDoContrato } from './faturas.regras.ts';
import { createVezQueries } from './vez.queries.ts';

/** `parcelas`: twelve where nothing is said. `primeiro`: the month that it is to begin with, so that one asked for twice is made once. */
const CAMPOS_DO_CARNE = {
  contrato_id: exigido(id),
  parcelas: opcional(inteiro(2, 24)),
  primeiro: opcional(mesDito),
} as const;

/** A booklet that was made. */
export interface CarneFeito {
  readonly carneId: number;
  readonly faturamentoId: number;
  readonly faturas: readonly number[];
}

/** Booklets: the charges of several months to come, made at once. */
export function createCarnes({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    /**
     * Makes a booklet of a contract's next months that have no charge yet, as the contract is now. What changes later is put right by the
     * charges of those months, which come beside it and are nothing as long as nothing does.
     *
     * @throws CamposInvalidos; Recusa `faturamento_sem_configuracao`, `nao_encontrado`, `transicao_invalida` of a contract that is exempt or not
     *   active or whose charges are being taken back, or where a month comes to nothing, or to more than an invoice holds, or where `primeiro` has a charge by now
     */
    async gerar(dados: unknown): Promise<CarneFeito> {
      const { contrato_id, parcelas = 12, primeiro } = lerCampos(CAMPOS_DO_CARNE, dados);
      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      const como = { fuso: provedor.fusoHorario, mes: mesDeAntes(hoje), travar: true };
      const preso = (await presosEntre(w.tenant, [contrato_id])).size > 0;
      recusarSeNao(!preso, 'transicao_invalida', { dito: 'um faturamento do contrato ainda está sendo desfeito' });
      const [contrato] = await lerContratos(w.tenant, [contrato_id], como);
      recusarSeNao(contrato, 'nao_encontrado');
      const regras = await lerRegras(w.tenant);
      recusarSeNao(regras.desde, 'faturamento_sem_configuracao');
      const cobrado = contrato.situacao === 'ativo' && contrato.tipoCobranca !== 'isento' && contrato.valor > 0;
      recusarSeNao(cobrado, 'transicao_invalida', { dito: 'só de um contrato ativo, que paga' });
      const meses = mesesDoCarne(contrato, regras, hoje, parcelas);
      const dito = 'o carnê já foi feito, ou estes meses já têm cobrança; veja as faturas do contrato';
      recusarSeNao(primeiro === undefined || primeiro === meses[0], 'transicao_invalida', { dito });

      const queries = createVezQueries(w);
      const faturamentoId = await queries.abrir(hoje, 'carne', agora);
      const carneId = await w.insert('carnes', {
        cliente_id: contrato.clienteId,
        parcelas,
        emitido_em: toDatabaseTime(agora),
      });
      const cobrancas = meses.map((mes) => parcelaDoCarne(contrato, mes, regras));
      for (const cobranca of cobrancas) exigirParcela({ contrato, cobranca });
      const conta = contaDeQuemEmite(provedor.contas, contrato.cobradorId);
      const novas = cobrancas.map(({ competencia, valor, vencimento }, n) => ({
        cliente_id: contrato.clienteId,
        contrato_id: contrato.id,
        descricao: `Mensalidade ${mesEscrito(competencia)}`,
        valor,
        vencimento,
        tipo: 'carne' as const,
        cobrador_id: idDaConta(conta),
        faturamento_id: faturamentoId,
        competencia,
        carne_id: carneId,
        parcela: n + 1,
      }));
      const faturas = await emitirFaturas(w, novas, {
        agora,
        renegociacao: null,
        codigoDe: codigoDe(provedor.contas),
      });
      await queries.gravarCobrancas(
        { faturamento_id: faturamentoId, tipo: 'carne', bloqueado: regras.cobrarBloqueado },
        cobrancas.map((cobranca, n) => ({ contrato, cobranca, faturaId: faturas[n] ?? null })),
      );
      const total = centavos(novas.reduce((soma, { valor }) => soma + valor, 0));
      await queries.somar(faturamentoId, { cobrancas: parcelas, faturas: parcelas, total });
      w.emit('faturamento.carne', carneId, { cliente: contrato.clienteId, contrato: contrato.id, parcelas });
      return { carneId, faturamentoId, faturas };
    },
  };
}

/** Booklets correct nothing: of charges that were made, only those of months to come matter. */
const mesDeAntes = (hoje: Data): Data => somarMeses(hoje, -1);

/** The month that a booklet of a contract would begin with; null where the contract cannot be charged. */
export async function primeiroDoCarne(tenant: TenantDb, contratoId: number, hoje: Data, fuso: string) {
  const [contrato] = await lerContratos(tenant, [contratoId], { fuso, mes: mesDeAntes(hoje), travar: false });
  const regras = await lerRegras(tenant);
  if (contrato === undefined || regras.desde === null) return null;
  return mesesDoCarne(contrato, regras, hoje, 1)[0] ?? null;
}

/** The next months whose due day has not passed and that have no charge. */
function mesesDoCarne(contrato: ContratoAFaturar, regras: RegrasDoFaturamento, hoje: Data, parcelas: number): Data[] {
  const { mes, vencimento } = competenciaAte(contrato.tipoCobranca, contrato.diaVencimento, hoje);
  const inicio = mesDe(inicioDoFaturamento(contrato, regras.desde ?? mes));
  const meses: Data[] = [];
  for (let um = vencimento < hoje ? somarMeses(mes, 1) : mes; meses.length < parcelas; um = somarMeses(um, 1)) {
    if (um >= inicio && !contrato.feitas.some(({ competencia }) => competencia === um)) meses.push(um);
  }
  return meses;
}

function exigirParcela(parcela: CobrancaDoContrato): void {
  const { valor, competencia } = parcela.cobranca;
  const como = valor <= 0 ? 'não dá nada a pagar' : 'não cabe numa fatura';
  const dito = `a parcela de ${mesEscrito(competencia)} ${como}; faça um carnê dos meses antes dela, ou mude os descontos`;
  recusarSeNao(valor > 0 && cabeNumaFatura(parcela), 'transicao_invalida', { dito });
}
