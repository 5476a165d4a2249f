import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { iniciarSessao } from '../../acessos/sessoes/inicio.service.ts';
import type { DeOnde } from '../../acessos/sessoes/inicio.service.ts';
import type { TokensEmitidos } from '../../acessos/sessoes/sessoes.types.ts';
import { atorDoUsuario, atorDoVisitante } from '../../actor.ts';
import type { Procedencia } from '../../actor.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { conferirFator } from '../fatores/conferencia.ts';
import { MAIOR_SENHA_DIGITADA } from '../senha/julgamento.service.ts';
import { createFalhas } from '../sessoes/falhas.ts';
import { depoisDaSenha } from '../sessoes/sessoes.regras.ts';
import type { EntradaDeps } from '../sessoes/entrada.service.ts';
import { lerPolitica, lerUsuario, travarUsuario } from '../usuarios.queries.ts';

export interface CredenciaisDaEquipe extends DeOnde {
  /** Eleven digits. */
  readonly cpf: string;
  readonly senha: string;
  /** Six digits of an authenticator, or a recovery code. */
  readonly codigo?: string | undefined;
}

export interface EntradaDaEquipe extends TokensEmitidos {
  readonly quem: { readonly tipo: 'equipe'; readonly id: number; readonly nome: string };
}

/** The app's door, for the provider's own people. */
export function createEntradaDaEquipeService({ db, relogio, write, segredos, resumos }: EntradaDeps) {
  const falhas = createFalhas();

  async function falhar(provedorId: number, cpf: string, usuarioId: number | null, de: Procedencia): Promise<void> {
    const tentativas = falhas.contar(`${provedorId} ${cpf}`);
    if (tentativas === null) return;
    await write(atorDoVisitante(de), provedorId, async (w) =>
      Promise.resolve(w.emit('sessao.falhou', null, { usuario_id: usuarioId, tentativas })),
    );
  }

  return {
    /**
     * Begins a session of the app by CPF, password and second factor, in one step. What is wrong is not said, save that the second factor is
     * missing, after a right password.
     *
     * @throws Recusa `credenciais_incorretas`, `segundo_fator_exigido`, `segundo_fator_ausente`, `codigo_incorreto`, or `ocupado`
     */
    async entrarNoApp(provedor: Pick<Provedor, 'id'>, credenciais: CredenciaisDaEquipe): Promise<EntradaDaEquipe> {
      const { cpf, senha, codigo } = credenciais;
      const achado = await lerUsuario(createTenantDb(db, provedor.id), { cpf });
      const usuario = achado?.ativo === true ? achado : null;
      const senhaHash = usuario?.senhaHash ?? null;
      const confere = await resumos.confere(senhaHash, senha.length <= MAIOR_SENHA_DIGITADA ? senha : '');
      if (!confere || usuario === null || senhaHash === null) {
        await falhar(provedor.id, cpf, achado?.id ?? null, credenciais);
        throw new Recusa('credenciais_incorretas');
      }
      const politica = await lerPolitica(db, provedor.id);
      const melhor = resumos.estaAtrasado(senhaHash) ? await resumos.fazer(senha) : null;
      const tokens = await write(atorDoUsuario(usuario, credenciais), provedor.id, async (w) => {
        const agora = relogio.agora();
        const atual = await travarUsuario(w, usuario.id);
        recusarSeNao(atual.ativo && atual.senhaHash === senhaHash, 'credenciais_incorretas');
        const falta = depoisDaSenha(atual.temFator, atual.perfil.permissoes, politica);
        recusarSeNao(falta !== 'cadastrar_fator', 'segundo_fator_ausente');
        if (falta === 'segundo_fator') {
          if (codigo === undefined || codigo === '') throw new Recusa('segundo_fator_exigido', { campo: 'codigo' });
          const por = await conferirFator(w, segredos, atual.id, { codigo }, 'entrar', agora);
          if (por === null) return null;
        }
        await w.update('usuarios', (query) => void query.where({ id: atual.id }), {
          ...(melhor === null ? {} : { senha_hash: melhor }),
          entrou_em: toDatabaseTime(agora),
        });
        const dele = await iniciarSessao(w, { usuarioId: atual.id }, credenciais, agora);
        w.emit('sessao.iniciada', dele.sessaoId, { usuario_id: atual.id, falta_fator: false, onde: 'app' });
        return dele;
      });
      if (tokens === null) {
        await falhar(provedor.id, `fator ${usuario.id}`, usuario.id, credenciais);
        throw new Recusa('codigo_incorreto', { campo: 'codigo' });
      }
      const { id, nome } = usuario;
      return { ...tokens, trocarSenha: false, quem: { tipo: 'equipe', id, nome } };
    },
  };
}

export type EntradaDaEquipeService = ReturnType<typeof createEntradaDaEquipeService>;
