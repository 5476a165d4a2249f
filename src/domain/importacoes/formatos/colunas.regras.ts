import type { Formato, Mapa, Tipo } from '../importacoes.types.ts';
import { DELES, PROPRIAS } from './sistemas.regras.ts';
import type { Fontes } from './sistemas.regras.ts';

/** Parts of an address, of the client's own or of the installation's. */
export const DO_ENDERECO = ['cep', 'logradouro', 'numero', 'complemento', 'bairro', 'cidade', 'uf'] as const;

/** What a column may be, by what the lines are. A field that the forms have is read by them. */
export const CAMPOS: Readonly<Record<Tipo, readonly string[]>> = {
  planos: ['codigo', 'nome', 'download_mbps', 'upload_mbps', 'valor', 'tecnologia', 'descricao', 'grupo_radius'],
  clientes: [
    'codigo',
    'codigo_cliente',
    'nome',
    'nome_fantasia',
    'cpf_cnpj',
    'data_nascimento',
    'email',
    'telefones',
    ...DO_ENDERECO,
    ...DO_ENDERECO.map((parte) => `instalacao_${parte}`),
    'plano',
    'valor',
    'dia_vencimento',
    'tipo_cobranca',
    'isento',
    'situacao',
    'situacao_internet',
    'bloqueado',
    'bloqueio_origem',
    'observacao',
    'tipo_conexao',
    'login',
    'senha',
    'senha_app',
    'mac',
    'ip',
    'ipv6_prefixo',
    'ativado_em',
    'desbloqueio_ate',
    'cobrador',
  ],
  faturas: [
    'codigo',
    'codigo_contrato',
    'codigo_cliente',
    'login',
    'cpf_cnpj',
    'descricao',
    'tipo',
    'valor',
    'vencimento',
    'emitida_em',
    'situacao',
    'valor_pago',
    'pago_em',
    'cobrador',
    'linha_digitavel',
    'nosso_numero',
    'pix_txid',
    'pix_copia_cola',
  ],
};

/** Fields that several columns may give. */
export const VARIAS: readonly string[] = ['telefones'];

/** Fields without which no line can be read. */
export const EXIGIDOS: Readonly<Record<Tipo, readonly string[]>> = {
  planos: ['nome', 'download_mbps', 'valor'],
  clientes: ['nome', 'cpf_cnpj', 'dia_vencimento'],
  faturas: ['valor', 'vencimento'],
};

const iguais = (campos: readonly string[]): Fontes => Object.fromEntries(campos.map((campo) => [campo, [campo]]));

const NOSSAS: Readonly<Record<Tipo, Fontes>> = {
  planos: iguais(CAMPOS.planos),
  clientes: {
    // What somebody signs in to the app by is said by people alone.
    ...iguais(CAMPOS.clientes.filter((campo) => campo !== 'senha_app')),
    telefones: ['telefones', 'telefone', 'telefone1', 'telefone2', 'telefone3', 'telefone4', 'telefone5'],
  },
  faturas: iguais(CAMPOS.faturas),
};

const fontesDe = (formato: Formato, tipo: Tipo): Fontes => (formato === 'malha' ? NOSSAS[tipo] : DELES[formato][tipo]);

/** A column's name as names are compared: without accents, case, the table before a dot, or signs. */
export function nomeDeColuna(escrito: string): string {
  return escrito
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replace(/^.*\./, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** Which field each column gives, as the system's columns are known; null for those that are not. */
export function proporColunas(formato: Formato, tipo: Tipo, colunas: readonly string[]): Mapa['colunas'] {
  const proposto = new Map<string, string>();
  for (const [campo, fontes] of Object.entries(fontesDe(formato, tipo))) {
    for (const fonte of fontes) {
      const coluna = colunas.find((uma) => nomeDeColuna(uma) === fonte && !proposto.has(uma));
      if (coluna === undefined) continue;
      proposto.set(coluna, campo);
      if (!VARIAS.includes(campo)) break;
    }
  }
  return Object.fromEntries(colunas.map((coluna) => [coluna, proposto.get(coluna) ?? null]));
}

/** Whether any known system has columns of these names. */
export function temNomesConhecidos(celulas: readonly string[]): boolean {
  return candidatos(celulas).some(({ achadas }) => achadas >= 2);
}

/** Which export it most likely is; null where no known one has what its lines must have. */
export function reconhecerFormato(
  colunas: readonly string[],
  dito: { readonly formato?: Formato; readonly tipo?: Tipo } = {},
): { readonly formato: Formato; readonly tipo: Tipo } | null {
  const melhor = candidatos(colunas)
    .filter(({ formato, tipo }) => (dito.formato ?? formato) === formato && (dito.tipo ?? tipo) === tipo)
    .filter(({ inteiro }) => inteiro)
    .toSorted((a, b) => b.pontos - a.pontos)[0];
  return melhor === undefined ? null : { formato: melhor.formato, tipo: melhor.tipo };
}

function candidatos(colunas: readonly string[]) {
  const formatos = ['malha', ...(Object.keys(DELES) as (keyof typeof DELES)[])] as const;
  return formatos.flatMap((formato) =>
    (['clientes', 'faturas', 'planos'] as const).map((tipo) => {
      const campos = Object.values(proporColunas(formato, tipo, colunas)).filter((campo) => campo !== null);
      const proprias = PROPRIAS.filter(([f, t]) => f === formato && t === tipo).flatMap(([, , nome]) =>
        colunas.filter((coluna) => nome.test(nomeDeColuna(coluna))),
      );
      return {
        formato,
        tipo,
        achadas: campos.length,
        pontos: campos.length + 2 * proprias.length,
        inteiro: EXIGIDOS[tipo].every((campo) => campos.includes(campo)),
      };
    }),
  );
}
