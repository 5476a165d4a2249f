import { somarDias } from '../../calendario/datas.ts';
import { ajustesDe } from '../ajustes.ts';
import type { Ajustes, Convenio, Remessa, Titulo } from '../convenio.types.ts';
import { escreverRegistro, type Valor } from '../layout.ts';
import { registros240, type Nome240 } from '../registros.ts';
import { digitoDoNossoNumero } from '../nosso-numero.ts';
import { codigoDoMovimento } from './titulo.ts';
import { cortarEndereco, cortarTexto, nomeQueCabe, textoDoBanco } from '../texto.ts';

type Valores = Readonly<Record<string, Valor>>;

/** Of a batch: its sequence has five digits, and a title takes three records. */
const TITULOS_DO_LOTE = 30_000;

/** The lines of a remessa of CNAB 240: P and Q of each title, and R where a fine is asked. */
export function linhas240({ convenio, nsa, hoje, hora, titulos }: Remessa, titulosDoLote = TITULOS_DO_LOTE): string[] {
  const registros = registros240(convenio.banco, convenio.convenio);
  const ajustes = ajustesDe(convenio);
  const comum = { ...daEmpresa(convenio), ...DO_BANCO[convenio.banco]?.(convenio, ajustes) };
  const escrever = (nome: Nome240, valores: Valores): string =>
    escreverRegistro(registros(nome), 240, { ...comum, ...valores });
  const linhas = [
    escrever('headerArquivo', {
      lote: '0000',
      remessaRetorno: '1',
      dataGeracao: hoje,
      horaGeracao: hora,
      nsa,
      versaoLayoutArquivo: ajustes.versaoArquivo,
      // Only Sicoob has a zero here, and a blank in the batch's header.
      agenciaContaDv: convenio.banco === '756' ? '0' : ' ',
    }),
  ];
  let lotes = 0;
  for (let de = 0; de < titulos.length; de += titulosDoLote) {
    lotes += 1;
    const doLote = titulos.slice(de, de + titulosDoLote);
    const lote = String(lotes).padStart(4, '0');
    const noLote = (nome: Nome240, valores: Valores): string => escrever(nome, { lote, ...valores });
    const header = { numeroRemessaRetorno: nsa, dataGravacao: hoje, versaoLayoutLote: ajustes.versaoLote };
    const antes = linhas.push(noLote('headerLote', header)) - 1;
    let sequencial = 0;
    for (const titulo of doLote) {
      for (const [nome, valores] of segmentos(convenio, ajustes, titulo)) {
        sequencial += 1;
        linhas.push(noLote(nome, { sequencialNoLote: sequencial, ...valores }));
      }
    }
    linhas.push(
      noLote('trailerLote', {
        quantidadeRegistros: linhas.length - antes + 1,
        quantidadeSimples: doLote.length,
        valorSimples: doLote.reduce((soma, { valor }) => soma + valor, 0),
      }),
    );
  }
  const quantidadeRegistros = linhas.length + 1;
  linhas.push(escrever('trailerArquivo', { lote: '9999', quantidadeLotes: lotes, quantidadeRegistros }));
  return linhas;
}

function segmentos(convenio: Convenio, ajustes: Ajustes, titulo: Titulo): [Nome240, Valores][] {
  const codigoMovimento = codigoDoMovimento(convenio, titulo.movimento);
  const comum = { codigoMovimento };
  const partes: [Nome240, Valores][] = [
    ['segmentoP', { ...comum, ...doTitulo(convenio, ajustes, titulo) }],
    ['segmentoQ', { ...comum, ...doPagador(titulo) }],
  ];
  if (ajustes.segmentoR && convenio.multa > 0 && titulo.movimento === 'entrada') {
    const dataMulta = somarDias(titulo.vencimento, 1);
    partes.push(['segmentoR', { ...comum, codigoMulta: '2', dataMulta, multa: convenio.multa }]);
  }
  return partes;
}

