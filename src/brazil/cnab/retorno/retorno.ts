import { BANCOS_COM_CNAB, RetornoRecusado, type Convenio, type Retorno } from '../convenio.types.ts';
import { numerarIguais } from './leitura.ts';
import { lerLinhas240 } from './retorno-240.ts';
import { lerLinhas400 } from './retorno-400.ts';

/** A retorno of a provider with a hundred thousand titles has some 50 MB. */
const MAIOR_ARQUIVO = 128 * 1024 * 1024;

/**
 * Reads a bank's file, CNAB 240 or 400 by its width, and looks at it whole: width of lines, counts, sequence and bank. Bytes are
 * latin1, of which only texts have other than ASCII; lines end with CRLF or LF, the last one with or without, and 0x1A and
 * empty lines at the end are let go. Whose it is, {@link contradicao} says.
 * @throws {RetornoRecusado} with the first line that is wrong; nothing of such a file counts.
 */
export function lerRetorno(arquivo: string | Uint8Array): Retorno {
  if (arquivo.length > MAIOR_ARQUIVO) throw new RetornoRecusado(1, 'o arquivo é grande demais');
  const linhas = separarLinhas(typeof arquivo === 'string' ? arquivo : Buffer.from(arquivo).toString('latin1'));
  const largura = linhas[0]?.length ?? 0;
  if (largura !== 240 && largura !== 400) throw new RetornoRecusado(1, 'não tem 240 nem 400 posições');
  const estranha = linhas.findIndex((linha) => linha.length !== largura);
  if (estranha >= 0) throw new RetornoRecusado(estranha + 1, `não tem ${largura} posições`);
  const codigo = bancoDoHeader(linhas[0] ?? '');
  const banco = BANCOS_COM_CNAB.find((conhecido) => conhecido === codigo);
  if (banco === undefined) throw new RetornoRecusado(1, 'não é de um banco que se lê aqui');
  const lido = largura === 240 ? lerLinhas240(linhas, banco) : lerLinhas400(linhas, banco);
  return { ...lido, ocorrencias: numerarIguais(lido.ocorrencias) };
}

function separarLinhas(texto: string): string[] {
  const linhas = texto.split('\n').map((linha) => (linha.endsWith('\r') ? linha.slice(0, -1) : linha));
  const ultima = linhas.findLastIndex((linha) => !vazia(linha));
  // Some systems end a file with the old sign of DOS, alone, on a line of its own or behind the last one.
  return linhas
    .slice(0, ultima + 1)
    .map((linha, n) => (n === ultima && linha.endsWith('\x1a') ? linha.slice(0, -1) : linha));
}

/** What mail and editors leave behind the last line: nothing is lost with it, because trailers count the lines. */
const vazia = (linha: string): boolean => linha.replaceAll('\x1a', '').trim() === '';

function bancoDoHeader(header: string): string {
  if (header.length === 400) {
    if (header.startsWith('01REMESSA')) throw new RetornoRecusado(1, 'é uma remessa, e não um retorno');
    if (!header.startsWith('02RETORNO')) throw new RetornoRecusado(1, 'não começa como um retorno de CNAB 400');
    return header.slice(76, 79);
  }
  if (header.slice(3, 8) !== '00000') throw new RetornoRecusado(1, 'não começa como um arquivo de CNAB 240');
  if (header.charAt(142) === '1') throw new RetornoRecusado(1, 'é uma remessa, e não um retorno');
  if (header.charAt(142) !== '2') throw new RetornoRecusado(1, 'não diz que é um retorno');
  return header.slice(0, 3);
}

/** Why a file is not of an agreement, by what it says of its owner; null: nothing contradicts it. What the file leaves out says nothing. */
export function contradicao(retorno: Retorno, convenio: Convenio): string | null {
  const { banco, convenio: codigo } = convenio;
  if (retorno.banco !== banco) return `é do banco ${retorno.banco}, e o convênio é do ${banco}`;
  const outro = (dito: string, ...nossos: readonly string[]): boolean => {
    const conhecidos = nossos.filter((nosso) => /[1-9]/.test(nosso)).map(Number);
    return /[1-9]/.test(dito) && conhecidos.length > 0 && !conhecidos.includes(Number(dito));
  };
  if (outro(retorno.cnpj, convenio.cnpj)) return 'o CNPJ não é o do convênio';
  // Branch and account are of the bank's own code at these, and the code is looked at instead.
  if (banco !== '033' && banco !== '237' && outro(retorno.agencia, convenio.agencia))
    return 'a agência não é a do convênio';
  const comCodigo = banco === '001' || banco === '104' || banco === '237';
  if (comCodigo && outro(retorno.convenio, codigo)) return 'o código não é o do convênio';
  return outro(retorno.conta, ...contasDe(convenio)) ? 'a conta não é a do convênio' : null;
}

/** The accounts that a header may say; none where the bank writes something else there. */
function contasDe({ banco, conta, contaDv, convenio: codigo, codigoTransmissao }: Convenio): string[] {
  if (banco === '077') return [conta + contaDv];
  // The account of the collection is the end of the code of transmission, which is of branch and two accounts.
  if (banco === '033') return codigoTransmissao.length === DIGITOS_DA_TRANSMISSAO ? [codigoTransmissao.slice(-8)] : [];
  if (banco === '748') return [conta, codigo];
  return banco === '756' || banco === '341' || banco === '001' ? [conta] : [];
}

const DIGITOS_DA_TRANSMISSAO = 20;
