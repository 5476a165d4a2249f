import type { EntradaNoApp } from '../../../domain/acessos/entrada/entrada.service.ts';
import { lerDocumento } from '../../../domain/acessos/entrada/entrada.service.ts';
import type { TokensEmitidos } from '../../../domain/acessos/sessoes/sessoes.types.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { faltasDe } from '../entrada.ts';

export const GRUPO = 'Autenticação';

/** Judged by `julgarDocumento`, which says why it is none. */
export const cpfCnpj = {
  type: 'string',
  minLength: 1,
  maxLength: 40,
  description: 'CPF ou CNPJ, com ou sem pontuação.',
  examples: ['529.982.247-25'],
} as const;

/** Not trimmed, and not measured beyond what may be typed: whether it is good enough to be chosen, the domain says. */
export const senhaNoCorpo = {
  type: 'string',
  format: 'password',
  minLength: 1,
  maxLength: 128,
  examples: ['jabuti roxo 41'],
} as const;

export const aparelhoNoCorpo = {
  type: 'string',
  minLength: 1,
  maxLength: 80,
  description: 'Nome do aparelho, para a lista de sessões.',
  examples: ['Moto G'],
} as const;

export const codigoNoCorpo = { type: 'string', minLength: 1, maxLength: 40 } as const;

/** What is wrong with the tax id of a body. */
export const julgarDocumento = (corpo: unknown) =>
  faltasDe(() =>
    lerDocumento(typeof corpo === 'object' && corpo !== null && 'cpf_cnpj' in corpo ? corpo.cpf_cnpj : ''),
  );

const segundos = { type: 'integer', minimum: 0 } as const;

const tokens = {
  access_token: { type: 'string', description: 'Vai em Authorization: Bearer <token>.' },
  token_type: { type: 'string', enum: ['Bearer'] },
  expires_in: { ...segundos, description: 'Segundos até que o token de acesso se renove.' },
  refresh_token: { type: 'string', description: 'Serve uma vez, em POST /auth/refresh.' },
  refresh_expires_in: { ...segundos, description: 'Segundos até que se tenha de entrar de novo.' },
  must_change_password: { type: 'boolean', description: 'Se nada se faz antes de PUT /auth/password.' },
  device_token: {
    type: ['string', 'null'],
    description:
      'Envie-o no próximo login deste aparelho: as tentativas de outros não o atrasam. Nulo: vale o de antes.',
  },
} as const;

const userSchema = closed('User', {
  kind: { type: 'string', enum: ['cliente', 'equipe'] },
  id: { type: 'integer', description: 'Do cliente ou do usuário da equipe.' },
  name: { type: 'string' },
});

export const tokensSchema = closed('Tokens', tokens);
export const loginSchema = closed('Login', { ...tokens, user: userSchema });

export const exemploTokens = {
  access_token: 'malha_at_1_0000000000Ab3dE5gH7jK9mN1pQ3sT5vW7yZ0Ab',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: 'malha_rt_1_0000000000Ab3dE5gH7jK9mN1pQ3sT5vW7yZ1Cd',
  refresh_expires_in: 7_776_000,
  must_change_password: false,
  device_token: null,
} as const;

export const exemploLogin = { ...exemploTokens, user: { kind: 'cliente', id: 1042, name: 'Maria de Souza' } } as const;

/** @param agora from when what is left is counted */
export function apresentarTokens(
  dados: TokensEmitidos,
  aparelho: string | null,
  agora: Date,
): TypeOf<typeof tokensSchema> {
  const faltam = (ate: Date): number => Math.max(0, Math.ceil((ate.getTime() - agora.getTime()) / 1000));
  return {
    access_token: dados.access,
    token_type: 'Bearer',
    expires_in: faltam(dados.accessAte),
    refresh_token: dados.refresh,
    refresh_expires_in: faltam(dados.refreshAte),
    must_change_password: dados.trocarSenha,
    device_token: aparelho,
  };
}

/** Staff has no token of its device. */
export function apresentarLogin(
  entrada: Omit<EntradaNoApp, 'aparelhoConhecido'> & Partial<Pick<EntradaNoApp, 'aparelhoConhecido'>>,
  agora: Date,
): TypeOf<typeof loginSchema> {
  const { tipo, id, nome } = entrada.quem;
  return {
    ...apresentarTokens(entrada, entrada.aparelhoConhecido ?? null, agora),
    user: { kind: tipo, id, name: nome },
  };
}

export const encerradasSchema = closed('Ended', {
  ended: { type: 'integer', minimum: 0, description: 'Sessões que estavam abertas e terminaram.' },
});
