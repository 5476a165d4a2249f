import { somarDias } from '../../calendario/datas.ts';
import { ajustesDe } from '../ajustes.ts';
import type { Ajustes, Convenio, Remessa, Titulo } from '../convenio.types.ts';
import { escreverRegistro, lerTabela, type Registro, type Valor } from '../layout.ts';
import { REMESSA_400 } from '../layouts/remessa400.ts';
import { digitoDoNossoNumero } from '../nosso-numero.ts';
import { codigoDoMovimento, posicoesDoNome } from './titulo.ts';
import { cortarEndereco, cortarTexto, nomeQueCabe, textoDoBanco } from '../texto.ts';

type Valores = Readonly<Record<string, Valor>>;

/** The lines of a remessa of CNAB 400: of each title record 1, and where they are asked for those of fine and PIX. */
export function linhas400({ convenio, nsa, hoje, titulos }: Remessa): string[] {
  const ajustes = ajustesDe(convenio);
  const registros = registros400(convenio.banco);
  const comum = { ...daEmpresa(convenio), ...DO_BANCO[convenio.banco]?.(convenio, ajustes) };
  const linhas: string[] = [];
  const escrever = (nome: string, valores: Valores): void => {
    const sequencialRegistro = linhas.length + 1;
    linhas.push(escreverRegistro(registros(nome), 400, { ...comum, ...valores, sequencialRegistro }));
  };
  escrever('header', { dataGeracao: hoje, numeroRemessa: nsa });
  for (const titulo of titulos) {
    escrever('detalhe', { ...doTitulo(convenio, ajustes, titulo), ...doPagador(convenio, titulo) });
    if (titulo.movimento !== 'entrada') continue;
    if (convenio.banco === '341' && convenio.multa > 0) {
      escrever('multa', { dataMulta: somarDias(titulo.vencimento, 1), multa: convenio.multa });
    }
    if (ajustes.hibrido) {
      const { chavePix, tipoChavePix } = ajustes;
      // Santander's limits of what may be paid: the title's value, 100 % of it.
      const limites = { valorMaximo: titulo.valor, valorMinimo: titulo.valor };
      escrever('pix', { chavePix, tipoChavePix, txid: titulo.txid, ...limites });
    }
  }
  const valorTotal = titulos.reduce((soma, { valor }) => soma + valor, 0);
  escrever('trailer', { quantidade: linhas.length + 1, valorTotal });
  return linhas;
}

function registros400(banco: string): (nome: string) => Registro {
  const lidos = new Map(Object.entries(REMESSA_400[banco] ?? {}).map(([nome, tabela]) => [nome, lerTabela(tabela)]));
  return (nome) => {
    const registro = lidos.get(nome);
    if (registro === undefined) throw new RangeError(`layout: ${banco} não tem ${nome}`);
    return registro;
  };
}

function doTitulo(convenio: Convenio, ajustes: Ajustes, titulo: Titulo): Valores {
  const depois = somarDias(titulo.vencimento, 1);
  const [instrucao, instrucao159] = ajustes.instrucoes;
  return {
    usoEmpresa: titulo.usoEmpresa.toUpperCase(),
    nossoNumero: numeroNoArquivo(convenio, titulo.nossoNumero),
    ocorrencia: codigoDoMovimento(convenio, titulo.movimento),
    numeroDocumento: titulo.numeroDocumento.toUpperCase(),
    vencimento: titulo.vencimento,
    valor: titulo.valor,
    especie: ajustes.especie,
    aceite: 'N',
    emissao: titulo.emissao,
    instrucao,
    instrucao159,
    // Rounded down, so that nobody is charged more than the rate.
    jurosDia: Math.floor((titulo.valor * convenio.jurosAoMes) / 300_000),
    codigoJuros: convenio.jurosAoMes > 0 ? '2' : '0',
    juros: convenio.jurosAoMes,
    dataJuros: convenio.jurosAoMes > 0 ? depois : null,
    codigoMulta: convenio.multa > 0 ? (CODIGO_DA_MULTA[convenio.banco] ?? '2') : '0',
    multa: convenio.multa,
    // Santander counts from the due date when there is no date.
    dataMulta: convenio.multa > 0 && convenio.banco !== '033' ? depois : null,
  };
}

/** "Percent", in the bank's code. */
const CODIGO_DA_MULTA: Readonly<Record<string, string>> = { '033': '4', '077': '2', '237': '2' };

/** With its digit, but at Itaú; Santander has room for 8. */
function numeroNoArquivo(convenio: Convenio, numero: string): string {
  if (numero === '') return '0';
  const digito = digitoDoNossoNumero(convenio, numero);
  if (convenio.banco === '341') return numero;
  return convenio.banco === '033' ? numero.slice(-7) + digito : numero + digito;
}

function doPagador({ banco }: Convenio, { pagador }: Titulo): Valores {
  return {
    tipoInscricaoPagador: pagador.documento.length === 14 ? '02' : '01',
    inscricaoPagador: pagador.documento,
    nomePagador: nomeQueCabe(pagador.nome, posicoesDoNome(banco)),
    endereco: cortarEndereco(pagador.logradouro, 40),
    bairro: cortarTexto(textoDoBanco(pagador.bairro), 12),
    cep: pagador.cep,
    cidade: cortarTexto(textoDoBanco(pagador.cidade), 15),
    uf: pagador.uf,
  };
}

function daEmpresa(convenio: Convenio): Valores {
  return {
    banco: convenio.banco,
    tipoInscricaoEmpresa: convenio.cnpj.length === 14 ? '02' : '01',
    inscricaoEmpresa: convenio.cnpj,
    agencia: convenio.agencia,
    conta: convenio.conta,
    contaDv: convenio.contaDv,
    carteira: convenio.carteira,
    nomeEmpresa: nomeQueCabe(convenio.nome, 30),
  };
}

const DO_BANCO: Readonly<Record<string, (convenio: Convenio, ajustes: Ajustes) => Valores>> = {
  '033': ({ codigoTransmissao, conta, contaDv }, { carteiraNoTitulo }) => ({
    codigoTransmissao,
    carteira: carteiraNoTitulo,
    // The account's last digit and its check digit.
    complemento: conta.slice(-1) + contaDv,
  }),
  '077': ({ carteira, agencia, conta, contaDv, baixaEmDias }) => ({
    conta: carteira + agencia + (conta + contaDv).padStart(10, '0'),
    diasPagavel: baixaEmDias ?? 60,
  }),
  '237': ({ convenio }) => ({ codigoCliente: convenio }),
  '341': ({ baixaEmDias }) => ({ dias: baixaEmDias ?? 0 }),
};
