import type { Correio } from '../../platform/mail/mail.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { DuplicateRow } from '../../platform/refusal.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor, ActorDe } from '../actor.ts';
import { exigido, lerAlteracao, lerCampos } from '../campos/campos.ts';
import { conferirLidos } from '../campos/versao.ts';
import type { DaVersao } from '../campos/versao.ts';
import { cpf as umCpf, escolha, email as umEmail, id as umId, ouNulo, simOuNao, texto } from '../campos/leitores.ts';
import { devolverChamadosDe } from '../chamados/equipe/devolucao.service.ts';
import { Recusa, recusarSeNao } from '../erros.ts';
import type { Write, WriteFor } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { esquecerNavegadores } from '../push/dispositivos/fim.service.ts';
import { anularLinks, fazerLink } from './convites/links.ts';
import type { Link } from './convites/links.ts';
import { textoDaSenha, textoDoConvite } from './convites/mensagens.ts';
import { tirarFatores } from './fatores/fatores.queries.ts';
import { travarPerfil } from './perfis/perfis.service.ts';
import { exigirPoder } from './poder.ts';
import { encerrarSessoes, tocarSessoes } from './sessoes/sessoes.queries.ts';
import {
  administradoresAtivos,
  lerPreferencias,
  lerUsuario,
  listarUsuarios,
  travarUsuario,
} from './usuarios.queries.ts';
import type { UsuarioComPerfil } from './usuarios.queries.ts';
import type { Usuario } from './usuarios.types.ts';

export interface UsuariosDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly correio: Correio;
}

type Casa = Pick<Provedor, 'id' | 'nome' | 'panelHost'>;

const FORMA_DO_CONVITE = { email: exigido(umEmail), nome: exigido(texto(1, 120)), perfil_id: exigido(umId) };
const FORMA_DAS_PREFERENCIAS = {
  tema: exigido(escolha(['claro', 'escuro', 'sistema'])),
  teclas: exigido(simOuNao),
  densidade: exigido(escolha(['normal', 'compacta'])),
};
const FORMA = { nome: exigido(texto(1, 120)), cpf: exigido(ouNulo(umCpf)), perfil_id: exigido(umId) };

/** A link, and whether it went out by e-mail. It can always be copied. */
export interface LinkEnviado extends Link {
  readonly usuarioId: number;
  readonly enviado: boolean;
}

