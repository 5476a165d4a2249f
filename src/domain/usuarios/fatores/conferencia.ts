import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Write } from '../../escrita.ts';
import { abrirDesafio } from './desafio.ts';
import type { Fim } from './desafio.ts';
import { gastarCodigo, lerFatores } from './fatores.queries.ts';
import type { FatorRow } from './fatores.queries.ts';
import { conferirUso, credencialDe } from './passkeys.ts';
import type { Lugar, RespostaDePasskey } from './passkeys.ts';
import { abrirSegredo, passoDoCodigo } from './totp.ts';

/** What somebody shows as a second factor: six digits, a recovery code, or what his passkey answered. */
export type SegundoFator = { readonly codigo: string } | { readonly passkey: RespostaDePasskey; readonly lugar: Lugar };

export type PorOnde = 'totp' | 'passkey' | 'codigo';

/** Judges a second factor and uses it up; null where it does not hold. */
export async function conferirFator(
  w: Write,
  segredos: Secrets,
  usuarioId: number,
  dado: SegundoFator,
  fim: Fim,
  agora: Date,
): Promise<PorOnde | null> {
  const fatores = (await lerFatores(w, usuarioId, true)).filter(({ confirmado_em }) => confirmado_em !== null);
  if ('passkey' in dado) {
    const credencial = credencialDe(dado.passkey.resposta);
    const fator = fatores.find((um) => um.credencial === credencial && credencial !== null);
    return fator !== undefined && (await usarPasskey(w, segredos, fator, dado, fim, agora)) ? 'passkey' : null;
  }
  for (const { id, segredo, ultimo_passo } of fatores) {
    if (segredo === null) continue;
    const passo = await passoDoCodigo(
      abrirSegredo(segredos, w.provedorId, usuarioId, segredo),
      dado.codigo,
      agora,
      ultimo_passo,
    );
    if (passo === null) continue;
    await w.update('usuarios_fatores', (query) => void query.where({ id }), { ultimo_passo: passo });
    return 'totp';
  }
  return (await gastarCodigo(w, usuarioId, dado.codigo, agora)) ? 'codigo' : null;
}

/** The same of one passkey, whose row is locked. */
export async function usarPasskey(
  w: Write,
  segredos: Secrets,
  fator: FatorRow,
  { passkey, lugar }: Extract<SegundoFator, { passkey: unknown }>,
  fim: Fim,
  agora: Date,
): Promise<boolean> {
  const desafio = abrirDesafio(segredos, w.provedorId, fim, passkey.desafio, agora);
  const contador = desafio === null ? null : await conferirUso(lugar, desafio, fator, passkey.resposta);
  if (desafio === null || contador === null) return false;
  await w.update('usuarios_fatores', (query) => void query.where({ id: fator.id }), {
    contador,
    ultimo_passo: desafio.emitidoEm,
  });
  return true;
}
