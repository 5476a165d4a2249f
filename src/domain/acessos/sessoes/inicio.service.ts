import type { Procedencia } from '../../actor.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { countedNetwork } from '../../../platform/ip.ts';
import type { Write } from '../../escrita.ts';
import { encerrarSessoesDoApp } from './encerramento.service.ts';
import { MAIOR_APARELHO, MAIS_SESSOES, limiteDaSessao, validades } from './sessoes.regras.ts';
import type { Dono, TokensEmitidos } from './sessoes.types.ts';
import { sortearTokens } from './token.regras.ts';
import { createTokensQueries, gerarNonce } from './tokens.queries.ts';

const DA_ABERTA = columns<{ id: number }>('app_sessoes', { id: true });

/** Where somebody signs in from. */
export interface DeOnde extends Procedencia {
  /** What the app says of its device, for the list of sessions. */
  readonly aparelho: string | null;
}

/** Begins a session of the app. A subscriber's oldest ends where he has too many; the caller holds the lock of his access. */
export async function iniciarSessao(
  w: Write,
  dono: Dono,
  { ip, aparelho }: DeOnde,
  agora: Date,
): Promise<Omit<TokensEmitidos, 'trocarSenha'>> {
  const tipo = 'acessoId' in dono ? 'assinante' : 'equipe';
  const limiteEm = limiteDaSessao(tipo, agora);
  const validade = validades(tipo, limiteEm, agora);
  const sessaoId = await w.insert('app_sessoes', {
    acesso_id: 'acessoId' in dono ? dono.acessoId : null,
    usuario_id: 'usuarioId' in dono ? dono.usuarioId : null,
    aparelho: aparelho === null ? null : Array.from(aparelho).slice(0, MAIOR_APARELHO).join(''),
    rede: countedNetwork(ip),
    criada_em: toDatabaseTime(agora),
    limite_em: toDatabaseTime(limiteEm),
    usada_em: toDatabaseTime(agora).slice(0, 10),
    vale_ate: toDatabaseTime(validade.refreshAte),
  });
  const par = sortearTokens(w.provedorId, sessaoId);
  await createTokensQueries(w).inserir(sessaoId, par, {
    geracao: 1,
    nonce: gerarNonce(),
    criadoEm: agora,
    ...validade,
  });
  if ('acessoId' in dono) await encerrarExcedentes(w, dono.acessoId, agora);
  return { sessaoId, ...par, ...validade };
}

async function encerrarExcedentes(w: Write, acessoId: number, agora: Date): Promise<void> {
  const abertas = w
    .from('app_sessoes')
    .where('acesso_id', acessoId)
    .whereNull('encerrada_em')
    .where('vale_ate', '>', toDatabaseTime(agora));
  const excedentes = (await rowsOf(abertas.orderBy('id', 'desc'), DA_ABERTA)).slice(MAIS_SESSOES);
  let sessoes = 0;
  for (const { id } of excedentes) {
    sessoes += await encerrarSessoesDoApp(w, { acessoIds: [acessoId], so: id }, 'excesso', agora);
  }
  if (sessoes > 0) w.emit('sessao.encerrada', null, { usuario_id: null, acesso: acessoId, sessoes });
}
