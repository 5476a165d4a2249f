import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Desafio } from './desafio.ts';
import type { FatorRow } from './fatores.queries.ts';

/** Where a passkey is used: `host` without a port, `origem` as the browser says it. */
export interface Lugar {
  readonly host: string;
  readonly origem: string;
}

/** What a browser is asked, and the text that has to come back with its answer. */
interface PedidoDePasskey<Opcoes> {
  readonly opcoes: Opcoes;
  readonly desafio: string;
}
export type PedidoDeCadastro = PedidoDePasskey<PublicKeyCredentialCreationOptionsJSON>;
export type PedidoDeUso = PedidoDePasskey<PublicKeyCredentialRequestOptionsJSON>;

/** What a browser answers. It is what somebody sent, and judged by the package. */
export interface RespostaDePasskey {
  readonly desafio: string;
  readonly resposta: unknown;
}

interface Dono {
  readonly id: number;
  readonly nome: string;
  readonly email: string;
}

/** Loaded at its first use: few sign in with a passkey in a day, and with what it brings it holds some 9 MB. */
const biblioteca = async () => import('@simplewebauthn/server');

const bytes = (texto: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(texto, 'base64url'));

export async function opcoesDeCadastro(
  { host }: Lugar,
  provedor: { readonly id: number; readonly nome: string },
  dono: Dono,
  fatores: readonly FatorRow[],
  { desafio }: Desafio,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await biblioteca();
  return generateRegistrationOptions({
    rpName: provedor.nome,
    rpID: host,
    userID: Uint8Array.from(Buffer.from(`${provedor.id}:${dono.id}`)),
    userName: dono.email,
    userDisplayName: dono.nome,
    challenge: bytes(desafio),
    attestationType: 'none',
    excludeCredentials: fatores.flatMap(({ credencial }) => (credencial === null ? [] : [{ id: credencial }])),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
}

export async function opcoesDeUso(
  { host }: Lugar,
  fatores: readonly FatorRow[],
  { desafio }: Desafio,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await biblioteca();
  return generateAuthenticationOptions({
    rpID: host,
    challenge: bytes(desafio),
    userVerification: 'required',
    allowCredentials: fatores.flatMap(({ credencial }) => (credencial === null ? [] : [{ id: credencial }])),
  });
}

/** The id of the credential that an answer is of; null where it is no answer. */
export function credencialDe(resposta: unknown): string | null {
  if (typeof resposta !== 'object' || resposta === null || !('id' in resposta)) return null;
  return typeof resposta.id === 'string' && resposta.id.length <= 1400 ? resposta.id : null;
}

/** A new credential; null where the answer does not hold. */
export async function conferirCadastro(lugar: Lugar, { desafio }: Desafio, resposta: unknown) {
  const { verifyRegistrationResponse } = await biblioteca();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: resposta as RegistrationResponseJSON,
      expectedChallenge: desafio,
      expectedOrigin: lugar.origem,
      expectedRPID: lugar.host,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credencial: id, chavePublica: Buffer.from(publicKey), contador: counter };
  } catch {
    return null;
  }
}

/** The counter of a credential after this use; null where the answer does not hold, or its challenge was answered. */
export async function conferirUso(
  lugar: Lugar,
  { desafio, emitidoEm }: Desafio,
  fator: FatorRow,
  resposta: unknown,
): Promise<number | null> {
  if (fator.credencial === null || fator.chave_publica === null || emitidoEm <= fator.ultimo_passo) return null;
  const { verifyAuthenticationResponse } = await biblioteca();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: resposta as AuthenticationResponseJSON,
      expectedChallenge: desafio,
      expectedOrigin: lugar.origem,
      expectedRPID: lugar.host,
      requireUserVerification: true,
      credential: {
        id: fator.credencial,
        publicKey: Uint8Array.from(fator.chave_publica),
        counter: fator.contador,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
