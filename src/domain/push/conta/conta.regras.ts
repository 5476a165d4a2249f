import { createPrivateKey } from 'node:crypto';
import { bem, exigido, mal } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { ouNulo } from '../../campos/leitores.ts';

/** What is kept of a service account of Google's: what an assertion is made of, and where messages go. */
export interface ContaFcm {
  readonly projeto: string;
  readonly email: string;
  /** Name of the key, which the assertion says. */
  readonly chaveId: string;
  /** PKCS#8 in PEM. */
  readonly chave: string;
}

/** What anybody may know of a provider's account. */
export interface ContaDita {
  readonly projeto: string;
  readonly desde: Date;
}

/** What a form was read with; see `versaoDe`. */
export const lidosDaConta = (conta: ContaDita | null) => ({
  projeto: conta?.projeto ?? null,
  desde: conta?.desde.toISOString() ?? null,
});

const MAIOR_TEXTO = 6000;
/** Also those of a domain, such as `exemplo.com.br:app`. */
const PROJETO = /^(?:[a-z0-9.-]{1,30}:)?[a-z][a-z0-9-]{3,28}[a-z0-9]$/;
const EMAIL = /^[^\s@]{1,100}@[a-z0-9.-]{1,100}\.gserviceaccount\.com$/;
const CHAVE_ID = /^[0-9a-f]{8,64}$/;

/** The file that Google's console gives, as it was pasted. Its addresses are not read: Google's own are the only ones that are called. */
const conta: Leitor<ContaFcm> = (valor) => {
  const errada = mal('deve ser o arquivo JSON de uma conta de serviço do Google, inteiro');
  if (typeof valor !== 'string' || valor.length > MAIOR_TEXTO) return errada;
  const dito = objeto(valor);
  if (dito === null || dito['type'] !== 'service_account') return errada;
  const projeto = texto(dito['project_id']);
  const email = texto(dito['client_email']);
  const chaveId = texto(dito['private_key_id']);
  if (!PROJETO.test(projeto) || !EMAIL.test(email) || !CHAVE_ID.test(chaveId)) return errada;
  const chave = chaveRsa(texto(dito['private_key']));
  return chave === null ? mal('a chave privada da conta não é uma chave RSA') : bem({ projeto, email, chaveId, chave });
};

/** Null, or nothing, takes the account away. */
export const CAMPOS_DA_CONTA = { conta: exigido(ouNulo(conta)) } as const;

const texto = (valor: unknown): string => (typeof valor === 'string' ? valor : '');

function objeto(escrito: string): Readonly<Record<string, unknown>> | null {
  try {
    const lido: unknown = JSON.parse(escrito);
    return typeof lido === 'object' && lido !== null ? (lido as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function chaveRsa(pem: string): string | null {
  try {
    const chave = createPrivateKey(pem);
    return chave.asymmetricKeyType === 'rsa' ? chave.export({ type: 'pkcs8', format: 'pem' }).toString() : null;
  } catch {
    return null;
  }
}
