import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { Write } from '../../escrita.ts';
import { lidosDaConta } from './conta.regras.ts';
import type { ContaDita, ContaFcm } from './conta.regras.ts';

interface DitaRow {
  fcm_projeto: string | null;
  fcm_em: string | null;
}

const DITA = columns<DitaRow>('provedores', { fcm_projeto: true, fcm_em: true });
const CIFRADA = columns<{ fcm_conta: Buffer | null }>('provedores', { fcm_conta: true });

const lugar = (provedorId: number) => ({ tenant: provedorId, table: 'provedores', column: 'fcm_conta' });

export async function lerContaDita(db: Db, provedorId: number): Promise<ContaDita | null> {
  const [row] = await rowsOf(db('provedores').where('id', provedorId), DITA);
  return row === undefined ? null : paraDita(row);
}

const paraDita = ({ fcm_projeto: projeto, fcm_em: em }: DitaRow): ContaDita | null =>
  projeto === null || em === null ? null : { projeto, desde: fromDatabaseTime(em) };

/** The account itself, to send by. @throws SecretUnreadable */
export async function abrirConta(db: Db, segredos: Secrets, provedorId: number): Promise<ContaFcm | null> {
  const [row] = await rowsOf(db('provedores').where('id', provedorId), CIFRADA);
  const cifrada = row?.fcm_conta ?? null;
  if (cifrada === null) return null;
  // It was written below, and nowhere else.
  return JSON.parse(segredos.open(lugar(provedorId), cifrada).toString()) as ContaFcm;
}

/**
 * Writes the account of the provider that is written, or that it has none.
 *
 * @returns whether there was or is one
 * @throws Recusa `versao_divergente`
 */
export async function gravarConta(
  w: Write,
  segredos: Secrets,
  conta: ContaFcm | null,
  agora: Date,
  versao?: string,
): Promise<boolean> {
  const deste = () => w.tenant.db('provedores').where('id', w.provedorId);
  const [row] = await rowsOf(deste().forUpdate(), DITA);
  const antes = row === undefined ? null : paraDita(row);
  conferirLidos(versao, lidosDaConta(antes));
  if (conta === null && antes === null) return false;
  await deste().update(
    conta === null
      ? { fcm_projeto: null, fcm_conta: null, fcm_em: null }
      : {
          fcm_projeto: conta.projeto,
          fcm_conta: segredos.seal(lugar(w.provedorId), Buffer.from(JSON.stringify(conta))),
          fcm_em: toDatabaseTime(agora),
        },
  );
  return true;
}
