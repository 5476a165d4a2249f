import { escreverEndereco, escreverTelefone } from '../../brazil/dinheiro/escrita.ts';
import type {
  Beneficiario,
  ParcelaImpressa,
  Parte,
  QuantoDoPix,
} from '../../../workers/threads/boletos-pdf/contract.ts';
import { valeAte } from '../../brazil/calendario/calendario-bancario.ts';
import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { Conta } from '../cobradores/cobradores.types.ts';
import type { Fatura, PixDaFatura } from '../faturas/faturas.types.ts';
import type { Identidade } from '../provedores/identidade.types.ts';
import type { Provedor, RegrasCobranca } from '../provedores/provedores.types.ts';
import type { CobrancaRow, Pagador } from './cobrancas.types.ts';

/** Who is paid: the provider, or whoever else the account is of. */
export function beneficiarioDe(provedor: Provedor, conta: Conta, identidade: Identidade): Beneficiario {
  return {
    nome: conta.cnpj === null ? (identidade.razaoSocial ?? provedor.nome) : conta.nome,
    documento: conta.cnpj ?? provedor.cnpj,
    endereco: escreverEndereco(identidade.endereco),
    logo: identidade.logo,
    contato: contatoDe(identidade),
  };
}

export function pagadorDe({ nome, cpfCnpj, endereco }: Pagador): Parte {
  return { nome, documento: cpfCnpj, endereco: escreverEndereco(endereco) };
}

/** An open invoice's slip; null where it has no boleto that can be printed. `total`: of how many slips its carnê is. */
export function parcelaDe(
  row: CobrancaRow,
  fatura: Fatura,
  { regras, fusoHorario }: Provedor,
  hoje: Data,
  total: number | null,
): ParcelaImpressa | null {
  const { segundaVia, vencimento } = fatura;
  const { boleto = null, pix = null } = segundaVia ?? {};
  if (boleto === null || boleto.papel === null) return null;
  return {
    linhaDigitavel: boleto.linhaDigitavel,
    codigoBarras: boleto.codigoBarras,
    ...boleto.papel,
    numeroDocumento: String(fatura.id),
    nossoNumero: row.nosso_numero,
    descricao: fatura.descricao,
    parcela: total === null || row.parcela === null ? null : `${row.parcela}/${total}`,
    emissao: hojeEm(fusoHorario, fatura.emitidaEm),
    vencimento,
    valor: fatura.valor,
    instrucoes: instrucoesDe(regras),
    pix: pix === null ? null : { codigo: pix.codigo, quanto: quantoDoPix(pix, vencimento, hoje, regras) },
  };
}

/** What is to be paid changes with each day that an invoice is late, and not before. */
function quantoDoPix(
  { valor }: PixDaFatura,
  vencimento: Data,
  hoje: Data,
  { calendario }: RegrasCobranca,
): QuantoDoPix | null {
  return valor === null ? null : { valor, validoAte: valeAte(vencimento, hoje, calendario) };
}

function instrucoesDe({ multaPercentual, jurosMensalPercentual, carenciaDias }: RegrasCobranca): string[] {
  const encargos = [
    ...(multaPercentual > 0 ? [`multa de ${percentual(multaPercentual)}`] : []),
    ...(jurosMensalPercentual > 0 ? [`juros de ${percentual(jurosMensalPercentual)} ao mês por dia de atraso`] : []),
  ];
  if (encargos.length === 0) return [];
  const carencia =
    carenciaDias === 0 ? '' : ` (sem encargos até ${carenciaDias} ${carenciaDias === 1 ? 'dia' : 'dias'})`;
  return [`Após o vencimento, ${encargos.join(' e ')}${carencia}.`];
}

/** Hundredths of a percent: 200 is `2,00%`. */
function percentual(centesimos: number): string {
  return `${(centesimos / 100).toFixed(2).replace('.', ',')}%`;
}

function contatoDe({ suporte }: Identidade): string | null {
  const { telefone, whatsapp, email, site } = suporte;
  const partes = [
    ...(telefone === null ? [] : [`Telefone ${escreverTelefone(telefone)}`]),
    ...(whatsapp === null ? [] : [`WhatsApp ${escreverTelefone(whatsapp)}`]),
    ...(email === null ? [] : [email]),
    ...(site === null ? [] : [site]),
  ];
  return partes.length === 0 ? null : partes.join(' · ');
}
