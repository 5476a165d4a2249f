import { somarDias } from '../src/brazil/datas.ts';
import type { Data } from '../src/brazil/datas.ts';
import { centavos, escreverDinheiro } from '../src/brazil/dinheiro.ts';
import type { Centavos } from '../src/brazil/dinheiro.ts';
import type { TipoFatura } from '../src/domain/faturas/faturas.types.ts';
import { toDatabaseTime } from '../src/platform/database.ts';
import { HORA } from './calendario.ts';
import { DIAS_DE_EMISSAO } from './contratos.ts';
import type { ContratoGerado, FaturaGerada, LinhaCliente } from './modelo.ts';
import { createPagamentos } from './pagamentos.ts';
import type { Historia, Pagamento, PagamentosDeps } from './pagamentos.ts';
import { segredo } from './segredos.ts';

/** Como um contrato é cobrado, o ano todo; `hibrido` é o boleto que também se paga por PIX. */
type Meio = { readonly tipo: TipoFatura | null; readonly pix: boolean; readonly boleto: boolean };

const MEIOS: readonly (readonly [Meio, number])[] = [
  [{ tipo: 'boleto', pix: true, boleto: true }, 26],
  [{ tipo: 'boleto', pix: false, boleto: true }, 18],
  [{ tipo: 'pix', pix: true, boleto: false }, 32],
  [{ tipo: 'carne', pix: false, boleto: true }, 12],
  [{ tipo: 'carteira', pix: false, boleto: false }, 9],
  [{ tipo: null, pix: false, boleto: false }, 3],
];

const AVULSAS: readonly (readonly [string, number])[] = [
  ['Taxa de instalação', 15_000],
  ['Visita técnica', 8000],
  ['Roteador Wi-Fi 6', 29_990],
  ['Mudança de endereço', 10_000],
];

const ALFANUMERICOS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Um ano de faturas, em ordem de emissão; não há duas emitidas no mesmo milissegundo. */
export function gerarFaturas(
  deps: PagamentosDeps,
  clientes: readonly LinhaCliente[],
  contratos: readonly ContratoGerado[],
): FaturaGerada[] {
  const { perfil, calendario, sorteio } = deps;
  const pagamentos = createPagamentos(deps);
  const faturas: (FaturaGerada & { emitida: number })[] = [];
  const emissoes = new Set<number>();

  function emitir(
    nova: { cliente: number; contrato: number | null; descricao: string | null; valor: Centavos; vencimento: Data },
    meio: Meio,
    historia: Historia,
  ): void {
    let emitida = calendario
      .instante(somarDias(nova.vencimento, -DIAS_DE_EMISSAO), 6 * HORA + sorteio.inteiro(0, 3_599_999))
      .getTime();
    while (emissoes.has(emitida)) emitida += 1;
    emissoes.add(emitida);
    const pagamento: Pagamento = pagamentos.decidir(nova, emitida, historia);
    faturas.push({
      emitida,
      valor: nova.valor,
      // Carteira, convênio e nosso número: o que o banco deixa livre. O nosso número não se repete no provedor.
      campoLivre: meio.boleto
        ? `17${perfil.cnpjBase.slice(0, 7)}${String(faturas.length + 1).padStart(16, '0')}`
        : null,
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
        // O token guarda páginas que qualquer um com o link abre: nunca do sorteio, que se repete.
        token: segredo(16),
        pix_txid: meio.pix ? txid() : null,
        atualizado_em: toDatabaseTime(pagamento.pagoEm ?? new Date(emitida)),
      },
    });
  }

  const txid = (): string => {
    let texto = perfil.apelido.slice(0, 5).toUpperCase();
    while (texto.length < 25) texto += ALFANUMERICOS.charAt(sorteio.inteiro(0, ALFANUMERICOS.length - 1));
    return texto;
  };

  for (const [indice, contrato] of contratos.entries()) {
    const { linha, valor, vencimentos } = contrato;
    if (linha.tipo_cobranca === 'isento') continue;
    const meio = sorteio.pesado(MEIOS);
    const plano = perfil.planos[linha.plano_id]?.nome ?? '';
    const fim = contrato.caso === 'encerrado' ? sorteio.inteiro(2, 10) : vencimentos.length;
    for (const [mes, vencimento] of vencimentos.slice(0, fim).entries()) {
      const descricao = sorteio.chance(0.01)
        ? null
        : `Mensalidade ${vencimento.slice(5, 7)}/${vencimento.slice(0, 4)} - ${plano}`;
      const historia =
        contrato.caso === 'encerrado' && mes === fim - 1
          ? 'cancelada'
          : contrato.emAbertoDesde !== null && vencimento >= contrato.emAbertoDesde
            ? 'devida'
            : 'corrente';
      emitir({ cliente: linha.cliente_id, contrato: indice, descricao, valor, vencimento }, meio, historia);
    }
  }
  for (const [indice, cliente] of clientes.entries()) {
    if (cliente.situacao === 'pre_cadastro' || !sorteio.chance(0.03)) continue;
    const [descricao, valor] = sorteio.escolher(AVULSAS);
    const vencimento = calendario.diasAtras(sorteio.inteiro(-6, 300));
    const nova = { cliente: indice, contrato: null, descricao, valor: centavos(valor), vencimento };
    emitir(nova, sorteio.pesado(MEIOS), 'corrente');
  }
  return faturas.toSorted((a, b) => a.emitida - b.emitida);
}
