import { opcional } from '../../campos/campos.ts';
import type { ValoresDe } from '../../campos/campos.ts';
import { ouNulo, texto } from '../../campos/leitores.ts';
import { CAMPOS_DO_CLIENTE } from '../../clientes/cadastro.campos.ts';
import { CAMPOS_DO_CONTRATO } from '../../contratos/cadastro.campos.ts';
import { enderecoDigitado } from '../../enderecos/enderecos.campos.ts';
import { DO_ENDERECO } from '../formatos/colunas.regras.ts';
import { lerSimOuNao, lerSituacao } from '../formatos/situacoes.regras.ts';
import type { SituacaoLida } from '../formatos/situacoes.regras.ts';
import { emData, emDinheiro, emDocumento, emPalavra, emTelefones } from '../formatos/valores.regras.ts';
import type { Formato } from '../importacoes.types.ts';
import { avisarDoAcesso, loginImportado, senhaImportada } from './acesso.leitura.ts';
import { codigoDe } from './codigo.regras.ts';
import { dataImportada } from './datas.leitura.ts';
import type { Contexto, Registro } from './registro.ts';
import { lerPelaForma } from './registro.ts';

const { situacao: _situacao, tipo: _tipo, ...DO_CLIENTE } = CAMPOS_DO_CLIENTE;
const { cliente_id: _cliente, plano_id: _plano, cobrador_id: _cobrador, ...DO_CONTRATO } = CAMPOS_DO_CONTRATO;

/** A client as a file has it, by the same readers as one that is typed. */
const FORMA_DO_CLIENTE = DO_CLIENTE;

/** A contract likewise; its plan is looked up by name, and its login is one that is in use already, in thousands of devices. */
const FORMA_DO_CONTRATO = {
  ...DO_CONTRATO,
  login: opcional(ouNulo(loginImportado)),
  senha: opcional(ouNulo(senhaImportada)),
  plano: opcional(ouNulo(texto(1, 120))),
  ativado_em: opcional(ouNulo(dataImportada)),
  desbloqueio_ate: opcional(ouNulo(dataImportada)),
  endereco_instalacao: opcional(enderecoDigitado),
} as const;

/** As the app's login takes it. */
const MAIOR_SENHA_DO_APP = 128;

export interface ClienteLido {
  /** Of the contract, and of the client where the file names it apart. */
  readonly codigo: string;
  readonly codigoCliente: string;
  /** Whether the client's code is its own: then lines that share it are of one client. */
  readonly clienteComCodigo: boolean;
  readonly cliente: ValoresDe<typeof FORMA_DO_CLIENTE>;
  readonly contrato: ValoresDe<typeof FORMA_DO_CONTRATO>;
  readonly situacao: SituacaoLida;
  readonly observacao: boolean;
  /** As the other system has it, also of a cancelled contract, which holds none here: its invoices name it. */
  readonly loginDeOrigem: string | null;
  /** By which the client signs in to the app for the first time. */
  readonly senhaDoApp: string | null;
  /** The charging account as the file names it. */
  readonly cobrador: string | null;
}

/** Reads a line as a client with one contract; null where it cannot be, with what is wrong in `erros`. */
export function lerCliente(registro: Registro, { formato, mapa }: Contexto): ClienteLido | null {
  const { tolerar = [] } = mapa;
  const codigo = codigoDe(registro, formato, 'codigo');
  const codigoCliente = codigoDe(registro, formato, 'codigo_cliente', null);
  const situacao = situacaoDe(registro, formato);
  const observacao = simOuNao(registro, 'observacao');
  const cliente = lerPelaForma(registro, FORMA_DO_CLIENTE, dadosDoCliente(registro, mapa.cidades), {
    tolerar,
    campoDe: (campo) => campo.replace(/^endereco\./, ''),
  });
  const contrato = lerPelaForma(registro, FORMA_DO_CONTRATO, dadosDoContrato(registro, situacao, mapa.cidades), {
    tolerar,
    campoDe: (campo) => campo.replace(/^endereco_instalacao\./, 'instalacao_'),
  });
  const senhaDoApp = registro.texto('senha_app') ?? null;
  if (senhaDoApp !== null && Array.from(senhaDoApp).length > MAIOR_SENHA_DO_APP)
    registro.errar('senha_app', `deve ter no máximo ${MAIOR_SENHA_DO_APP} caracteres`);
  if (registro.erros.length > 0 || cliente === null || contrato === null) return null;
  if (codigo === null || situacao === null || observacao === null) return null;
  avisarDoAcesso(registro, contrato);
  return {
    codigo,
    codigoCliente: codigoCliente ?? codigo,
    clienteComCodigo: codigoCliente !== null,
    cliente,
    contrato,
    situacao,
    observacao,
    senhaDoApp,
    loginDeOrigem: registro.texto('login') ?? null,
    cobrador: registro.texto('cobrador') ?? null,
  };
}

