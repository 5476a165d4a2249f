import type { Formato, Mapa, Tipo } from '../importacoes.types.ts';

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
    'mac',
    'ip',
    'ipv6_prefixo',
    'ativado_em',
    'desbloqueio_ate',
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

/** Of a field, the columns that may give it, in the order in which they are preferred. */
type Fontes = Readonly<Record<string, readonly string[]>>;

const iguais = (campos: readonly string[]): Fontes => Object.fromEntries(campos.map((campo) => [campo, [campo]]));

const NOSSAS: Readonly<Record<Tipo, Fontes>> = {
  planos: iguais(CAMPOS.planos),
  clientes: {
    ...iguais(CAMPOS.clientes),
    telefones: ['telefones', 'telefone', 'telefone1', 'telefone2', 'telefone3', 'telefone4', 'telefone5'],
  },
  faturas: iguais(CAMPOS.faturas),
};

/** Columns of each system, as `panel.md` (section 6) lists them, with other names under which the same is exported. */
const DELES: Readonly<Record<Exclude<Formato, 'malha'>, Readonly<Record<Tipo, Fontes>>>> = {
  ixc: {
    planos: {
      codigo: ['id'],
      nome: ['nome', 'contrato', 'plano'],
      download_mbps: ['download', 'velocidade_download'],
      upload_mbps: ['upload', 'velocidade_upload'],
      valor: ['valor_contrato', 'valor'],
    },
    clientes: {
      codigo: ['id_contrato', 'contrato_id', 'id_cliente_contrato', 'id'],
      codigo_cliente: ['id_cliente', 'cliente_id'],
      nome: ['razao', 'razao_social'],
      nome_fantasia: ['fantasia'],
      cpf_cnpj: ['cnpj_cpf'],
      data_nascimento: ['data_nascimento'],
      email: ['email'],
      telefones: ['telefone_celular', 'whatsapp', 'fone', 'telefone_comercial'],
      cep: ['cep'],
      logradouro: ['endereco'],
      numero: ['numero'],
      complemento: ['complemento'],
      bairro: ['bairro'],
      cidade: ['cidade'],
      uf: ['uf'],
      plano: ['contrato', 'plano'],
      valor: ['valor_contrato', 'valor'],
      dia_vencimento: ['dia_fixo_vencimento', 'dia_vencimento'],
      situacao: ['status', 'status_contrato'],
      situacao_internet: ['status_internet'],
      login: ['login'],
      senha: ['senha'],
      mac: ['mac'],
      ip: ['ip'],
      ativado_em: ['data_ativacao'],
      desbloqueio_ate: ['desbloqueio_ate'],
    },
    faturas: {
      codigo: ['id'],
      codigo_contrato: ['id_contrato'],
      codigo_cliente: ['id_cliente'],
      descricao: ['obs', 'documento'],
      valor: ['valor'],
      vencimento: ['data_vencimento'],
      emitida_em: ['data_emissao'],
      situacao: ['status'],
      valor_pago: ['valor_recebido', 'pagamento_valor'],
      pago_em: ['pagamento_data', 'data_pagamento', 'baixa_data'],
    },
  },
  mkauth: {
    planos: {
      codigo: ['id'],
      nome: ['nome', 'plano'],
      download_mbps: ['veldown', 'download'],
      upload_mbps: ['velup', 'upload'],
      valor: ['valor'],
    },
    clientes: {
      codigo: ['id'],
      nome: ['nome'],
      cpf_cnpj: ['cpf_cnpj'],
      data_nascimento: ['nascimento'],
      email: ['email'],
      telefones: ['celular', 'celular2', 'fone'],
      cep: ['cep'],
      logradouro: ['endereco'],
      numero: ['numero'],
      complemento: ['complemento'],
      bairro: ['bairro'],
      cidade: ['cidade'],
      uf: ['estado'],
      instalacao_cep: ['cep_res'],
      instalacao_logradouro: ['endereco_res'],
      instalacao_numero: ['numero_res'],
      instalacao_complemento: ['complemento_res'],
      instalacao_bairro: ['bairro_res'],
      instalacao_cidade: ['cidade_res'],
      instalacao_uf: ['estado_res'],
      plano: ['plano'],
      valor: ['valor'],
      dia_vencimento: ['venc'],
      situacao: ['cli_ativado'],
      bloqueado: ['bloqueado'],
      isento: ['isento'],
      observacao: ['observacao'],
      login: ['login'],
      senha: ['senha'],
      mac: ['mac'],
      ip: ['ip'],
      desbloqueio_ate: ['desbloqueio_ate'],
    },
    faturas: {
      codigo: ['id'],
      login: ['login'],
      descricao: ['obs'],
      valor: ['valor'],
      vencimento: ['datavenc'],
      emitida_em: ['processamento'],
      situacao: ['status'],
      valor_pago: ['valorpag'],
      pago_em: ['datapag'],
    },
  },
  sgp: {
    planos: {
      codigo: ['id'],
      nome: ['plano', 'nome'],
      download_mbps: ['download'],
      upload_mbps: ['upload'],
      valor: ['preco', 'valor'],
    },
    clientes: {
      codigo: ['contrato', 'contrato_id', 'id_contrato', 'id'],
      codigo_cliente: ['cliente_id', 'id_cliente'],
      nome: ['nome'],
      nome_fantasia: ['nomefantasia'],
      cpf_cnpj: ['cpfcnpj'],
      data_nascimento: ['datanasc'],
      email: ['email'],
      telefones: ['celular', 'telefone', 'fone', 'contatos'],
      cep: ['cep'],
      logradouro: ['logradouro'],
      numero: ['numero'],
      complemento: ['complemento'],
      bairro: ['bairro'],
      cidade: ['cidade'],
      uf: ['uf'],
      plano: ['plano'],
      valor: ['valor'],
      dia_vencimento: ['vencimento'],
      situacao: ['status', 'situacao'],
      login: ['login'],
      senha: ['senha'],
      mac: ['mac'],
      ip: ['ip'],
      desbloqueio_ate: ['desbloqueio_ate'],
    },
    faturas: {
      codigo: ['titulo', 'fatura', 'id'],
      codigo_contrato: ['contrato', 'contrato_id', 'id_contrato'],
      codigo_cliente: ['cliente_id', 'id_cliente'],
      cpf_cnpj: ['cpfcnpj'],
      descricao: ['demonstrativo', 'descricao'],
      valor: ['valor'],
      vencimento: ['data_vencimento', 'vencimento'],
      emitida_em: ['data_emissao', 'emissao'],
      situacao: ['status', 'situacao'],
      valor_pago: ['valor_pago', 'valorpago'],
      pago_em: ['data_pagamento', 'datapagamento'],
    },
  },
};

/** Columns that only one system has: they tell its export from those that share most of their names with it. */
const PROPRIAS: readonly (readonly [Formato, Tipo, RegExp])[] = [
  ['ixc', 'clientes', /^(?:razao|cnpj_cpf|dia_fixo_vencimento|status_internet)$/],
  ['ixc', 'faturas', /^(?:data_vencimento|pagamento_data|valor_recebido|filial_id)$/],
  ['mkauth', 'clientes', /^(?:cli_ativado|venc|endereco_res)$/],
  ['mkauth', 'faturas', /^(?:datavenc|datapag|valorpag)$/],
  ['sgp', 'clientes', /^(?:cpfcnpj|nomefantasia|datanasc)$/],
  ['sgp', 'faturas', /^(?:cpfcnpj|titulo|demonstrativo)$/],
];

export const fontesDe = (formato: Formato, tipo: Tipo): Fontes =>
  formato === 'malha' ? NOSSAS[tipo] : DELES[formato][tipo];

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
