import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { atorDoAssinante, atorDoVisitante } from '../../actor.ts';
import type { Procedencia } from '../../actor.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { MAIOR_SENHA_DIGITADA } from '../../usuarios/senha/julgamento.service.ts';
import { acessoDe, mudarAcesso, pessoaDe } from '../acessos.queries.ts';
import { eOCodigo, lerCodigo } from '../codigos/codigo.regras.ts';
import { createCodigosQueries } from '../codigos/codigos.queries.ts';
import { encerrarSessoesDoApp, tocarSessoesDoApp } from '../sessoes/encerramento.service.ts';
import { iniciarSessao } from '../sessoes/inicio.service.ts';
import type { DeOnde } from '../sessoes/inicio.service.ts';
import type { SessaoDoApp } from '../sessoes/sessoes.types.ts';
import { emitirAparelho } from './aparelho.regras.ts';
import type { EntradaNoApp, EntradaNoAppDeps } from './entrada.service.ts';
import { julgarSenhaDeAlguem, julgarSenhaDoAssinante } from './senhas.ts';

type Casa = Pick<Provedor, 'id' | 'nome'>;

export interface SenhaPorCodigo extends DeOnde {
  /** As `lerDocumento` gives it. */
  readonly cpfCnpj: string;
  readonly codigo: string;
  readonly senha: unknown;
}

