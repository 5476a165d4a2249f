import { cpfCnpjValido } from '../pessoa/cpf-cnpj.ts';
import type { Ajustes, BancoComCnab, Convenio, Formato } from './convenio.types.ts';
import { nomeQueCabe } from './texto.ts';

/** The format of the bank's remessas, and of its retornos. */
export function formatoDoBanco(banco: BancoComCnab): Formato {
  return banco === '001' || banco === '104' || banco === '748' || banco === '756' ? '240' : '400';
}

const COMUNS: Ajustes = {
  versaoArquivo: '081',
  versaoLote: '040',
  segmentoR: true,
  especie: '04',
  carteiraNoTitulo: '1',
  semJuros: '3',
  protesto: '3',
  modalidade: '',
  parcela: '',
  tipoCobranca: '',
  byte: '',
  instrucoes: ['00', '00'],
  numeracao: 'propria',
  hibrido: false,
  chavePix: '',
  tipoChavePix: '',
  movimentoDeValor: '',
};

const DO_BANCO: Readonly<Record<BancoComCnab, Partial<Ajustes>>> = {
  '001': { versaoArquivo: '084', versaoLote: '043' },
  '033': { especie: '01', carteiraNoTitulo: '5' },
  '077': { especie: '01', numeracao: 'banco' },
  '104': { versaoArquivo: '101', versaoLote: '060', modalidade: '14' },
  '237': { especie: '12' },
  '341': { especie: '08' },
  '748': { tipoCobranca: '1', byte: '2' },
  '756': { modalidade: '01', parcela: '001', semJuros: '0' },
};

/** What public programs use for the bank: a start, which the bank's test may change. */
function ajustesPadrao(banco: BancoComCnab): Ajustes {
  return { ...COMUNS, ...DO_BANCO[banco] };
}

/** Those of an agreement. Caixa has other versions for a beneficiary of 7 digits. */
export function ajustesDe({ banco, convenio, ajustes }: Convenio): Ajustes {
  const deSete = banco === '104' && convenio.length > 6 ? { versaoArquivo: '107', versaoLote: '067' } : {};
  return { ...ajustesPadrao(banco), ...deSete, ...ajustes };
}

const CAMPOS = [
  'agencia',
  'agenciaDv',
  'conta',
  'contaDv',
  'carteira',
  'variacao',
  'convenio',
  'codigoTransmissao',
  'posto',
] as const;

/** The form of each field that the bank prescribes; a field that is not named has none. */
const FORMAS: Readonly<Record<BancoComCnab, Readonly<Partial<Record<(typeof CAMPOS)[number], RegExp>>>>> = {
  '001': {
    agencia: /^\d{4}$/,
    agenciaDv: /^[\dX]$/,
    conta: /^\d{1,12}$/,
    contaDv: /^[\dX]$/,
    carteira: /^\d{2}$/,
    variacao: /^\d{3}$/,
    convenio: /^\d{7}$/,
  },
  '033': {
    agencia: /^\d{4}$/,
    conta: /^\d{2,9}$/,
    contaDv: /^\d$/,
    carteira: /^\d{3}$/,
    convenio: /^\d{7}$/,
    codigoTransmissao: /^\d{1,20}$/,
  },
  '077': { agencia: /^\d{4}$/, conta: /^\d{1,9}$/, contaDv: /^\d$/, carteira: /^\d{3}$/, convenio: /^\d{7}$/ },
  '104': { agencia: /^\d{4}$/, agenciaDv: /^\d$/, convenio: /^\d{6,7}$/ },
  '237': { agencia: /^\d{4}$/, conta: /^\d{1,7}$/, contaDv: /^[\dP]$/, carteira: /^\d{2}$/, convenio: /^\d{1,20}$/ },
  '341': { agencia: /^\d{4}$/, conta: /^\d{5}$/, contaDv: /^\d$/, carteira: /^\d{3}$/ },
  '748': { agencia: /^\d{4}$/, posto: /^\d{2}$/, carteira: /^\d$/, convenio: /^\d{5}$/ },
  '756': { agencia: /^\d{4}$/, conta: /^\d{1,12}$/, contaDv: /^\d$/, carteira: /^\d$/, convenio: /^\d{1,7}$/ },
};

const FORMAS_DOS_AJUSTES: Readonly<Partial<Record<keyof Ajustes, RegExp>>> = {
  versaoArquivo: /^\d{3}$/,
  versaoLote: /^\d{3}$/,
  especie: /^\d{2}$/,
  carteiraNoTitulo: /^\d$/,
  semJuros: /^\d$/,
  protesto: /^\d$/,
  movimentoDeValor: /^(?:\d{2})?$/,
  tipoChavePix: /^[1-5]?$/,
};

