import { readFileSync } from 'node:fs';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { IBS_CBS_PADRAO } from '../../../src/brazil/nfcom/itens/ibs-cbs.ts';
import type { DadosDaNota, EnderecoDaNota, ItemDaNota } from '../../../src/brazil/nfcom/base/nota.types.ts';
import type { TributosDoItem } from '../../../src/brazil/nfcom/base/tributos.types.ts';

/** A file of the samples of notes, or of the certificate that signed them. */
export const amostra = (nome: string): Buffer =>
  readFileSync(new URL(`../../../../test/support/nfcom/amostras/${nome}`, import.meta.url));

export const caminhoDaAmostra = (nome: string): string =>
  new URL(`../../../../test/support/nfcom/amostras/${nome}`, import.meta.url).pathname;

/** The password of the sample certificates, `test-a1.pfx` and `test-a1-legacy-rc2.pfx`. */
export const SENHA_DA_AMOSTRA = 'teste123';

const enderecoDeExemplo: EnderecoDaNota = {
  logradouro: 'RUA DAS FIBRAS',
  numero: '100',
  complemento: null,
  bairro: 'CENTRO',
  codigoDoMunicipio: '3509502',
  municipio: 'CAMPINAS',
  cep: '13010000',
  uf: 'SP',
  telefone: '1930000000',
  email: null,
};

const DO_SIMPLES: TributosDoItem = {
  icms: { cst: 'simples' },
  pis: null,
  cofins: null,
  icmsForaDaBase: true,
  fust: null,
  funttel: null,
};

/** Internet in the normal regime: ICMS of 18 %, PIS and COFINS cumulative, FUST and FUNTTEL. */
export const DO_NORMAL: TributosDoItem = {
  icms: { cst: '00', aliquota: 180_000, fcp: null },
  pis: { cst: '01', aliquota: 6500 },
  cofins: { cst: '01', aliquota: 30_000 },
  icmsForaDaBase: true,
  fust: 10_000,
  funttel: 5000,
};

const IBS_CBS = { cst: '000', classe: '000001', tributado: true };

/** An item of internet, of 99.90. */
export function itemDeExemplo(mudado: Partial<ItemDaNota> = {}): ItemDaNota {
  return {
    codigo: 'PLANO500',
    descricao: 'INTERNET FIBRA 500 MEGA',
    classe: '0400401',
    cfop: '5307',
    unidade: 4,
    quantidade: 10_000,
    valorUnitario: centavos(9990),
    desconto: centavos(0),
    acrescimo: centavos(0),
    devolucao: false,
    tributos: DO_SIMPLES,
    ibsCbs: IBS_CBS,
    anterior: null,
    informacoes: null,
    ...mudado,
  };
}

/** A service of added value, of 20.00, outside ICMS. */
export const svaDeExemplo = (tributos: Partial<TributosDoItem> = {}): ItemDaNota =>
  itemDeExemplo({
    codigo: 'SVA01',
    descricao: 'SERVICO DE VALOR ADICIONADO',
    classe: '0600601',
    cfop: null,
    valorUnitario: centavos(2000),
    tributos: { ...DO_SIMPLES, icms: { cst: 'fora' }, ...tributos },
  });

/** The note of the sample `02-simples-residencial.xml`. */
export function notaDeExemplo(mudada: Partial<DadosDaNota> = {}): DadosDaNota {
  return {
    ambiente: 2,
    serie: 1,
    numero: 101,
    codigoNumerico: '3141592',
    emissao: '2026-11-20T10:00:00-03:00',
    programa: 'backoffice 1.0',
    municipioDoServico: '3509502',
    siteAutorizador: 0,
    enderecoDoQr: 'https://dfe-portal.svrs.rs.gov.br/NFCom/QRCode',
    finalidade: { tipo: 'normal' },
    contingencia: null,
    emitente: {
      cnpj: '11222333000181',
      inscricaoEstadual: '110042490114',
      crt: 1,
      razaoSocial: 'PROVEDOR TESTE LTDA',
      nomeFantasia: 'PROVEDOR TESTE',
      endereco: enderecoDeExemplo,
    },
    destinatario: {
      nome: 'Fulana de Tal',
      documento: '52998224725',
      indicadorIe: 9,
      inscricaoEstadual: null,
      inscricaoMunicipal: null,
      endereco: {
        ...enderecoDeExemplo,
        logradouro: 'RUA DO ASSINANTE',
        numero: '',
        complemento: 'CASA 2',
        bairro: "JARDIM D'AGUA & LUZ",
        cep: '13020000',
        telefone: null,
      },
    },
    assinante: {
      codigo: '000123',
      tipo: 3,
      servico: 4,
      contrato: '2026-000123',
      inicioDoContrato: '2026-01-10' as Data,
      fimDoContrato: null,
    },
    itens: [itemDeExemplo(), svaDeExemplo()],
    retencoes: null,
    ibsCbs: IBS_CBS_PADRAO,
    fatura: {
      competencia: '202611',
      vencimento: '2026-12-10' as Data,
      periodo: { inicio: '2026-11-01' as Data, fim: '2026-11-30' as Data },
      linhaDigitavel: '00190000090123456700400000101170516560000011990',
      debitoAutomatico: null,
      pix: null,
    },
    autorizados: [],
    informacoesAoFisco: null,
    informacoesComplementares: ['EMPRESA OPTANTE PELO SIMPLES NACIONAL (LC 123/2006)'],
    responsavelTecnico: null,
    ...mudada,
  };
}
