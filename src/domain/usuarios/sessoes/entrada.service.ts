import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { atorDoUsuario, atorDoVisitante } from '../../actor.ts';
import type { Procedencia } from '../../actor.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { conferirFator, usarPasskey } from '../fatores/conferencia.ts';
import type { SegundoFator } from '../fatores/conferencia.ts';
import { emitirDesafio } from '../fatores/desafio.ts';
import { buscarCredencial, lerFatores } from '../fatores/fatores.queries.ts';
import { credencialDe, opcoesDeUso } from '../fatores/passkeys.ts';
import type { Lugar, PedidoDeUso } from '../fatores/passkeys.ts';
import type { Resumos } from '../senha/resumos.service.ts';
import { lerPolitica, lerUsuario, travarUsuario } from '../usuarios.queries.ts';
import type { UsuarioComPerfil } from '../usuarios.queries.ts';
import { createFalhas } from './falhas.ts';
import { gerarSessao, lerSessao } from './sessao.ts';
import { gravarSessao, mudarSessao } from './sessoes.queries.ts';
import { depoisDaSenha, encurtarAgente, estadoDaSessao } from './sessoes.regras.ts';
import type { SessaoDoPainel } from './sessoes.types.ts';

export interface EntradaDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly segredos: Secrets;
  readonly resumos: Resumos;
}

/** Where a request comes from. */
export interface DeOnde extends Procedencia {
  /** What the browser says of itself. */
  readonly agente: string;
}

export interface Credenciais extends DeOnde {
  readonly email: string;
  readonly senha: string;
}

/** A session that begins: the text for its cookie, which is nowhere else, and what its user has to do next. */
export interface Entrada {
  readonly texto: string;
  readonly proximo: 'pronta' | 'segundo_fator' | 'cadastrar_fator';
  readonly usuarioId: number;
}

/** Proof of who somebody is: his password, or a second factor. */
export type Prova = { readonly senha: string } | SegundoFator;

/** No address or password is longer; what is, costs nothing. */
const MAIOR_DIGITADO = 512;

