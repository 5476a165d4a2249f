import { BOLETO_MAXIMO } from '../../boleto/boleto.ts';
import { lerData, type Data } from '../../calendario/datas.ts';
import { centavos, type Centavos } from '../../dinheiro/dinheiro.ts';
import { LinhaIlegivel, RetornoRecusado, type BancoComCnab, type Ocorrencia } from '../convenio.types.ts';

/** A title of an earlier day is no longer paid by anybody. */
const PRIMEIRO_DIA = '2000-01-01';

/**
 * Reads the fields of a line. A field that has not its form refuses the whole file, which is torn at that line; an amount or a day that
 * cannot be refuses the line alone.
 */
export class Linha {
  readonly #numero: number;
  readonly #campo: (nome: string) => string;

  constructor(numero: number, campo: (nome: string) => string) {
    this.#numero = numero;
    this.#campo = campo;
  }

  texto(nome: string): string {
    return this.#campo(nome);
  }

  /** Zeros alone are nothing. */
  textoOuNada(nome: string): string {
    const texto = this.#campo(nome);
    return /^0+$/.test(texto) ? '' : texto;
  }

  /** Digits; '' where the field is blank. */
  digitos(nome: string): string {
    const texto = this.#campo(nome);
    if (!/^\d*$/.test(texto)) this.recusar(`${nome} não é de algarismos`);
    return texto;
  }

  /** Blank is zero. Fields are wider than any amount of a title. */
  valor(nome: string): Centavos {
    const lido = Number(this.digitos(nome));
    return lido > BOLETO_MAXIMO ? this.estranhar(`${nome} é maior do que um título pode ser`) : centavos(lido);
  }

  /** DDMMAA or DDMMAAAA; at Sicredi AAAAMMDD. Null where it is blank or zeros. */
  data(nome: string, anoAntes = false): Data | null {
    const digitos = this.digitos(nome);
    if (/^0*$/.test(digitos)) return null;
    const data = anoAntes
      ? `${digitos.slice(0, 4)}-${digitos.slice(4, 6)}-${digitos.slice(6)}`
      : `${digitos.length === 6 ? '20' : ''}${digitos.slice(4)}-${digitos.slice(2, 4)}-${digitos.slice(0, 2)}`;
    const lida = lerData(data) ?? this.estranhar(`${nome} não é uma data`);
    return lida < PRIMEIRO_DIA ? this.estranhar(`${nome} é de antes de 2000`) : lida;
  }

  /** A date that decides nothing: null, too, where it is none. */
  dataOuNada(nome: string, anoAntes = false): Data | null {
    try {
      return this.data(nome, anoAntes);
    } catch (error) {
      if (error instanceof LinhaIlegivel) return null;
      throw error;
    }
  }

  estranhar(motivo: string): never {
    throw new LinhaIlegivel(this.#numero, motivo);
  }

  recusar(motivo: string): never {
    throw new RetornoRecusado(this.#numero, motivo);
  }
}

/**
 * The number without check digit, in the form of `nossoNumero`; as it is where it is not of that form, such as of titles that another
 * system made. '' for zeros.
 */
export function semDigito(banco: BancoComCnab, escrito: string): string {
  if (/^0*$/.test(escrito)) return '';
  if (banco === '001' || banco === '104') return escrito;
  const numero = escrito.slice(0, -1);
  if (banco === '033') return numero.padStart(12, '0').slice(-12);
  return banco === '756' ? numero.padStart(7, '0').replace(/^0+(?=\d{7})/, '') : numero;
}

/** Pairs of a field of reasons; zeros and blanks between them are none. */
export function paresDeMotivos(campo: string): string[] {
  return (campo.match(/../g) ?? []).filter((codigo) => !/^[0 ]+$/.test(codigo));
}

type Inicio = Pick<
  Ocorrencia,
  'linha' | 'movimento' | 'texto' | 'classe' | 'nossoNumero' | 'usoEmpresa' | 'numeroDocumento'
>;

/** A title's line: amounts and days that cannot be make it one of which nothing counts. */
export function comoOcorrencia(inicio: Inicio, ler: () => Omit<Ocorrencia, keyof Inicio | 'vez'>): Ocorrencia {
  try {
    return { ...inicio, vez: 1, ...ler() };
  } catch (error) {
    if (!(error instanceof LinhaIlegivel)) throw error;
    return {
      ...inicio,
      vez: 1,
      classe: 'ilegivel',
      vencimento: null,
      valorTitulo: centavos(0),
      valorPago: centavos(0),
      tarifa: centavos(0),
      pagoEm: null,
      creditadoEm: null,
      motivos: [{ codigo: '', texto: error.motivo }],
      pix: null,
    };
  }
}

/** Whether a line of the class brings money, or takes it back. */
export const ehDinheiro = ({ classe }: Pick<Ocorrencia, 'classe'>): boolean =>
  classe === 'liquidado' || classe === 'desfeito';

/** The day of a line. A payment must have one, and must not be of zero. */
export function diaDoMovimento(campos: Linha, classe: Ocorrencia['classe'], nome: string, pago: Centavos): Data | null {
  const dia = campos.data(nome);
  if (ehDinheiro({ classe }) && dia === null) campos.estranhar('o pagamento não tem dia');
  if (classe === 'liquidado' && pago === 0) campos.estranhar('o pagamento é de zero');
  return dia;
}

/** A due date that cannot be refuses the line only where the bank tells by it what it has registered. */
export const vencimentoDaLinha = (campos: Linha, classe: Ocorrencia['classe']): Data | null =>
  classe === 'registrado' || classe === 'vencimento' ? campos.data('vencimento') : campos.dataOuNada('vencimento');

/** Numbers the lines that tell of the same money: a file that is read again numbers them in the same way. */
export function numerarIguais(ocorrencias: readonly Ocorrencia[]): Ocorrencia[] {
  const vistas = new Map<string, number>();
  return ocorrencias.map((uma) => {
    const valor = ehDinheiro(uma) ? uma.valorPago : uma.tarifa;
    if (valor === 0) return uma;
    const dita = `${uma.movimento} ${uma.nossoNumero} ${uma.pagoEm ?? ''} ${valor}`;
    const vez = (vistas.get(dita) ?? 0) + 1;
    vistas.set(dita, vez);
    return vez === 1 ? uma : { ...uma, vez };
  });
}
