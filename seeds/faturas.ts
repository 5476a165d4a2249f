import { setImmediate as pausa } from 'node:timers/promises';
import { somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../src/brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../src/brazil/dinheiro/dinheiro.ts';
import type { TipoFatura } from '../src/domain/faturas/faturas.types.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { HORA } from './calendario.ts';
import { DIAS_DE_EMISSAO } from './contratos.ts';
import type { ContratoGerado, FaturaGerada, LinhaCarne, LinhaCliente } from './modelo.ts';
import { createPagamentos } from './pagamentos.ts';
import type { Historia, Pagamento, PagamentosDeps } from './pagamentos.ts';
import { segredo } from './segredos.ts';

/** How a contract is charged all year; `hibrido` is a boleto that may be paid by PIX, too. */
type Meio = { readonly tipo: TipoFatura | null; readonly pix: boolean; readonly boleto: boolean };

const MEIOS: readonly (readonly [Meio, number])[] = [
  [{ tipo: 'boleto', pix: true, boleto: true }, 26],
  [{ tipo: 'boleto', pix: false, boleto: true }, 18],
  [{ tipo: 'pix', pix: true, boleto: false }, 32],
  [{ tipo: 'carne', pix: true, boleto: true }, 12],
  [{ tipo: 'carteira', pix: false, boleto: false }, 9],
  [{ tipo: null, pix: false, boleto: false }, 3],
];

const AVULSAS: readonly (readonly [string, number])[] = [
  ['Taxa de instalação', 15_000],
  ['Visita técnica', 8000],
  ['Roteador Wi-Fi 6', 29_990],
  ['Mudança de endereço', 10_000],
];

interface Nova {
  readonly cliente: number;
  readonly contrato: number | null;
  readonly descricao: string | null;
  readonly valor: Centavos;
  readonly vencimento: Data;
  /**
   * The due date with which it is issued, if not its own: the rest of a carnê is issued with what was charged already.
   */
  readonly emitidaPara: Data | null;
}

const ALFANUMERICOS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** How many installments of a carnê were not charged yet: it is issued whole, other invoices one by one. */
const PARCELAS_ADIANTE = 3;
const DIAS_ADIANTE = 31 * PARCELAS_ADIANTE;

/** They take far less than the silence after which a process trusts Redis no longer; see TRUST_MS in gate.ts. */
const CONTRATOS_SEM_PAUSA = 200;

/**
 * A year of invoices, in order of issue, and the carnês that they belong to; no two are issued in the same millisecond.
 */
export async function gerarFaturas(
  deps: PagamentosDeps,
  clientes: readonly LinhaCliente[],
  contratos: readonly ContratoGerado[],
): Promise<{ faturas: FaturaGerada[]; carnes: LinhaCarne[] }> {
  const { perfil, calendario, sorteio } = deps;
  const pagamentos = createPagamentos(deps);
  const faturas: (FaturaGerada & { emitida: number })[] = [];
  const carnes: LinhaCarne[] = [];
  const emissoes = new Set<number>();

  function emitir(
    nova: Nova,
    meio: Meio,
    historia: Historia,
    noCarne: { carne_id: number | null; parcela: number | null } = { carne_id: null, parcela: null },
  ): number {
    let emitida = calendario
      .instante(
        somarDias(nova.emitidaPara ?? nova.vencimento, -DIAS_DE_EMISSAO),
        6 * HORA + sorteio.inteiro(0, 3_599_999),
      )
      .getTime();
    while (emissoes.has(emitida)) emitida += 1;
    emissoes.add(emitida);
    const pagamento: Pagamento = pagamentos.decidir(nova, emitida, historia);
    const numero = faturas.length + 1;
    // The nosso número is unique in a provider.
    const titulo = meio.boleto ? perfil.titulo(numero) : null;
    faturas.push({
      emitida,
      valor: nova.valor,
      campoLivre: titulo?.campoLivre ?? null,
      linha: {
        cliente_id: nova.cliente,
        contrato_id: nova.contrato,
        descricao: nova.descricao,
        situacao: pagamento.situacao,
        tipo: meio.tipo,
        valor: escreverDinheiro(nova.valor),
        valor_pago: escreverDinheiro(pagamento.valorPago),
        vencimento: nova.vencimento,
        emitida_em: toDatabaseTime(new Date(emitida)),
        pago_em: pagamento.pagoEm === null ? null : toDatabaseTime(pagamento.pagoEm),
        // The token guards pages that whoever has the link can open: it never comes from the generator, which repeats
        // itself.
        token: segredo(16),
        pix_txid: meio.pix ? txid() : null,
        nosso_numero: titulo?.nossoNumero ?? null,
        ...noCarne,
        atualizado_em: toDatabaseTime(pagamento.pagoEm ?? new Date(emitida)),
      },
    });
    return emitida;
  }

  const txid = (): string => {
    let texto = perfil.apelido.slice(0, 5).toUpperCase();
    while (texto.length < 25) texto += ALFANUMERICOS.charAt(sorteio.inteiro(0, ALFANUMERICOS.length - 1));
    return texto;
  };

  for (const [indice, contrato] of contratos.entries()) {
    if (indice % CONTRATOS_SEM_PAUSA === 0) await pausa();
    const { linha, valor, vencimentos } = contrato;
    if (linha.tipo_cobranca === 'isento') continue;
    const meio = sorteio.pesado(MEIOS);
    const plano = perfil.planos[linha.plano_id]?.nome ?? '';
    const fim = contrato.caso === 'encerrado' ? sorteio.inteiro(2, 10) : vencimentos.length;
    const cobrados = vencimentos.slice(0, fim);
    const ultimo = cobrados.at(-1);
    const carne_id = meio.tipo === 'carne' && ultimo !== undefined ? carnes.length : null;
    const adiante =
      carne_id === null || ultimo === undefined || contrato.caso === 'encerrado'
        ? []
        : calendario.vencimentos(linha.dia_vencimento, PARCELAS_ADIANTE, somarDias(ultimo, DIAS_ADIANTE));
    const parcelas = [...cobrados, ...adiante];
    for (const [mes, vencimento] of parcelas.entries()) {
      const descricao = sorteio.chance(0.01)
        ? null
        : `Mensalidade ${vencimento.slice(5, 7)}/${vencimento.slice(0, 4)} - ${plano}`;
      const historia =
        contrato.caso === 'encerrado' && mes === fim - 1
          ? 'cancelada'
          : mes >= cobrados.length || (contrato.emAbertoDesde !== null && vencimento >= contrato.emAbertoDesde)
            ? 'devida'
            : 'corrente';
      const nova = { cliente: linha.cliente_id, contrato: indice, descricao, valor, vencimento };
      const emitidaPara = mes < cobrados.length ? null : (ultimo ?? null);
      const parcela = carne_id === null ? null : mes + 1;
      const emitida = emitir({ ...nova, emitidaPara }, meio, historia, { carne_id, parcela });
      if (carne_id !== null && mes === 0) {
        carnes.push({
          cliente_id: linha.cliente_id,
          parcelas: parcelas.length,
          emitido_em: toDatabaseTime(new Date(emitida)),
        });
      }
    }
  }
  for (const [indice, cliente] of clientes.entries()) {
    if (cliente.situacao === 'pre_cadastro' || !sorteio.chance(0.03)) continue;
    const [descricao, valor] = sorteio.escolher(AVULSAS);
    const vencimento = calendario.diasAtras(sorteio.inteiro(-6, 300));
    const nova = { cliente: indice, contrato: null, descricao, valor: centavos(valor), vencimento, emitidaPara: null };
    emitir(nova, sorteio.pesado(MEIOS), 'corrente');
  }
  return { faturas: faturas.toSorted((a, b) => a.emitida - b.emitida), carnes };
}
