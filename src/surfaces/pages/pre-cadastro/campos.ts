/** The fields of the form, in their order on the page, and what the page calls each. */
export const ROTULOS = {
  nome: 'Nome completo ou razão social',
  documento: 'CPF ou CNPJ',
  nascimento: 'Data de nascimento',
  telefone: 'Telefone com DDD',
  telefone2: 'Outro telefone',
  email: 'E-mail',
  cep: 'CEP',
  logradouro: 'Rua ou avenida',
  numero: 'Número',
  complemento: 'Complemento',
  bairro: 'Bairro',
  cidade: 'Cidade',
  uf: 'Estado',
  plano: 'Plano',
  vencimento: 'Dia de vencimento',
  consentimento: 'Uso dos seus dados',
} as const;

export type Campo = keyof typeof ROTULOS;

export const CAMPOS = Object.keys(ROTULOS) as readonly Campo[];

/** The most characters that the columns hold. */
export const TAMANHOS = {
  nome: 160,
  email: 254,
  logradouro: 160,
  numero: 20,
  complemento: 80,
  bairro: 80,
  cidade: 80,
} as const;

/** Due days to choose from: those that every month has. */
export const DIAS_DE_VENCIMENTO: readonly number[] = Array.from({ length: 28 }, (_, i) => i + 1);

/** Filled by robots alone. */
export const CAMPO_DE_ROBOS = 'pagina_pessoal';
export const CAMPO_DA_MARCA = 'marca';
/** What a ticked consent sends. */
export const SIM = 'sim';

/** Each field as it was typed. */
export type Digitado = Readonly<Record<Campo, string>>;

export function lerDigitado(enviados: ReadonlyMap<string, string>): Digitado {
  return Object.fromEntries(CAMPOS.map((campo) => [campo, enviados.get(campo) ?? ''])) as Digitado;
}

export const NADA_DIGITADO = lerDigitado(new Map());
