import { digitosCpf } from '../../src/brazil/pessoa/cpf-cnpj.ts';

// Exports as the systems write them, made by code: so many lines as a test wants, with what real ones have wrong.

/** The bytes of Windows-1252 that these texts use are those of Latin-1. */
export const emWindows1252 = (texto: string): Buffer => Buffer.from(texto, 'latin1');

export const cpfDe = (n: number): string => {
  const base = String((n * 716_151_937) % 1_000_000_000).padStart(9, '0');
  return base + digitosCpf(base);
};

const comPontos = (cpf: string): string => cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4');

const NOMES = ['José da Conceição', 'Antônia Brandão', 'João Araújo', 'Mônica Simões', 'Luís Falcão'];
const PLANOS = ['FIBRA 300 MEGA', 'FIBRA 500 MEGA', 'FIBRA 1 GIGA'];

const de = <T>(lista: readonly T[], n: number): T => lista[n % lista.length]!;

type Linha = Readonly<Record<string, string>>;

/** Lines under their columns, as one text; a cell with the separator or a quotation mark is quoted. */
export function emCsv(linhas: readonly Linha[], separador = ';', fim = '\r\n'): string {
  const colunas = Object.keys(linhas[0]!);
  const celula = (texto: string): string =>
    texto.includes(separador) || /["\n]/.test(texto) ? `"${texto.replaceAll('"', '""')}"` : texto;
  return [colunas, ...linhas.map((linha) => colunas.map((coluna) => linha[coluna] ?? ''))]
    .map((celulas) => celulas.map(celula).join(separador) + fim)
    .join('');
}

/** A line of cliente, cliente_contrato and radusuarios of IXC. */
export function linhaDoIxc(n: number, mais: Linha = {}): Linha {
  return {
    id_contrato: String(1000 + n),
    id_cliente: String(n),
    razao: `${de(NOMES, n)} ${n}`,
    fantasia: '',
    cnpj_cpf: comPontos(cpfDe(n)),
    data_nascimento: `${String(1 + (n % 28)).padStart(2, '0')}/0${1 + (n % 9)}/1980`,
    telefone_celular: `(35) 9 9${String(1_000_000 + n).slice(0, 3)}-${String(1000 + (n % 9000))}`,
    whatsapp: '',
    fone: n % 3 === 0 ? `(35) 3222-${String(1000 + (n % 9000))}` : '',
    telefone_comercial: '',
    email: `cliente${n}@exemplo.com.br`,
    cep: '37550-000',
    endereco: 'Rua São João; fundos',
    numero: String(n),
    complemento: '',
    bairro: 'Centro',
    cidade: 'Pouso Alegre',
    uf: 'mg',
    login: `cliente${n}@serra`,
    senha: `Segredo#${n}`,
    mac: 'AABBCCDDEE01',
    ip: '0.0.0.0',
    contrato: de(PLANOS, n),
    valor_contrato: '99,90',
    dia_fixo_vencimento: String(5 * (1 + (n % 5))).padStart(2, '0'),
    status: 'A',
    status_internet: n % 20 === 0 ? 'CA' : 'A',
    data_ativacao: '01/02/2024',
    ...mais,
  };
}

/** A line of sis_cliente of MK-Auth. */
export function linhaDoMkauth(n: number, mais: Linha = {}): Linha {
  return {
    id: String(n),
    nome: `${de(NOMES, n)} ${n}`,
    cpf_cnpj: comPontos(cpfDe(n)),
    nascimento: '1985-03-09',
    email: '',
    celular: `35 99${String(100_000 + n).slice(0, 3)}-${String(1000 + (n % 9000))}`,
    fone: '',
    cep: '37550000',
    endereco: 'Av. Brasil',
    numero: '1',
    complemento: '',
    bairro: 'São Benedito',
    cidade: 'Pouso Alegre',
    estado: 'MG',
    cep_res: '',
    endereco_res: n % 2 === 0 ? 'Sítio Boa Vista' : '',
    numero_res: '',
    bairro_res: n % 2 === 0 ? 'Zona rural' : '',
    cidade_res: '',
    estado_res: '',
    login: `mk${n}`,
    senha: `mkauth${n}`,
    mac: '',
    ip: '',
    plano: de(PLANOS, n),
    venc: '10',
    cli_ativado: 's',
    bloqueado: 'nao',
    isento: 'nao',
    observacao: 'nao',
    ...mais,
  };
}

/** A line of SGP's listing of clients. */
export function linhaDoSgp(n: number, mais: Linha = {}): Linha {
  return {
    contrato: String(n),
    nome: `${de(NOMES, n)} ${n}`,
    nomefantasia: '',
    cpfcnpj: cpfDe(n),
    datanasc: '1990-12-31',
    celular: `3599${String(1_000_000 + n).slice(-7)}`,
    email: '',
    logradouro: 'Rua Sete',
    numero: 's/n',
    bairro: 'Centro',
    cidade: 'Varginha',
    uf: 'MG',
    cep: '37002-000',
    plano: de(PLANOS, n),
    vencimento: '15',
    status: 'Ativo',
    login: `sgp${n}`,
    senha: `senhaSGP${n}`,
    mac: '',
    ip: '100.64.1.9',
    ...mais,
  };
}

/** A line of fn_areceber of IXC. */
export function faturaDoIxc(n: number, mais: Linha = {}): Linha {
  return {
    id: String(50_000 + n),
    id_cliente: String(n),
    id_contrato: String(1000 + n),
    filial_id: '1',
    data_emissao: '01/11/2026',
    data_vencimento: '10/12/2026',
    valor: '99,90',
    valor_recebido: '',
    pagamento_data: '',
    status: 'A',
    obs: '',
    ...mais,
  };
}

/** Numbers from `primeiro`, so many. */
export const numeros = (quantos: number, primeiro = 1): number[] =>
  Array.from({ length: quantos }, (_, n) => primeiro + n);