/** The people of a provider, as those see them who may change them. */
export function createUsuariosService({ db, relogio, write, correio }: UsuariosDeps) {
  /** A write about a user after which none of his sessions goes on as it was; begins only where that can be said to every process. */
  async function sobre<T>(
    actor: Actor,
    provedorId: number,
    id: number,
    work: (w: Write, usuario: UsuarioComPerfil) => Promise<T>,
  ): Promise<T> {
    return write(
      actor,
      provedorId,
      async (w) => {
        // Before the user himself, so that two who take leave of each other do not wait for one another.
        await administradoresAtivos(w);
        const usuario = await travarUsuario(w, id);
        await exigirPoder(actor, w, usuario.perfil.permissoes);
        return work(w, usuario);
      },
      { tags: [`usuario:${id}`], failClosed: true },
    );
  }

  async function exigirOutroAdministrador(w: Write, { id }: UsuarioComPerfil): Promise<void> {
    const ativos = await administradoresAtivos(w);
    recusarSeNao(!ativos.includes(id) || ativos.length > 1, 'ultimo_administrador');
  }

  return {
    listar: async (provedorId: number): Promise<Usuario[]> => listarUsuarios(db, provedorId),

    /** @throws Recusa `nao_encontrado` */
    async exigir(provedorId: number, id: number): Promise<Usuario> {
      const [usuario] = await listarUsuarios(db, provedorId, id);
      recusarSeNao(usuario, 'nao_encontrado');
      return usuario;
    },

    /**
     * How somebody has the panel: its theme (`claro`, `escuro`, `sistema`), how close together things stand
     * (`normal`, `compacta`), and whether single keys do something. What is not named stays.
     *
     * @throws CamposInvalidos
     */
    async preferir(actor: ActorDe<'usuario'>, provedorId: number, dados: unknown): Promise<void> {
      const ditas = lerAlteracao(FORMA_DAS_PREFERENCIAS, dados);
      await write(actor, provedorId, async (w) => {
        const { id } = actor;
        const usuario = await travarUsuario(w, id);
        const preferencias = {
          ...(await lerPreferencias(w, id)),
          ...Object.fromEntries(Object.entries(ditas).filter(([, dita]) => dita !== undefined)),
        };
        await w.update('usuarios', (query) => void query.where({ id }), { preferencias: JSON.stringify(preferencias) });
        await tocarSessoes(w, id);
        w.emit('usuario.alterado', id, { campos: ['preferencias'], perfil_id: usuario.perfil.id });
      });
    },

    /**
     * Invites somebody; who was invited and has not come yet is invited again, by a link that replaces the one before.
     *
     * @throws CamposInvalidos, or Recusa `nao_encontrado` (perfil_id), `permissao_que_falta`, `email_em_uso`
     */
    async convidar(actor: Actor, provedor: Casa, dados: unknown): Promise<LinkEnviado> {
      const lidos = lerCampos(FORMA_DO_CONVITE, dados);
      const email = lidos.email.toLowerCase();
      const { nome, perfil_id } = lidos;
      const { usuarioId, link } = await write(actor, provedor.id, async (w) => {
        const perfil = await travarPerfil(w, perfil_id, 'perfil_id');
        await exigirPoder(actor, w, perfil.permissoes);
        const achado = await lerUsuario(w, { email });
        const livre = achado === null || (achado.ativo && achado.senhaHash === null);
        if (!livre) throw new Recusa('email_em_uso', { campo: 'email' });
        if (achado !== null) await exigirPoder(actor, w, achado.perfil.permissoes);
        const id = achado === null ? await inserir(w, { nome, email, perfil_id }) : achado.id;
        if (achado !== null) {
          await w.update('usuarios', (query) => void query.where({ id }).whereNull('senha_hash'), { nome, perfil_id });
        }
        w.emit('usuario.convidado', id, { perfil_id });
        return { usuarioId: id, link: await fazerLink(w, provedor.panelHost, id, 'convite', relogio.agora()) };
      });
      const enviado = await correio.enviar({ para: email, ...textoDoConvite(provedor, { nome }, link) });
      return { ...link, usuarioId, enviado };
    },

    /**
     * A link by which a user sets a new password, or, where he never had one, accepts.
     *
     * @throws Recusa `nao_encontrado`, `permissao_que_falta`, `usuario_inativo`
     */
    async redefinirSenha(actor: Actor, provedor: Casa, id: number): Promise<LinkEnviado> {
      const { usuario, link } = await write(actor, provedor.id, async (w) => {
        const dele = await travarUsuario(w, id);
        await exigirPoder(actor, w, dele.perfil.permissoes);
        recusarSeNao(dele.ativo, 'usuario_inativo');
        const tipo = dele.senhaHash === null ? 'convite' : 'senha';
        w.emit('usuario.senha_pedida', id);
        return { usuario: dele, link: await fazerLink(w, provedor.panelHost, id, tipo, relogio.agora()) };
      });
      const mensagem = usuario.senhaHash === null ? textoDoConvite : textoDaSenha;
      const enviado = await correio.enviar({ para: usuario.email, ...mensagem(provedor, usuario, link) });
      return { ...link, usuarioId: id, enviado };
    },

    /**
     * Takes all second factors and codes from another, whose sessions end. Nobody takes his own so: whoever has his session and his
     * password would need no factor to put one of his own in its place.
     *
     * @throws Recusa `nao_encontrado`, `permissao_que_falta`
     */
    async redefinirFator(actor: Actor, provedorId: number, id: number): Promise<void> {
      recusarSeNao(actor.tipo !== 'usuario' || actor.id !== id, 'permissao_que_falta', {
        dito: 'o próprio segundo fator se troca em Minha conta; se o perdeu, peça a outro administrador',
      });
      await sobre(actor, provedorId, id, async (w) => {
        const fatores = await tirarFatores(w, id);
        await encerrarSessoes(w, [id], relogio.agora());
        await esquecerNavegadores(w, id);
        w.emit('usuario.fator_redefinido', id, { fatores });
      });
    },

    /**
     * What is not named stays. With another profile he signs in again.
     *
     * @returns the names of what changed
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `permissao_que_falta`, `ultimo_administrador`, `cpf_em_uso`, `versao_divergente`
     */
    async alterar(
      actor: Actor,
      provedorId: number,
      id: number,
      dados: unknown,
      { versao }: DaVersao = {},
    ): Promise<string[]> {
      const lidos = lerAlteracao(FORMA, dados);
      return sobre(actor, provedorId, id, async (w, usuario) => {
        conferirLidos(versao, camposDoUsuario(usuario));
        const mudaNome = lidos.nome !== undefined && lidos.nome !== usuario.nome;
        const perfilId = lidos.perfil_id ?? usuario.perfil.id;
        const mudaPerfil = perfilId !== usuario.perfil.id;
        const mudaCpf = lidos.cpf !== undefined && lidos.cpf !== usuario.cpf;
        const campos = [
          ...(mudaNome ? ['nome'] : []),
          ...(mudaCpf ? ['cpf'] : []),
          ...(mudaPerfil ? ['perfil_id'] : []),
        ];
        if (campos.length === 0) return [];
        if (mudaPerfil) {
          await exigirPoder(actor, w, (await travarPerfil(w, perfilId, 'perfil_id')).permissoes);
          await exigirOutroAdministrador(w, usuario);
          await encerrarSessoes(w, [id], relogio.agora());
        }
        await comCpfUnico(async () =>
          w.update('usuarios', (query) => void query.where({ id }), {
            ...(mudaNome ? { nome: lidos.nome } : {}),
            ...(mudaCpf ? { cpf: lidos.cpf } : {}),
            ...(mudaPerfil ? { perfil_id: perfilId } : {}),
          }),
        );
        if (mudaNome) await tocarSessoes(w, id);
        w.emit('usuario.alterado', id, { campos, perfil_id: perfilId });
        return campos;
      });
    },

    /** He enters no more, and is out at once; his open tickets go back to the queue. @returns whether he was active. @throws Recusa as `alterar` */
    async desativar(actor: Actor, provedorId: number, id: number): Promise<boolean> {
      return sobre(actor, provedorId, id, async (w, usuario) => {
        const agora = relogio.agora();
        await encerrarSessoes(w, [id], agora);
        await esquecerNavegadores(w, id);
        if (!usuario.ativo) return false;
        await exigirOutroAdministrador(w, usuario);
        await w.update('usuarios', (query) => void query.where({ id }), { ativo: 0 });
        await anularLinks(w, id, agora);
        await devolverChamadosDe(w, id, agora);
        w.emit('usuario.desativado', id);
        return true;
      });
    },

    /** @returns whether he was not active. @throws Recusa `nao_encontrado`, `permissao_que_falta` */
    async reativar(actor: Actor, provedorId: number, id: number): Promise<boolean> {
      return sobre(actor, provedorId, id, async (w, usuario) => {
        if (usuario.ativo) return false;
        await w.update('usuarios', (query) => void query.where({ id }), { ativo: 1 });
        w.emit('usuario.alterado', id, { campos: ['ativo'], perfil_id: usuario.perfil.id });
        return true;
      });
    },
  };
}

/** What the form of a user changes; see `versaoDe`. */
export const camposDoUsuario = ({
  nome,
  cpf,
  perfil,
}: Pick<Usuario, 'nome' | 'cpf'> & { readonly perfil: { readonly id: number } }) => ({
  nome,
  cpf,
  perfil_id: perfil.id,
});

async function comCpfUnico<T>(gravar: () => Promise<T>): Promise<T> {
  try {
    return await gravar();
  } catch (error) {
    throw error instanceof DuplicateRow ? new Recusa('cpf_em_uso', { campo: 'cpf' }) : error;
  }
}

async function inserir(w: Write, linha: { nome: string; email: string; perfil_id: number }): Promise<number> {
  try {
    return await w.insert('usuarios', linha);
  } catch (error) {
    throw error instanceof DuplicateRow ? new Recusa('email_em_uso', { campo: 'email' }) : error;
  }
}

export type UsuariosService = ReturnType<typeof createUsuariosService>;
