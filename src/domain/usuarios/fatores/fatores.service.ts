import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { exigido, lerCampos } from '../../campos/campos.ts';
import { texto } from '../../campos/leitores.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { resumoDoSegredo } from '../../segredo.ts';
import { gerarSessao, lerSessao } from '../sessoes/sessao.ts';
import { encerrarSessoes, mudarSessao } from '../sessoes/sessoes.queries.ts';
import { estadoDaSessao, precisaDeFator, provaPorFatorRecente, provaRecente } from '../sessoes/sessoes.regras.ts';
import type { SessaoDoPainel } from '../sessoes/sessoes.types.ts';
import { abrirDesafio, emitirDesafio } from './desafio.ts';
import { lerFatores, trocarCodigos } from './fatores.queries.ts';
import { conferirCadastro, opcoesDeCadastro } from './passkeys.ts';
import type { Lugar, PedidoDeCadastro, RespostaDePasskey } from './passkeys.ts';
import { abrirSegredo, cifrarSegredo, enderecoTotp, gerarSegredoTotp, passoDoCodigo } from './totp.ts';

export interface FatoresDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly segredos: Secrets;
}

export interface Fator {
  readonly id: number;
  readonly tipo: 'totp' | 'passkey';
  readonly nome: string;
  readonly confirmadoEm: Date;
}

/** A factor that holds from now on. */
export interface FatorConfirmado {
  readonly fatorId: number;
  /** The session's new text: the one before is of no use any more. */
  readonly texto: string;
  /** Recovery codes, with the first factor alone; they are shown once. */
  readonly codigos: readonly string[] | null;
}

const FORMA_DO_NOME = { nome: exigido(texto(1, 60)) };