function doTitulo(convenio: Convenio, ajustes: Ajustes, titulo: Titulo): Valores {
  const comJuros = convenio.jurosAoMes > 0;
  const dias = convenio.baixaEmDias ?? (convenio.banco === '748' ? 60 : null);
  const { nossoNumero } = titulo;
  const comDigito = nossoNumero + digitoDoNossoNumero(convenio, nossoNumero);
  return {
    // Caixa's digit is printed, and not sent.
    nossoNumero:
      convenio.banco === '756' ? comDigito.padStart(10, '0') : convenio.banco === '104' ? nossoNumero : comDigito,
    carteira: ajustes.carteiraNoTitulo,
    numeroDocumento: titulo.numeroDocumento.toUpperCase(),
    vencimento: titulo.vencimento,
    valor: titulo.valor,
    especie: ajustes.especie,
    emissao: titulo.emissao,
    codigoJuros: comJuros ? '2' : ajustes.semJuros,
    dataJuros: comJuros ? somarDias(titulo.vencimento, 1) : null,
    juros: convenio.jurosAoMes,
    usoEmpresa: titulo.usoEmpresa.toUpperCase(),
    codigoProtesto: ajustes.protesto,
    codigoBaixa: dias === null ? '0' : '1',
    diasBaixa: String(dias ?? 0).padStart(3, '0'),
  };
}

function doPagador({ pagador }: Titulo): Valores {
  return {
    tipoInscricaoPagador: pagador.documento.length === 14 ? '2' : '1',
    inscricaoPagador: pagador.documento,
    nomePagador: nomeQueCabe(pagador.nome, 40),
    endereco: cortarEndereco(pagador.logradouro, 40),
    bairro: cortarTexto(textoDoBanco(pagador.bairro), 15),
    cep: pagador.cep.slice(0, 5),
    cepSufixo: pagador.cep.slice(5),
    cidade: cortarTexto(textoDoBanco(pagador.cidade), 15),
    uf: pagador.uf,
  };
}

function daEmpresa(convenio: Convenio): Valores {
  return {
    banco: convenio.banco,
    tipoInscricaoEmpresa: convenio.cnpj.length === 14 ? '2' : '1',
    inscricaoEmpresa: convenio.cnpj,
    agencia: convenio.agencia,
    agenciaDv: convenio.agenciaDv,
    conta: convenio.conta,
    contaDv: convenio.contaDv,
    nomeEmpresa: nomeQueCabe(convenio.nome, 30),
    formaCadastramento: '1',
    tipoDocumento: '2',
    emissaoBoleto: '2',
  };
}

/** Constants that each bank asks for beside those of its layout. */
const DO_BANCO: Readonly<Record<string, (convenio: Convenio, ajustes: Ajustes) => Valores>> = {
  '001': ({ convenio, carteira, variacao, teste }) => ({
    nomeBanco: 'BANCO DO BRASIL S.A.',
    convenio,
    carteira,
    variacao,
    situacaoArquivo: teste ? 'TS' : '',
    distribuicao: '0',
  }),
  '104': ({ convenio, teste }) => ({
    nomeBanco: 'CAIXA ECONOMICA FEDERAL',
    codigoBeneficiario: convenio,
    codigoConvenio: convenio.length > 6 ? '0' : convenio,
    reservado12: '00',
    reservadoEmpresa: teste ? 'REMESSA-TESTE' : 'REMESSA-PRODUCAO',
    distribuicao: '0',
  }),
  '748': ({ conta, convenio }) => ({
    nomeBanco: 'SICREDI',
    densidade: '01600',
    conta: conta === '' ? convenio : conta,
    tipoDocumento: '1',
    distribuicao: '2',
  }),
  '756': (_convenio, { modalidade, parcela }) => ({
    nomeBanco: 'SICOOB',
    formaCadastramento: '0',
    tipoDocumento: ' ',
    distribuicao: '2',
    modalidade,
    parcela: parcela.slice(-2),
  }),
};
