import { fusoValido } from '../../../brazil/calendario/datas.ts';
import { emailValido, limparDigitado } from '../../../brazil/pessoa/digitado.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { UFS, normalizarCep } from '../../../brazil/pessoa/endereco.ts';
import { lerTelefone } from '../../../brazil/pessoa/telefone.ts';
import { LEITURAS_DA_CONTA, LEITURA_DE_CNPJ, textoAte } from '../../cobradores/conta.regras.ts';
import type { ColunaDaConta } from '../../cobradores/conta.regras.ts';
import { EntradaInvalida } from '../../erros.ts';
import { hostValido } from '../host.regras.ts';
import { LIMITES, POR_QUE_CONFIRMAR } from './limites.regras.ts';
import { lerLogo } from './logo.regras.ts';

/** Of `cobradores`, the row is the default account's. */
export const TABELAS = ['provedores', 'regras_cobranca', 'provedores_identidade', 'cobradores'] as const;
export type Tabela = (typeof TABELAS)[number];

/** A value as its column holds it. */
export type Valor = string | number | Buffer | null;

/** How a text becomes a column's value; null where it does not. */
interface Leitura {
  readonly tabela: Tabela;
  readonly coluna: string;
  readonly ler: (limpo: string) => string | number | null;
  /** What is asked for, in words for who typed something else. */
  readonly pede: string;
  readonly obrigatorio?: boolean;
}

const daConta = (coluna: ColunaDaConta) => ({ ...de('cobradores', coluna), ...LEITURAS_DA_CONTA[coluna] });
const inteiro = (minimo: number, maximo: number) => ({
  ler: (limpo: string) =>
    /^\d{1,6}$/.test(limpo) && Number(limpo) >= minimo && Number(limpo) <= maximo ? Number(limpo) : null,
  pede: `um número inteiro de ${minimo} a ${maximo}`,
});
/** `maximo` in hundredths of a percent. */
const percentual = (maximo: number) => ({
  ler: (limpo: string) => lerPercentual(limpo, maximo),
  pede: `um percentual de 0 a ${escreverDinheiro(centavos(maximo)).replace('.', ',')}, com até duas casas`,
});
const telefone = { ler: lerTelefone, pede: 'DDD e número, como (35) 3421-0000 ou (35) 99999-0000' };