/** The second factors of who is in a session. */
export function createFatoresService({ db, relogio, write, segredos }: FatoresDeps) {
  /** Who has none yet enrols; who has one proves by it first that it is he. */
  function exigirCadastro(registro: SessaoDoPainel): void {
    const agora = relogio.agora();
    const estado = estadoDaSessao(registro, agora);
    if (estado === 'cadastrar_fator') return;
    recusarSeNao(estado === 'pronta', 'sessao_encerrada');
    const provou = registro.usuario.temFator ? provaPorFatorRecente : provaRecente;
    recusarSeNao(provou(registro.sessao, agora), 'prova_exigida');
  }

  /** A session is another from the moment on at which it has a second factor. */
  async function renovar(w: Write, { sessao, provedor }: SessaoDoPainel): Promise<string> {
    const novo = gerarSessao(provedor.id);
    const agora = relogio.agora();
    const hash = lerSessao(novo)?.hash ?? '';
    recusarSeNao(await mudarSessao(w, sessao, { hash, fatorEm: agora, provadaEm: agora }), 'sessao_encerrada');
    return novo;
  }

  async function confirmado(w: Write, registro: SessaoDoPainel, fatorId: number, tipo: Fator['tipo']) {
    const { usuario } = registro;
    const outros = (await lerFatores(w, usuario.id)).filter((um) => um.confirmado_em !== null && um.id !== fatorId);
    const codigos = outros.length === 0 ? await trocarCodigos(w, usuario.id) : null;
    // What is open elsewhere was opened by the password alone.
    if (outros.length === 0) await encerrarSessoes(w, [usuario.id], relogio.agora(), { menos: registro.sessao.id });
    const feito: FatorConfirmado = { fatorId, texto: await renovar(w, registro), codigos };
    w.emit('usuario.fator_criado', usuario.id, { fator_id: fatorId, tipo });
    return feito;
  }

  return {
    async listar(provedorId: number, usuarioId: number): Promise<Fator[]> {
      const rows = await lerFatores(createTenantDb(db, provedorId), usuarioId);
      return rows.flatMap(({ id, tipo, nome, confirmado_em: em }) =>
        em === null ? [] : [{ id, tipo, nome, confirmadoEm: fromDatabaseTime(em) }],
      );
    },

    /**
     * Begins an authenticator: its secret as text and as the address that a QR code holds. Nothing holds before it is confirmed.
     *
     * @throws CamposInvalidos, or Recusa `sessao_encerrada`, `prova_exigida`
     */
    async iniciarTotp(
      actor: Actor,
      registro: SessaoDoPainel,
      dados: unknown,
    ): Promise<{ fatorId: number; segredo: string; endereco: string }> {
      exigirCadastro(registro);
      const { nome } = lerCampos(FORMA_DO_NOME, dados);
      const { usuario, provedor } = registro;
      const segredo = await gerarSegredoTotp();
      const cifrado = cifrarSegredo(segredos, provedor.id, usuario.id, segredo);
      const fatorId = await write(actor, provedor.id, async (w) => {
        // One that was begun and not confirmed is given up.
        const comecados = { usuario_id: usuario.id, confirmado_em: null };
        await w.delete('usuarios_fatores', (query) => void query.where(comecados));
        return w.insert('usuarios_fatores', { usuario_id: usuario.id, tipo: 'totp', nome, segredo: cifrado });
      });
      return { fatorId, segredo, endereco: await enderecoTotp(provedor.nome, usuario.email, segredo) };
    },

    /** @throws Recusa `codigo_incorreto`, `nao_encontrado`, `sessao_encerrada`, `prova_exigida` */
    async confirmarTotp(
      actor: Actor,
      registro: SessaoDoPainel,
      fatorId: number,
      codigo: string,
    ): Promise<FatorConfirmado> {
      exigirCadastro(registro);
      const { usuario, provedor } = registro;
      return write(actor, provedor.id, async (w) => {
        const fator = (await lerFatores(w, usuario.id, true)).find(({ id }) => id === fatorId);
        const segredo = fator?.segredo ?? null;
        if (segredo === null || fator?.confirmado_em !== null) throw new Recusa('nao_encontrado');
        const agora = relogio.agora();
        const passo = await passoDoCodigo(abrirSegredo(segredos, provedor.id, usuario.id, segredo), codigo, agora, 0);
        recusarSeNao(passo, 'codigo_incorreto', { campo: 'codigo' });
        await w.update('usuarios_fatores', (query) => void query.where({ id: fatorId }), {
          confirmado_em: toDatabaseTime(agora),
          ultimo_passo: passo,
        });
        return confirmado(w, registro, fatorId, 'totp');
      });
    },

    /** Begins a passkey. @throws Recusa `sessao_encerrada`, `prova_exigida` */
    async iniciarPasskey(registro: SessaoDoPainel, lugar: Lugar): Promise<PedidoDeCadastro> {
      exigirCadastro(registro);
      const { usuario, provedor, sessao } = registro;
      const desafio = emitirDesafio(segredos, provedor.id, `cadastrar:${sessao.id}`, relogio.agora());
      const fatores = await lerFatores(createTenantDb(db, provedor.id), usuario.id);
      return {
        opcoes: await opcoesDeCadastro(lugar, provedor, usuario, fatores, desafio),
        desafio: desafio.cifrado,
      };
    },

    /** @throws CamposInvalidos, or Recusa `prova_incorreta`, `sessao_encerrada`, `prova_exigida`; Conflito where it is known already */
    async confirmarPasskey(
      actor: Actor,
      registro: SessaoDoPainel,
      lugar: Lugar,
      { desafio, resposta }: RespostaDePasskey,
      dados: unknown,
    ): Promise<FatorConfirmado> {
      exigirCadastro(registro);
      const { nome } = lerCampos(FORMA_DO_NOME, dados);
      const { usuario, provedor, sessao } = registro;
      const agora = relogio.agora();
      const aberto = abrirDesafio(segredos, provedor.id, `cadastrar:${sessao.id}`, desafio, agora);
      const nova = aberto === null ? null : await conferirCadastro(lugar, aberto, resposta);
      recusarSeNao(nova, 'prova_incorreta');
      return write(actor, provedor.id, async (w) => {
        const fatorId = await w.insert('usuarios_fatores', {
          usuario_id: usuario.id,
          tipo: 'passkey',
          nome,
          credencial: nova.credencial,
          credencial_hash: resumoDoSegredo(nova.credencial),
          chave_publica: nova.chavePublica,
          contador: nova.contador,
          confirmado_em: toDatabaseTime(agora),
        });
        return confirmado(w, registro, fatorId, 'passkey');
      });
    },

    /** New recovery codes in the place of those before. @throws Recusa `sessao_encerrada`, `prova_exigida` */
    async novosCodigos(actor: Actor, registro: SessaoDoPainel): Promise<string[]> {
      exigirCadastro(registro);
      return write(actor, registro.provedor.id, async (w) => {
        const codigos = await trocarCodigos(w, registro.usuario.id);
        w.emit('usuario.fator_redefinido', registro.usuario.id, { fatores: 0 });
        return codigos;
      });
    },

    /** Removes one of one's own, but not the last one where there must be one. @throws Recusa also `nao_encontrado`, `permissao_que_falta` */
    async remover(actor: Actor, registro: SessaoDoPainel, fatorId: number): Promise<void> {
      exigirCadastro(registro);
      const { usuario, provedor, perfil, politica } = registro;
      await write(actor, provedor.id, async (w) => {
        const fatores = (await lerFatores(w, usuario.id, true)).filter(({ confirmado_em: em }) => em !== null);
        recusarSeNao(fatores.some(({ id }) => id === fatorId) ? true : null, 'nao_encontrado');
        const ultimo = fatores.length === 1;
        recusarSeNao(!ultimo || !precisaDeFator(perfil.permissoes, politica), 'permissao_que_falta', {
          dito: 'o perfil pede um segundo fator: cadastre outro antes de remover este',
        });
        await w.delete('usuarios_fatores', (query) => void query.where({ id: fatorId }));
        if (ultimo) await w.delete('usuarios_codigos', (query) => void query.where({ usuario_id: usuario.id }));
        w.emit('usuario.fator_removido', usuario.id, { fator_id: fatorId });
      });
    },
  };
}

export type FatoresService = ReturnType<typeof createFatoresService>;
