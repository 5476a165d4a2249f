import { DAS_PRIMEIRAS, julgarSenha } from './senha.regras.ts';
import type { DeQuem, TipoDeSenha } from './senha.regras.ts';

/** Of a list of leaked passwords, by how common they are, as many as nobody may choose. */
const COMUNS = 40_000;

/** Longer ones are refused before anything is calculated of them. */
export const MAIOR_SENHA_DIGITADA = 512;

let lidas: Promise<ReadonlySet<string>> | undefined;

/** Read at the first use: processes in which nobody chooses a password do without these megabytes. */
async function comuns(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, COMUNS));
}

/** Why nobody may choose a password, in words that follow the field's name; null where it is good. */
export async function porQueEFraca(senha: string, deQuem: DeQuem, tipo: TipoDeSenha): Promise<string | null> {
  if (senha.length > MAIOR_SENHA_DIGITADA) return 'é longa demais';
  const motivo = julgarSenha(senha, deQuem, tipo);
  if (motivo !== null) return motivo;
  lidas ??= comuns();
  return (await lidas).has(senha.toLowerCase()) ? DAS_PRIMEIRAS : null;
}
