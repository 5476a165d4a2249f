export const CONFERIVEIS = ['cpf_cnpj', 'data_nascimento', 'telefone', 'email', 'cep'] as const;
export type Conferivel = (typeof CONFERIVEIS)[number];

/** What somebody says of himself, as it is stored: digits alone, an e-mail address in any case. */
export type Ditos = Readonly<Partial<Record<Conferivel, string>>>;