/** The panel's door: from nobody to a session, and from one step of a session to the next. */
export function createEntradaService({ db, relogio, write, segredos, resumos }: EntradaDeps) {
  const falhas = createFalhas();

  /** Says nothing of what was wrong; every fifth time the audit log hears of it. */
  async function falhar(provedorId: number, oque: string, usuarioId: number | null, de: Procedencia): Promise<void> {
    const tentativas = falhas.contar(`${provedorId} ${oque}`);
    if (tentativas === null) return;
    await write(atorDoVisitante(de), provedorId, async (w) =>
      Promise.resolve(w.emit('sessao.falhou', null, { usuario_id: usuarioId, tentativas })),
    );
  }

  async function abrir(
    w: Write,
    usuario: UsuarioComPerfil,
    { ip, agente }: DeOnde,
    proximo: Entrada['proximo'],
    comFator: boolean,
  ): Promise<Entrada> {
    const texto = gerarSessao(w.provedorId);
    const agora = relogio.agora();
    const hash = lerSessao(texto)?.hash ?? '';
    const nova = { usuarioId: usuario.id, hash, agora, comFator, ip, agente: encurtarAgente(agente) };
    const id = await gravarSessao(w, nova);
    await w.update('usuarios', (query) => void query.where({ id: usuario.id }), { entrou_em: toDatabaseTime(agora) });
    w.emit('sessao.iniciada', id, { usuario_id: usuario.id, falta_fator: proximo !== 'pronta' });
    return { texto, proximo, usuarioId: usuario.id };
  }

  /** @throws Recusa `prova_incorreta` or `codigo_incorreto`, counted */
  async function recusarFator(registro: SessaoDoPainel, dado: Prova, de: Procedencia): Promise<never> {
    const { provedor, usuario } = registro;
    await falhar(provedor.id, `fator ${usuario.id}`, usuario.id, de);
    if ('senha' in dado) throw new Recusa('prova_incorreta', { campo: 'senha' });
    if ('codigo' in dado) throw new Recusa('codigo_incorreto', { campo: 'codigo' });
    throw new Recusa('prova_incorreta');
  }

  return {
    /**
     * Begins a session by e-mail and password. A wrong one, an unknown one and one who may not enter are answered alike, in the same time.
     *
     * @throws Recusa `credenciais_incorretas`, or `ocupado`
     */
    async entrar(provedor: Pick<Provedor, 'id'>, { email, senha, ...deOnde }: Credenciais): Promise<Entrada> {
      const digitado = email.trim().toLowerCase();
      const legivel = digitado.length <= MAIOR_DIGITADO && senha.length <= MAIOR_DIGITADO;
      const achado = legivel ? await lerUsuario(createTenantDb(db, provedor.id), { email: digitado }) : null;
      const usuario = achado?.ativo === true ? achado : null;
      const senhaHash = usuario?.senhaHash ?? null;
      const confere = await resumos.confere(senhaHash, legivel ? senha : '');
      if (!confere || usuario === null || senhaHash === null) {
        await falhar(provedor.id, `conta ${digitado.slice(0, MAIOR_DIGITADO)}`, achado?.id ?? null, deOnde);
        throw new Recusa('credenciais_incorretas');
      }
      const politica = await lerPolitica(db, provedor.id);
      const melhor = resumos.estaAtrasado(senhaHash) ? await resumos.fazer(senha) : null;
      return write(atorDoUsuario(usuario, deOnde), provedor.id, async (w) => {
        const agora = await travarUsuario(w, usuario.id);
        // Changed or deactivated, since it was compared.
        recusarSeNao(agora.ativo && agora.senhaHash === senhaHash, 'credenciais_incorretas');
        if (melhor !== null) {
          await w.update('usuarios', (query) => void query.where({ id: usuario.id }), { senha_hash: melhor });
        }
        const proximo = depoisDaSenha(agora.temFator, agora.perfil.permissoes, politica);
        return abrir(w, agora, deOnde, proximo, false);
      });
    },

    /** What a browser is asked of whoever wants to sign in by passkey alone. */
    async iniciarPasskey(provedor: Pick<Provedor, 'id'>, lugar: Lugar): Promise<PedidoDeUso> {
      const desafio = emitirDesafio(segredos, provedor.id, 'entrar', relogio.agora());
      return { opcoes: await opcoesDeUso(lugar, [], desafio), desafio: desafio.cifrado };
    },

    /** Begins a session by a passkey, which is password and second factor in one. @throws Recusa `credenciais_incorretas` */
    async entrarPorPasskey(
      provedor: Pick<Provedor, 'id'>,
      dado: Extract<SegundoFator, { passkey: unknown }>,
      deOnde: DeOnde,
    ): Promise<Entrada> {
      const tenant = createTenantDb(db, provedor.id);
      const credencial = credencialDe(dado.passkey.resposta);
      const fator = credencial === null ? null : await buscarCredencial(tenant, credencial);
      const usuario = fator === null ? null : await lerUsuario(tenant, { id: fator.usuario_id });
      if (fator !== null && usuario?.ativo === true) {
        const entrada = await write(atorDoUsuario(usuario, deOnde), provedor.id, async (w) => {
          const dono = await travarUsuario(w, usuario.id);
          const travado = (await lerFatores(w, dono.id, true)).find(({ id }) => id === fator.id);
          if (!dono.ativo || travado === undefined) return null;
          const vale = await usarPasskey(w, segredos, travado, dado, 'entrar', relogio.agora());
          return vale ? abrir(w, dono, deOnde, 'pronta', true) : null;
        });
        if (entrada !== null) return entrada;
      }
      await falhar(provedor.id, `rede ${deOnde.ip}`, usuario?.id ?? null, deOnde);
      throw new Recusa('credenciais_incorretas');
    },

    /** What a browser is asked of who is in a session: for its second factor, or to prove again who he is. */
    async pedirPasskey({ provedor, usuario, sessao }: SessaoDoPainel, lugar: Lugar): Promise<PedidoDeUso> {
      const desafio = emitirDesafio(segredos, provedor.id, `confirmar:${sessao.id}`, relogio.agora());
      const fatores = await lerFatores(createTenantDb(db, provedor.id), usuario.id);
      return { opcoes: await opcoesDeUso(lugar, fatores, desafio), desafio: desafio.cifrado };
    },

    /**
     * Gives a session its second factor. It has another text from now on.
     *
     * @returns the new text
     * @throws Recusa `codigo_incorreto`, `prova_incorreta`, `sessao_encerrada`
     */
    async confirmarFator(
      registro: SessaoDoPainel,
      dado: SegundoFator,
      de: Procedencia,
    ): Promise<{ readonly texto: string }> {
      const { usuario, provedor, sessao } = registro;
      recusarSeNao(estadoDaSessao(registro, relogio.agora()) === 'segundo_fator', 'sessao_encerrada');
      const texto = await write(atorDoUsuario(usuario, de), provedor.id, async (w) => {
        const agora = relogio.agora();
        const por = await conferirFator(w, segredos, usuario.id, dado, `confirmar:${sessao.id}`, agora);
        if (por === null) return null;
        const novo = gerarSessao(provedor.id);
        const hash = lerSessao(novo)?.hash ?? '';
        recusarSeNao(await mudarSessao(w, sessao, { hash, fatorEm: agora, provadaEm: agora }), 'sessao_encerrada');
        w.emit('sessao.confirmada', sessao.id, { usuario_id: usuario.id, por });
        return novo;
      });
      return texto === null ? recusarFator(registro, dado, de) : { texto };
    },

    /** Proves again who is in a session; see `provaRecente` and `provaPorFatorRecente`. @throws Recusa `prova_incorreta`, `codigo_incorreto`, `sessao_encerrada`, `ocupado` */
    async provar(registro: SessaoDoPainel, dado: Prova, de: Procedencia): Promise<void> {
      const { usuario, provedor, sessao } = registro;
      recusarSeNao(estadoDaSessao(registro, relogio.agora()) === 'pronta', 'sessao_encerrada');
      let comSenha: string | null = null;
      if ('senha' in dado) {
        const atual = await lerUsuario(createTenantDb(db, provedor.id), { id: usuario.id });
        comSenha = atual?.senhaHash ?? null;
        const legivel = dado.senha.length <= MAIOR_DIGITADO ? dado.senha : '';
        if (!(await resumos.confere(comSenha, legivel))) await recusarFator(registro, dado, de);
      }
      const provada = await write(atorDoUsuario(usuario, de), provedor.id, async (w) => {
        const agora = relogio.agora();
        const vale =
          'senha' in dado
            ? (await travarUsuario(w, usuario.id)).senhaHash === comSenha
            : (await conferirFator(w, segredos, usuario.id, dado, `confirmar:${sessao.id}`, agora)) !== null;
        if (!vale) return false;
        const quando = 'senha' in dado ? { provadaEm: agora } : { provadaEm: agora, fatorEm: agora };
        recusarSeNao(await mudarSessao(w, sessao, quando), 'sessao_encerrada');
        w.emit('sessao.provada', sessao.id, { usuario_id: usuario.id });
        return true;
      });
      if (!provada) await recusarFator(registro, dado, de);
    },
  };
}

export type EntradaService = ReturnType<typeof createEntradaService>;