function dadosDoCliente(registro: Registro, cidades: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const cpfCnpj = registro.convertido('cpf_cnpj', emDocumento);
  const ehPessoa = (cpfCnpj ?? '').replaceAll(/\D/g, '').length === 11;
  return semAusentes({
    nome: registro.texto('nome'),
    cpf_cnpj: cpfCnpj,
    // A person has no trade name, and a company no birthday, whatever an export fills in.
    nome_fantasia: ehPessoa ? undefined : registro.texto('nome_fantasia'),
    data_nascimento: ehPessoa ? registro.convertido('data_nascimento', emData) : undefined,
    email: registro.texto('email'),
    telefones: telefonesDe(registro),
    endereco: enderecoDe(registro, '', cidades),
  });
}

function dadosDoContrato(
  registro: Registro,
  situacao: SituacaoLida | null,
  cidades: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  // A cancelled line has no access: its login is free for whoever has it now.
  const comAcesso = situacao?.situacao !== 'cancelado';
  const isento = simOuNao(registro, 'isento');
  return semAusentes({
    plano: registro.texto('plano'),
    valor: registro.convertido('valor', emDinheiro),
    dia_vencimento: registro.texto('dia_vencimento')?.replace(/^0+$/, ''),
    tipo_cobranca: isento === true ? 'isento' : registro.texto('tipo_cobranca'),
    tipo_conexao: registro.convertido('tipo_conexao', emPalavra),
    login: comAcesso ? registro.texto('login') : undefined,
    senha: comAcesso ? registro.texto('senha') : undefined,
    mac: registro.texto('mac'),
    ip: registro.convertido('ip', (ip) => (ip === '0.0.0.0' ? undefined : ip)),
    ipv6_prefixo: registro.texto('ipv6_prefixo'),
    ativado_em: registro.convertido('ativado_em', emData),
    desbloqueio_ate: registro.convertido('desbloqueio_ate', emData),
    endereco_instalacao: enderecoDe(registro, 'instalacao_', cidades),
  });
}

function enderecoDe(
  registro: Registro,
  prefixo: '' | 'instalacao_',
  cidades: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const partes: Record<string, string> = {};
  for (const parte of DO_ENDERECO) {
    const campo = `${prefixo}${parte}`;
    const valor = parte === 'cidade' ? cidadeDe(registro, campo, cidades) : registro.texto(campo);
    if (valor !== undefined) partes[parte] = valor;
  }
  return Object.keys(partes).length === 0 ? undefined : partes;
}

/** A number is no city's name: it is one of a table that the map may bring along. */
function cidadeDe(registro: Registro, campo: string, cidades: Readonly<Record<string, string>>): string | undefined {
  return registro.convertido(campo, (cidade) =>
    /^\d+$/.test(cidade) ? (Object.hasOwn(cidades, cidade) ? cidades[cidade] : undefined) : cidade,
  );
}

function telefonesDe(registro: Registro): string[] | undefined {
  const escritos = registro.textos('telefones');
  const lidos = escritos.flatMap(emTelefones);
  const digitos = (um: string): string => um.replaceAll(/\D/g, '');
  const coluna = registro.colunaDe('telefones') ?? 'telefones';
  const para = lidos.map(digitos);
  if (escritos.length > 0 && escritos.join() !== para.join()) {
    registro.notas.push({ coluna, campo: 'telefones', de: escritos.join(' '), para: para.join(' ') });
  }
  return lidos.length === 0 ? undefined : lidos;
}

function situacaoDe(registro: Registro, formato: Formato): SituacaoLida | null {
  const palavra = (campo: string): string | undefined => {
    const escrita = registro.texto(campo);
    return escrita === undefined ? undefined : emPalavra(escrita);
  };
  const lida = lerSituacao(formato, {
    situacao: palavra('situacao'),
    situacao_internet: palavra('situacao_internet'),
    bloqueado: palavra('bloqueado'),
    bloqueio_origem: palavra('bloqueio_origem'),
  });
  if ('campo' in lida) {
    registro.errar(lida.campo, 'não se conhece este estado');
    return null;
  }
  return lida;
}

/** Null where it is neither. */
function simOuNao(registro: Registro, campo: string): boolean | null {
  const escrito = registro.texto(campo);
  const lido = escrito === undefined ? false : lerSimOuNao(emPalavra(escrito));
  if (lido !== undefined) return lido;
  registro.errar(campo, 'deve ser sim ou não');
  return null;
}

function semAusentes(dados: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(dados).filter(([, valor]) => valor !== undefined && valor !== ''));
}

/** A person's client or a company's, by its document. */
export const tipoDe = (cpfCnpj: string): 'pf' | 'pj' => (cpfCnpj.length === 11 ? 'pf' : 'pj');
