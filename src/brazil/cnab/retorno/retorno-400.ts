import { lerData } from '../../calendario/datas.ts';
import { centavos, type Centavos } from '../../dinheiro/dinheiro.ts';
import {
  RetornoRecusado,
  type BancoComCnab,
  type ClasseDeRetorno,
  type Ocorrencia,
  type Retorno,
} from '../convenio.types.ts';
import { lerRegistro, lerTabela } from '../layout.ts';
import { RETORNO_400 } from '../layouts/retorno400.ts';
import { classeDoMovimento, textoDoMotivo, textoDoMovimento } from './classes.ts';
import {
  Linha,
  comoOcorrencia,
  diaDoMovimento,
  ehDinheiro,
  paresDeMotivos,
  semDigito,
  vencimentoDaLinha,
} from './leitura.ts';

/** The type of the line that carries a slip's PIX, and of those that say nothing that is used (Inter's messages, Itaú's shares). */
const TIPO_DO_PIX: Readonly<Record<string, string>> = { '033': '2', '237': '4', '341': '3' };
const TIPOS_SEM_USO = ['2', '3', '4', '5', '6', '7', '8'];

/** Where the bank's own number of the file stands in the header. */
const NUMERO_DO_ARQUIVO: Readonly<Record<string, readonly [number, number]>> = {
  '033': [391, 394],
  '237': [108, 113],
  '341': [108, 113],
};

/** Reads the lines of a retorno of CNAB 400. @throws {RetornoRecusado} */
export function lerLinhas400(linhas: readonly string[], banco: BancoComCnab): Retorno {
  const tabelas = RETORNO_400[banco];
  if (tabelas === undefined) throw new RetornoRecusado(1, 'deste banco só se lê CNAB 240');
  const registro = (nome: string): ReturnType<typeof lerTabela> => lerTabela(tabelas[nome] ?? '');
  const [daFrente, doDetalhe, doPix] = [registro('header'), registro('detalhe'), registro('pix')];
  conferirSequencia(linhas);
  const ocorrencias: Ocorrencia[] = [];
  let cnpj = '';
  linhas.slice(1, -1).forEach((linha, i) => {
    const [numero, tipo] = [i + 2, linha.charAt(0)];
    if (tipo === '1') {
      const campos = new Linha(numero, lerRegistro(doDetalhe, linha));
      const daLinha = temInscricao(banco) ? linha.slice(3, 17).trim() : '';
      if (!/^[\dA-Z]*$/.test(daLinha)) campos.recusar('o CNPJ do beneficiário não é um número');
      if (/[1-9]/.test(daLinha)) {
        if (cnpj !== '' && cnpj !== daLinha) campos.recusar('o beneficiário não é o das outras linhas');
        cnpj = daLinha;
      }
      ocorrencias.push(ocorrencia(banco, numero, linha, campos));
    } else if (pareceTitulo(lerRegistro(doDetalhe, linha)) && !ehCopiaECola(banco, tipo, linha)) {
      throw new RetornoRecusado(numero, 'tem a forma de um título, e outro tipo de registro');
    } else if (tipo === TIPO_DO_PIX[banco]) {
      const anterior = ocorrencias.pop();
      if (anterior === undefined) throw new RetornoRecusado(numero, 'o registro do PIX não tem título antes dele');
      const campo = lerRegistro(doPix, linha);
      const pix = { location: campo('location'), txid: campo('txid'), copiaECola: campo('copiaECola') };
      ocorrencias.push({ ...anterior, pix });
    } else if (!TIPOS_SEM_USO.includes(tipo)) {
      throw new RetornoRecusado(numero, 'o tipo do registro não se conhece');
    }
  });
  const header = new Linha(1, lerRegistro(daFrente, linhas[0] ?? ''));
  const [de, ate] = NUMERO_DO_ARQUIVO[banco] ?? [0, 0];
  const sequencial = (linhas[0] ?? '').slice(de, ate).trim();
  return {
    banco,
    formato: '400',
    agencia: header.digitos('agencia'),
    conta: header.digitos('conta') || contaDoInter(banco, linhas),
    convenio: header.digitos('codigoCliente'),
    cnpj,
    sequencial: /^\d+$/.test(sequencial) ? Number(sequencial) : 0,
    gravadoEm: header.dataOuNada('data', banco === '748' && /^20\d{6}$/.test(header.texto('data'))),
    ocorrencias,
  };
}