export const LEITURAS = {
  nome: { ...de('provedores', 'nome'), ...textoAte(120), pede: 'de 1 a 120 caracteres', obrigatorio: true },
  fuso: {
    ...de('provedores', 'fuso_horario'),
    ler: (limpo) => (fusoValido(limpo) ? limpo : null),
    pede: 'um fuso IANA, como America/Sao_Paulo',
    obrigatorio: true,
  },
  cnpj: { ...de('provedores', 'cnpj'), ...LEITURA_DE_CNPJ },
  pixChave: daConta('pix_chave'),
  pixNome: daConta('pix_nome'),
  pixCidade: daConta('pix_cidade'),
  multa: { ...de('regras_cobranca', 'multa_percentual'), ...percentual(LIMITES.multa), obrigatorio: true },
  juros: {
    ...de('regras_cobranca', 'juros_mensal_percentual'),
    ...percentual(LIMITES.jurosConfirmados),
    pede: 'um percentual ao mês de 0 a 1,00, ou até 2,00 com --confirmar-juros, com até duas casas',
    obrigatorio: true,
  },
  carencia: { ...de('regras_cobranca', 'carencia_dias'), ...inteiro(0, LIMITES.carenciaDias), obrigatorio: true },
  toleranciaPix: {
    ...de('regras_cobranca', 'tolerancia_pix_dias'),
    ...inteiro(0, LIMITES.toleranciaPixDias),
    obrigatorio: true,
  },
  excedenteCredito: {
    ...de('regras_cobranca', 'excedente_vira_credito'),
    ler: (limpo) => SIM_OU_NAO.get(limpo.toLowerCase()) ?? null,
    pede: 'sim ou nao',
    obrigatorio: true,
  },
  avisoDias: { ...de('regras_cobranca', 'aviso_dias'), ...inteiro(0, LIMITES.avisoDias), obrigatorio: true },
  desbloqueio: {
    ...de('regras_cobranca', 'desbloqueio_habilitado'),
    ler: (limpo) => SIM_OU_NAO.get(limpo.toLowerCase()) ?? null,
    pede: 'sim ou nao',
    obrigatorio: true,
  },
  desbloqueioDias: {
    ...de('regras_cobranca', 'desbloqueio_dias'),
    ...inteiro(1, LIMITES.desbloqueioDias),
    obrigatorio: true,
  },
  promessaDias: {
    ...de('regras_cobranca', 'promessa_dias'),
    ...inteiro(0, LIMITES.promessaDias),
    obrigatorio: true,
  },
  buscasEmVaoPorHora: { ...de('provedores', 'buscas_em_vao_por_hora'), ...inteiro(1, LIMITES.porHora) },
  clientesPorHora: { ...de('provedores', 'clientes_por_hora'), ...inteiro(1, LIMITES.porHora) },
  razaoSocial: { ...de('provedores_identidade', 'razao_social'), ...textoAte(120) },
  cep: {
    ...de('provedores_identidade', 'cep'),
    ler: normalizarCep,
    pede: '8 dígitos, como 37550-000',
  },
  logradouro: { ...de('provedores_identidade', 'logradouro'), ...textoAte(150) },
  numero: { ...de('provedores_identidade', 'numero'), ...textoAte(20) },
  complemento: { ...de('provedores_identidade', 'complemento'), ...textoAte(100) },
  bairro: { ...de('provedores_identidade', 'bairro'), ...textoAte(100) },
  cidade: { ...de('provedores_identidade', 'cidade'), ...textoAte(100) },
  uf: {
    ...de('provedores_identidade', 'uf'),
    ler: (limpo) => UFS.find((uf) => uf === limpo.toUpperCase()) ?? null,
    pede: 'a sigla de um estado, como MG',
  },
  cor: {
    ...de('provedores_identidade', 'cor'),
    // A shell takes what follows an unquoted # for a comment.
    ler: (limpo) => (/^#?[\da-f]{6}$/i.test(limpo) ? `#${limpo.replace('#', '').toLowerCase()}` : null),
    pede: "seis dígitos hexadecimais, como '#164a8a'",
  },
  telefone: { ...de('provedores_identidade', 'telefone'), ...telefone },
  whatsapp: { ...de('provedores_identidade', 'whatsapp'), ...telefone },
  email: {
    ...de('provedores_identidade', 'email'),
    ler: (limpo) => (emailValido(limpo) && limpo.length <= 254 ? limpo : null),
    pede: 'um e-mail, como atendimento@exemplo.com.br',
  },
  site: {
    ...de('provedores_identidade', 'site'),
    ler: lerSite,
    pede: 'um host com caminho ou sem, como exemplo.com.br/ajuda, de até 253 caracteres',
  },
  banco: daConta('boleto_banco'),
  agenciaCodigo: daConta('boleto_agencia_codigo'),
  carteira: daConta('boleto_carteira'),
} as const satisfies Readonly<Record<string, Leitura>>;

export type CampoDigitado = keyof typeof LEITURAS;

/** The columns of a table that may be set. */
export function colunasDe(tabela: Tabela): string[] {
  const digitadas = Object.values<Leitura>(LEITURAS).filter((leitura) => leitura.tabela === tabela);
  return [
    ...digitadas.map(({ coluna }) => coluna),
    ...(tabela === 'provedores_identidade' ? ['logo', 'logo_tipo'] : []),
  ];
}

/** What is to change, as people write it; '' (of the logo, null) clears what may be missing. What is not named stays. */
export type Mudancas = Readonly<Partial<Record<CampoDigitado, string>>> & {
  readonly logo?: Buffer | null;
  /** The operator confirms interest above 1 % a month; see limites.regras.ts. */
  readonly confirmarJuros?: boolean;
};

export type Campo = CampoDigitado | 'logo';

/** What a change writes: its columns, the first of which names it in the audit log. */
export interface Mudanca {
  readonly campo: Campo;
  readonly tabela: Tabela;
  readonly colunas: Readonly<Record<string, Valor>>;
}

/** @throws EntradaInvalida naming the first option that is not acceptable. */
export function lerMudancas({ logo, confirmarJuros = false, ...digitados }: Mudancas): Mudanca[] {
  const mudancas = (Object.entries(digitados) as [CampoDigitado, string][]).map(([campo, digitado]): Mudanca => {
    const { tabela, coluna } = LEITURAS[campo];
    return { campo, tabela, colunas: { [coluna]: lerCampo(campo, digitado) } };
  });
  if (jurosConfirmados(mudancas) !== null && !confirmarJuros) throw new EntradaInvalida(`juros: ${POR_QUE_CONFIRMAR}`);
  if (logo === undefined) return mudancas;
  const { bytes, tipo } = logo === null ? { bytes: null, tipo: null } : lerLogo(logo);
  return [...mudancas, { campo: 'logo', tabela: 'provedores_identidade', colunas: { logo: bytes, logo_tipo: tipo } }];
}

/** The interest that changes set, as its column has it, where it has to be confirmed; else null. */
export function jurosConfirmados(mudancas: readonly Mudanca[]): string | null {
  const juros = mudancas.find(({ campo }) => campo === 'juros')?.colunas[LEITURAS.juros.coluna] ?? null;
  return typeof juros === 'string' && lerDinheiro(juros) > LIMITES.juros ? juros : null;
}

function lerCampo(campo: CampoDigitado, digitado: string): string | number | null {
  const valor = lerTexto(campo, digitado);
  if (valor === undefined) throw new EntradaInvalida(`${opcaoDe(campo)}: ${LEITURAS[campo].pede}`);
  return valor;
}

/** What a text makes of a column: null where it clears it; undefined where it is not acceptable. */
export function lerTexto(campo: CampoDigitado, digitado: string): string | number | null | undefined {
  const { ler, obrigatorio = false }: Leitura = LEITURAS[campo];
  const limpo = limparDigitado(digitado);
  if (limpo === '') return obrigatorio ? undefined : null;
  return ler(limpo) ?? undefined;
}

/** `pixChave` is `pix-chave` at the terminal. */
export function opcaoDe(campo: Campo): string {
  return campo.replaceAll(/[A-Z]/g, (letra) => `-${letra.toLowerCase()}`);
}

/** What is missing of a PIX recipient, all of which must be there for it to be one; nothing where nothing is there. */
export function pixIncompleto(conta: Readonly<Record<string, Valor>>): CampoDigitado[] {
  const partes = ['pixChave', 'pixNome', 'pixCidade'] as const;
  const faltam = partes.filter((campo) => (conta[LEITURAS[campo].coluna] ?? null) === null);
  return faltam.length === partes.length ? [] : faltam;
}

function de<T extends Tabela>(tabela: T, coluna: string): { readonly tabela: T; readonly coluna: string } {
  return { tabela, coluna };
}

const SIM_OU_NAO: ReadonlyMap<string, number> = new Map([
  ['sim', 1],
  ['nao', 0],
  ['não', 0],
]);

/** `2`, `2,00` and `2.00` are `2.00`, without floating point. */
function lerPercentual(limpo: string, maximo: number): string | null {
  const [, inteiros = '', casas = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(limpo) ?? [];
  if (inteiros === '') return null;
  const centesimos = Number(inteiros + casas.padEnd(2, '0'));
  return centesimos <= maximo ? escreverDinheiro(centavos(centesimos)) : null;
}

/** Pages put `https://` before it. */
function lerSite(limpo: string): string | null {
  const [, host = '', caminho = ''] = /^(?:https?:\/\/)?([^/]+)((?:\/[\w.~!$&'()*+,;=:@%-]*)*)$/i.exec(limpo) ?? [];
  const site = host.toLowerCase() + caminho.replace(/\/+$/, '');
  return hostValido(host.toLowerCase()) && site.length <= 253 ? site : null;
}
