import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Correio } from '../../../platform/mail/mail.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { atorDoUsuario, atorDoVisitante } from '../../actor.ts';
import type { Procedencia } from '../../actor.ts';
import { lerCampos, opcional } from '../../campos/campos.ts';
import { texto } from '../../campos/leitores.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { esquecerNavegadores } from '../../push/dispositivos/fim.service.ts';
import { anularLinks, fazerLink, lerLink } from '../convites/links.ts';
import type { TipoDeLink } from '../convites/links.ts';
import { textoDaSenha } from '../convites/mensagens.ts';
import { gerarSessao, lerSessao } from '../sessoes/sessao.ts';
import { encerrarSessoes, mudarSessao } from '../sessoes/sessoes.queries.ts';
import { estadoDaSessao } from '../sessoes/sessoes.regras.ts';
import type { SessaoDoPainel } from '../sessoes/sessoes.types.ts';
import { lerUsuario, travarUsuario } from '../usuarios.queries.ts';
import type { UsuarioComPerfil } from '../usuarios.queries.ts';
import type { Resumos } from './resumos.service.ts';
import { MAIOR_SENHA_DIGITADA, porQueEFraca } from './julgamento.service.ts';

export interface SenhasDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly resumos: Resumos;
  readonly correio: Correio;
  /** Hears why a link that somebody asked for was not made. */
  readonly logger: { readonly error: (detalhe: object, dito: string) => void };
}

type Casa = Pick<Provedor, 'id' | 'nome' | 'panelHost'>;