/** Whether a line has what a title's has, so that a type that is wrong does not let a title disappear. */
function pareceTitulo(campo: (nome: string) => string): boolean {
  const dia = campo('dataOcorrencia');
  const data = lerData(`20${dia.slice(4)}-${dia.slice(2, 4)}-${dia.slice(0, 2)}`);
  return /^\d\d$/.test(campo('ocorrencia')) && data !== null && /^\d{13}$/.test(campo('valor'));
}

/** Itaú's text of a PIX may by chance have digits everywhere that a title's line has them. */
const ehCopiaECola = (banco: string, tipo: string, linha: string): boolean =>
  banco === '341' && tipo === TIPO_DO_PIX[banco] && linha.startsWith('000201', 1);

const temInscricao = (banco: string): boolean => banco === '033' || banco === '237' || banco === '341';

/** Inter's header has no account: its details do. */
function contaDoInter(banco: string, linhas: readonly string[]): string {
  const conta = banco === '077' ? (linhas.find((linha) => linha.startsWith('1')) ?? '').slice(27, 37) : '';
  return /^\d+$/.test(conta) && /[1-9]/.test(conta) ? conta : '';
}

/** The counts of trailers are of the whole portfolio at some banks, so that only the sequence tells what is missing. */
function conferirSequencia(linhas: readonly string[]): void {
  linhas.forEach((linha, n) => {
    const ultima = n === linhas.length - 1;
    if (n > 0 && linha.startsWith('0')) throw new RetornoRecusado(n + 1, 'outro começo de arquivo no meio deste');
    if (linha.slice(394) !== String(n + 1).padStart(6, '0')) {
      throw new RetornoRecusado(n + 1, `a sequência do registro devia ser ${n + 1}`);
    }
    if (linha.startsWith('9') !== ultima) {
      throw new RetornoRecusado(n + 1, ultima ? 'o arquivo termina sem o trailer' : 'o trailer não está no fim');
    }
  });
}

function ocorrencia(banco: BancoComCnab, numero: number, linha: string, campos: Linha): Ocorrencia {
  const movimento = campos.texto('ocorrencia');
  if (!/^\d\d$/.test(movimento)) campos.recusar('o movimento não é de dois algarismos');
  const classe = classeDoMovimento(banco, '400', movimento);
  const inicio = {
    linha: numero,
    movimento,
    texto: textoDoMovimento(banco, '400', movimento),
    classe,
    nossoNumero: semDigito(banco, numeroDoTitulo(campos)),
    usoEmpresa: campos.textoOuNada('usoEmpresa'),
    numeroDocumento: campos.texto('numeroDocumento'),
  };
  return comoOcorrencia(inicio, () => {
    const [recebido, tarifa] = [campos.valor('valorRecebido'), campos.valor('tarifa')];
    const pago = valorPago(banco, recebido, tarifa);
    return {
      vencimento: vencimentoDaLinha(campos, classe),
      valorTitulo: campos.valor('valor'),
      valorPago: ehDinheiro({ classe }) ? pago : centavos(0),
      tarifa,
      pagoEm: diaDoMovimento(campos, classe, 'dataOcorrencia', pago),
      creditadoEm: campos.dataOuNada('dataCredito', banco === '748'),
      motivos: motivos(banco, classe, linha),
      pix: null,
    };
  });
}

/** With its check digit, which may be P. */
function numeroDoTitulo(campos: Linha): string {
  const escrito = campos.texto('nossoNumero');
  if (!/^\d*P?$/.test(escrito)) campos.recusar('nossoNumero não é de algarismos');
  return escrito;
}

/** Itaú says what it has credited, after its fee; the others what was paid. */
function valorPago(banco: BancoComCnab, recebido: Centavos, tarifa: Centavos): Centavos {
  return banco === '341' ? centavos(recebido + tarifa) : recebido;
}

/** Of CNAB 400 only Bradesco's and Sicredi's codes are pairs like FEBRABAN's, of tables of their own. */
function motivos(banco: BancoComCnab, classe: ClasseDeRetorno, linha: string): { codigo: string; texto: string }[] {
  if (banco === '077') {
    const texto = linha.slice(240, 380).trim();
    return classe === 'rejeitado' && texto !== '' ? [{ codigo: '', texto }] : [];
  }
  if (ehDinheiro({ classe })) return [];
  const codigos =
    banco === '033'
      ? (linha.slice(136, 145).match(/.../g) ?? []).filter((codigo) => !/^[0 ]+$/.test(codigo))
      : paresDeMotivos(banco === '341' ? linha.slice(377, 385) : linha.slice(318, 328));
  return codigos.map((codigo) => ({ codigo, texto: banco === '748' ? textoDoMotivo(classe, codigo) : '' }));
}