/** Carteiras of Itaú whose free field is another. */
const OUTRA_FORMA_NO_ITAU = ['106', '107', '122', '142', '143', '195', '196', '198'];

/** Everything that is wrong with an agreement: the field (`ajustes.x` for a setting) and why, in Portuguese. Empty when it can be used. */
export function conferirConvenio(convenio: Convenio): readonly { readonly campo: string; readonly motivo: string }[] {
  const { banco, cnpj, nome } = convenio;
  const ajustes = ajustesDe(convenio);
  const achados: { campo: string; motivo: string }[] = [];
  const exigir = (vale: boolean, campo: string, motivo: string): void => {
    if (!vale) achados.push({ campo, motivo });
  };
  exigir(convenio.formato === formatoDoBanco(banco), 'formato', `este banco usa CNAB ${formatoDoBanco(banco)}`);
  for (const campo of CAMPOS) {
    const forma = FORMAS[banco][campo];
    exigir(forma === undefined || forma.test(convenio[campo]), campo, 'não tem a forma que este banco dá');
  }
  for (const [campo, forma] of Object.entries(FORMAS_DOS_AJUSTES)) {
    exigir(
      forma.test(String(ajustes[campo as keyof Ajustes])),
      `ajustes.${campo}`,
      'não tem a forma que os bancos usam',
    );
  }
  exigir(/^\d*$/.test(cnpj), 'cnpj', 'CNPJ com letras: ainda não se sabe como os bancos o recebem no CNAB');
  exigir(!/^\d+$/.test(cnpj) || cpfCnpjValido(cnpj), 'cnpj', 'não é um CNPJ nem um CPF');
  exigir(cnpj !== '', 'cnpj', 'falta');
  exigir(nomeQueCabe(nome, 30) !== null, 'nome', 'não cabe nas 30 posições que os bancos têm, nem abreviado');
  exigir(percentual(convenio.jurosAoMes), 'jurosAoMes', 'vai de 0 a 99,99 %');
  exigir(percentual(convenio.multa), 'multa', 'vai de 0 a 99,99 %');
  const dias = convenio.baixaEmDias;
  // Caixa takes no title without a number of days after which it is written off.
  exigir(dias === null ? banco !== '104' : diasQueCabem(banco, dias), 'baixaEmDias', motivoDosDias(banco));
  if (banco === '341')
    exigir(
      !OUTRA_FORMA_NO_ITAU.includes(convenio.carteira),
      'carteira',
      'tem outro campo livre, que não se escreve aqui',
    );
  if (banco === '748') exigir(/^[2-9]$/.test(ajustes.byte), 'ajustes.byte', 'vai de 2 a 9: o 1 é do banco');
  if (banco === '748') exigir(/^[13]$/.test(ajustes.tipoCobranca), 'ajustes.tipoCobranca', 'é 1 ou 3');
  if (banco === '756') exigir(/^\d{3}$/.test(ajustes.parcela), 'ajustes.parcela', 'tem 3 dígitos');
  if (banco === '756' || banco === '104')
    exigir(/^\d{2}$/.test(ajustes.modalidade), 'ajustes.modalidade', 'tem 2 dígitos');
  exigir(
    ajustes.instrucoes.every((codigo) => /^\d{2}$/.test(codigo)),
    'ajustes.instrucoes',
    'são dois códigos de 2 dígitos',
  );
  exigir(ajustes.numeracao === 'propria' || banco === '077', 'ajustes.numeracao', 'só no Inter o banco numera');
  if (ajustes.hibrido) {
    exigir(
      banco === '033' || banco === '341',
      'ajustes.hibrido',
      'não se conhece o layout deste banco para boleto com PIX',
    );
    exigir(/^[\x21-\x7e]{1,77}$/.test(ajustes.chavePix), 'ajustes.chavePix', 'falta, ou não cabe em 77 posições');
    if (banco === '033') exigir(ajustes.tipoChavePix !== '', 'ajustes.tipoChavePix', 'falta');
  }
  return achados;
}

const percentual = (n: number): boolean => Number.isInteger(n) && n >= 0 && n <= 9999;

function diasQueCabem(banco: BancoComCnab, dias: number): boolean {
  if (!Number.isInteger(dias) || dias < 0) return false;
  if (banco === '077') return dias === 0 || dias === 30 || dias === 60;
  if (banco === '033' || banco === '237') return false;
  return dias >= 1 && dias <= (banco === '341' ? 99 : 999);
}

function motivoDosDias(banco: BancoComCnab): string {
  if (banco === '077') return 'neste banco são 0, 30 ou 60';
  if (banco === '033' || banco === '237') return 'neste banco o prazo vai nas instruções, ou no contrato: deixe vazio';
  return `vai de 1 a ${banco === '341' ? 99 : 999}`;
}