const FORMA_DO_ACEITE = { nome: opcional(texto(1, 120)) };
/** How passwords come to be: by the link of an invite, by that of a forgotten one, and by changing one's own. */
export function createSenhasService({ db, relogio, write, resumos, correio, logger }: SenhasDeps) {
  /** @returns the hash. @throws CamposInvalidos of `senha`, or Recusa `senha_repetida`, `ocupado` */
  async function julgar(senha: unknown, usuario: UsuarioComPerfil, provedor: Casa): Promise<string> {
    if (typeof senha !== 'string') faltaEm('senha', 'deve ser um texto');
    const deQuem = { nome: usuario.nome, email: usuario.email, provedor: provedor.nome };
    const motivo = await porQueEFraca(senha, deQuem, 'equipe');
    if (motivo !== null) faltaEm('senha', motivo);
    if (usuario.senhaHash !== null && (await resumos.confere(usuario.senhaHash, senha))) {
      throw new Recusa('senha_repetida', { campo: 'senha' });
    }
    return resumos.fazer(senha);
  }

  return {
    /** Whose a link is, for its page; null where it holds no more. */
    async abrirLink(
      provedorId: number,
      token: string,
    ): Promise<{ readonly tipo: TipoDeLink; readonly nome: string; readonly email: string } | null> {
      const tenant = createTenantDb(db, provedorId);
      const link = await lerLink(tenant, token, relogio.agora());
      const usuario = link === null ? null : await lerUsuario(tenant, { id: link.usuarioId });
      if (link === null || usuario?.ativo !== true) return null;
      return { tipo: link.tipo, nome: usuario.nome, email: usuario.email };
    },

    /**
     * Sets the password that a link is for, and uses it up. Every session of the user ends. He signs in afterwards, like anybody.
     *
     * @throws CamposInvalidos, or Recusa `link_invalido`, `senha_repetida`, `ocupado`
     */
    async aceitar(
      provedor: Casa,
      token: string,
      { senha, ...dados }: { readonly senha: unknown; readonly nome?: unknown },
      de: Procedencia,
    ): Promise<{ readonly usuarioId: number }> {
      const { nome } = lerCampos(FORMA_DO_ACEITE, dados);
      const tenant = createTenantDb(db, provedor.id);
      const link = await lerLink(tenant, token, relogio.agora());
      const usuario = link === null ? null : await lerUsuario(tenant, { id: link.usuarioId });
      if (link === null || usuario?.ativo !== true) throw new Recusa('link_invalido');
      const resumo = await julgar(senha, nome === undefined ? usuario : { ...usuario, nome }, provedor);
      await write(
        atorDoUsuario(usuario, de),
        provedor.id,
        async (w) => {
          const agora = relogio.agora();
          // First the user, then his link, as whoever makes one does.
          const atual = await travarUsuario(w, usuario.id);
          recusarSeNao(atual.ativo && (await lerLink(w, token, agora, true)) !== null, 'link_invalido');
          const mudaNome = link.tipo === 'convite' && nome !== undefined;
          await w.update('usuarios', (query) => void query.where({ id: usuario.id }), {
            senha_hash: resumo,
            senha_em: toDatabaseTime(agora),
            ...(mudaNome ? { nome } : {}),
          });
          await anularLinks(w, usuario.id, agora);
          await encerrarSessoes(w, [usuario.id], agora);
          await esquecerNavegadores(w, usuario.id);
          w.emit(atual.senhaHash === null ? 'usuario.criado' : 'usuario.senha_trocada', usuario.id);
        },
        { tags: [`usuario:${usuario.id}`], failClosed: true },
      );
      return { usuarioId: usuario.id };
    },

    /**
     * Sends a link for a new password, where the address is a user's. Says nothing of that: neither by an answer nor, because nothing is
     * waited for, by its time.
     *
     * @param volta the page below `/painel` that he wanted, to which the link brings him in the end; empty for none
     */
    esqueci(provedor: Casa, email: string, de: Procedencia, volta = ''): void {
      const pedir = async (): Promise<void> => {
        const usuario = await lerUsuario(createTenantDb(db, provedor.id), { email: email.trim().toLowerCase() });
        if (usuario?.ativo !== true || usuario.senhaHash === null) return;
        const link = await write(atorDoVisitante(de), provedor.id, async (w) => {
          const atual = await travarUsuario(w, usuario.id);
          if (!atual.ativo) return null;
          w.emit('usuario.senha_pedida', usuario.id);
          return fazerLink(w, provedor.panelHost, usuario.id, 'senha', relogio.agora());
        });
        if (link === null) return;
        const url = volta === '' ? link.url : `${link.url}?${new URLSearchParams({ volta }).toString()}`;
        await correio.enviar({ para: usuario.email, ...textoDaSenha(provedor, usuario, { ...link, url }) });
      };
      // Whoever asked hears nothing of it, and can ask again.
      if (email.length <= MAIOR_SENHA_DIGITADA)
        pedir().catch((error: unknown) =>
          logger.error({ provedorId: provedor.id, err: error }, 'link de senha não feito'),
        );
    },

    /**
     * Changes one's own password. All other sessions end, and this one has another text.
     *
     * @returns the new text
     * @throws CamposInvalidos, or Recusa `prova_incorreta`, `senha_repetida`, `sessao_encerrada`, `ocupado`
     */
    async trocar(
      registro: SessaoDoPainel,
      { atual, nova }: { readonly atual: string; readonly nova: unknown },
      de: Procedencia,
    ): Promise<{ readonly texto: string }> {
      const { usuario: quem, provedor, sessao } = registro;
      recusarSeNao(estadoDaSessao(registro, relogio.agora()) === 'pronta', 'sessao_encerrada');
      const usuario = await lerUsuario(createTenantDb(db, provedor.id), { id: quem.id });
      recusarSeNao(usuario, 'nao_encontrado');
      const legivel = atual.length <= MAIOR_SENHA_DIGITADA ? atual : '';
      recusarSeNao(await resumos.confere(usuario.senhaHash, legivel), 'prova_incorreta', { campo: 'atual' });
      const resumo = await julgar(nova, usuario, provedor);
      const novo = gerarSessao(provedor.id);
      const hash = lerSessao(novo)?.hash ?? '';
      await write(
        atorDoUsuario(quem, de),
        provedor.id,
        async (w) => {
          const agora = relogio.agora();
          const travado = await travarUsuario(w, quem.id);
          recusarSeNao(travado.ativo && travado.senhaHash === usuario.senhaHash, 'prova_incorreta', { campo: 'atual' });
          await w.update('usuarios', (query) => void query.where({ id: quem.id }), {
            senha_hash: resumo,
            senha_em: toDatabaseTime(agora),
          });
          await anularLinks(w, quem.id, agora);
          await encerrarSessoes(w, [quem.id], agora, { menos: sessao.id });
          await esquecerNavegadores(w, quem.id);
          recusarSeNao(await mudarSessao(w, sessao, { hash, provadaEm: agora }), 'sessao_encerrada');
          w.emit('usuario.senha_trocada', quem.id);
        },
        { tags: [`usuario:${quem.id}`], failClosed: true },
      );
      return { texto: novo };
    },
  };
}

export type SenhasService = ReturnType<typeof createSenhasService>;