/** How a subscriber's password comes to be: by a code, and by changing it. */
export function createEscolhaDeSenhaService({ db, relogio, write, segredos, resumos }: EntradaNoAppDeps) {
  /** Whether a code holds; a wrong one is counted. Nobody's costs the same statements as somebody's. */
  async function codigoConfere(provedorId: number, cpfCnpj: string, codigo: string, de: Procedencia): Promise<boolean> {
    return write(atorDoVisitante(de), provedorId, async (w) => {
      const acessoId = (await acessoDe(w, cpfCnpj, true))?.id ?? 0;
      const queries = createCodigosQueries(w);
      const vigente = await queries.vigente(acessoId, relogio.agora());
      if (vigente !== undefined && eOCodigo(segredos, provedorId, acessoId, codigo, vigente.codigo_hmac)) return true;
      await queries.contar(vigente?.id ?? 0);
      return false;
    });
  }

  /** Who is in a session, where this is his password. @throws Recusa `credenciais_incorretas`, `sessao_encerrada`, `ocupado` */
  async function exigirSenha({ quem, provedor }: SessaoDoApp, digitada: string, campo: string) {
    if (quem.tipo !== 'cliente') throw new Recusa('sessao_encerrada');
    const { cpfCnpj, acessoId } = quem;
    const tenant = createTenantDb(db, provedor.id);
    const pessoa = await pessoaDe(tenant, cpfCnpj);
    const senhaHash = pessoa?.acesso?.senhaHash ?? null;
    const confere = await resumos.confere(senhaHash, digitada.length <= MAIOR_SENHA_DIGITADA ? digitada : '');
    if (!confere || pessoa === null) throw new Recusa('credenciais_incorretas', { campo });
    return { tenant, pessoa, cpfCnpj, acessoId, senhaHash };
  }

  return {
    /**
     * Compares the password of the subscriber who is in a session, before something that a stolen device must not do.
     *
     * @param campo what it was sent as
     * @throws Recusa `credenciais_incorretas`, `sessao_encerrada`, `ocupado`
     */
    async conferirSenha(sessao: SessaoDoApp, digitada: string, campo: string): Promise<void> {
      await exigirSenha(sessao, digitada, campo);
    },

    /**
     * Sets the password of a tax id by a code, which is used up, and signs in. All other sessions end. A code that is not the one, and one of
     * a tax id that nobody has, are answered alike.
     *
     * @throws CamposInvalidos, or Recusa `codigo_incorreto`, `senha_fraca`, `senha_repetida`, `ocupado`
     */
    async definir(
      provedor: Casa,
      { cpfCnpj, codigo: digitado, senha: escolhida, ...deOnde }: SenhaPorCodigo,
    ): Promise<EntradaNoApp> {
      // Before anything that asks whose it is, so that a weak one says nothing of anybody.
      const senha = await julgarSenhaDeAlguem(escolhida, provedor, 'senha');
      const codigo = lerCodigo(digitado) ?? '';
      const valeu = await codigoConfere(provedor.id, cpfCnpj, codigo, deOnde);
      const tenant = createTenantDb(db, provedor.id);
      const pessoa = valeu ? await pessoaDe(tenant, cpfCnpj) : null;
      if (pessoa === null || (pessoa.acesso?.desativadoEm ?? null) !== null) throw new Recusa('codigo_incorreto');
      const senhaHash = await julgarSenhaDoAssinante({ tenant, resumos, provedor }, pessoa, cpfCnpj, senha, 'senha');
      const { id, nome } = pessoa.cliente;
      const tokens = await write(
        atorDoAssinante({ id }, deOnde),
        provedor.id,
        async (w) => {
          const agora = relogio.agora();
          const acesso = await acessoDe(w, cpfCnpj, true);
          const queries = createCodigosQueries(w);
          const vigente = acesso === null ? undefined : await queries.vigente(acesso.id, agora);
          // Used by another meanwhile.
          const ainda =
            acesso !== null &&
            vigente !== undefined &&
            eOCodigo(segredos, provedor.id, acesso.id, codigo, vigente.codigo_hmac);
          if (!ainda) throw new Recusa('codigo_incorreto');
          await queries.usar(vigente.id, agora);
          await mudarAcesso(w, acesso.id, { senhaHash, trocarSenha: false, entrouEm: agora, agora });
          const sessoes = await encerrarSessoesDoApp(w, { acessoIds: [acesso.id] }, 'senha', agora);
          w.emit('acesso.senha_definida', acesso.id, { cliente: id, sessoes });
          return iniciarSessao(w, { acessoId: acesso.id }, deOnde, agora);
        },
        { failClosed: true },
      );
      return {
        ...tokens,
        trocarSenha: false,
        quem: { tipo: 'cliente', id, nome },
        aparelhoConhecido: emitirAparelho(segredos, provedor.id, cpfCnpj),
      };
    },

    /**
     * Changes the password of the subscriber who is in a session, which goes on; all others of his end.
     *
     * @returns how many ended
     * @throws CamposInvalidos, or Recusa `credenciais_incorretas`, `senha_fraca`, `senha_repetida`, `sessao_encerrada`, `ocupado`
     */
    async trocar(
      registro: SessaoDoApp,
      { atual, nova }: { readonly atual: string; readonly nova: unknown },
      de: Procedencia,
    ): Promise<{ readonly encerradas: number }> {
      const { sessao, provedor } = registro;
      const { tenant, pessoa, cpfCnpj, acessoId, senhaHash } = await exigirSenha(registro, atual, 'senha_atual');
      const senha = await julgarSenhaDeAlguem(nova, provedor, 'senha_nova');
      const novoHash = await julgarSenhaDoAssinante(
        { tenant, resumos, provedor },
        pessoa,
        cpfCnpj,
        senha,
        'senha_nova',
      );
      const { id } = pessoa.cliente;
      return write(
        atorDoAssinante({ id }, de),
        provedor.id,
        async (w) => {
          const agora = relogio.agora();
          const acesso = await acessoDe(w, cpfCnpj, true);
          recusarSeNao(acesso?.senhaHash === senhaHash, 'credenciais_incorretas', { campo: 'senha_atual' });
          await mudarAcesso(w, acessoId, { senhaHash: novoHash, trocarSenha: false, agora });
          const encerradas = await encerrarSessoesDoApp(w, { acessoIds: [acessoId], menos: sessao.id }, 'senha', agora);
          // The one that stays no longer asks for another password.
          await tocarSessoesDoApp(w, { acessoIds: [acessoId], so: sessao.id });
          w.emit('acesso.senha_trocada', acessoId, { cliente: id, sessoes: encerradas });
          return { encerradas };
        },
        { failClosed: true },
      );
    },
  };
}

export type EscolhaDeSenhaService = ReturnType<typeof createEscolhaDeSenhaService>;
