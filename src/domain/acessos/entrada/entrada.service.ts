import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { atorDoAssinante } from '../../actor.ts';
import { lerCampos, exigido } from '../../campos/campos.ts';
import { documento } from '../../campos/leitores.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { MAIOR_SENHA_DIGITADA } from '../../usuarios/senha/julgamento.service.ts';
import type { Resumos } from '../../usuarios/senha/resumos.service.ts';
import { acessoDe, mudarAcesso, pessoaDe } from '../acessos.queries.ts';
import type { Pessoa } from '../acessos.types.ts';
import { iniciarSessao } from '../sessoes/inicio.service.ts';
import type { DeOnde } from '../sessoes/inicio.service.ts';
import type { TokensEmitidos } from '../sessoes/sessoes.types.ts';
import { emitirAparelho, lerAparelho } from './aparelho.regras.ts';

export interface EntradaNoAppDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly segredos: Secrets;
  readonly resumos: Resumos;
}

/** Who signed in, and what he is given. */
export interface EntradaNoApp extends TokensEmitidos {
  readonly quem: { readonly tipo: 'cliente' | 'equipe'; readonly id: number; readonly nome: string };
  /** What the device shows at its next login. */
  readonly aparelhoConhecido: string;
}

export interface CredenciaisDoApp extends DeOnde {
  /** As `lerDocumento` gives it. */
  readonly cpfCnpj: string;
  readonly senha: string;
  /** Of an earlier login on this device. */
  readonly aparelhoConhecido?: string | undefined;
}

const FORMA_DO_DOCUMENTO = { cpf_cnpj: exigido(documento) };

/** A tax id without punctuation, whose check digits are right. @throws CamposInvalidos */
export const lerDocumento = (cpf_cnpj: unknown): string => lerCampos(FORMA_DO_DOCUMENTO, { cpf_cnpj }).cpf_cnpj;

/** The app's door, for subscribers. */
export function createEntradaNoAppService({ db, relogio, write, segredos, resumos }: EntradaNoAppDeps) {
  /** Who may sign in by a password, and its hash; null where there is nobody. */
  function entravel(pessoa: Pessoa | null): { readonly pessoa: Pessoa; readonly senhaHash: string } | null {
    const acesso = pessoa?.acesso ?? null;
    const senhaHash = acesso?.senhaHash ?? null;
    if (pessoa === null || acesso === null || senhaHash === null || acesso.desativadoEm !== null) return null;
    return { pessoa, senhaHash };
  }

  return {
    /**
     * By what tries to sign in are counted: by the device, where it has been signed in on before, so that nobody is kept out by the guesses
     * of others; else by the tax id.
     */
    contaDe(
      { cpfCnpj, aparelhoConhecido }: Pick<CredenciaisDoApp, 'cpfCnpj' | 'aparelhoConhecido'>,
      provedorId: number,
    ) {
      const aparelho = lerAparelho(segredos, provedorId, cpfCnpj, aparelhoConhecido);
      return aparelho === null ? `cliente ${cpfCnpj}` : `aparelho ${aparelho}`;
    },

    /**
     * Begins a session by tax id and password. A wrong one, an unknown one and one that may not enter are answered alike, in the same time.
     *
     * @throws Recusa `credenciais_incorretas`, or `ocupado`
     */
    async entrar(provedor: Pick<Provedor, 'id'>, credenciais: CredenciaisDoApp): Promise<EntradaNoApp> {
      const { cpfCnpj, senha, aparelhoConhecido } = credenciais;
      const achada = entravel(await pessoaDe(createTenantDb(db, provedor.id), cpfCnpj));
      const legivel = senha.length <= MAIOR_SENHA_DIGITADA;
      const confere = await resumos.confere(achada?.senhaHash ?? null, legivel ? senha : '');
      if (!confere || achada === null) throw new Recusa('credenciais_incorretas');
      const { pessoa, senhaHash } = achada;
      const melhor = resumos.estaAtrasado(senhaHash) ? await resumos.fazer(senha) : null;
      const { id, nome } = pessoa.cliente;
      const conhecido = lerAparelho(segredos, provedor.id, cpfCnpj, aparelhoConhecido) !== null;
      const tokens = await write(atorDoAssinante({ id }, credenciais), provedor.id, async (w) => {
        const agora = relogio.agora();
        const acesso = await acessoDe(w, cpfCnpj, true);
        // Changed or closed, since it was compared.
        recusarSeNao(
          acesso !== null && acesso.senhaHash === senhaHash && acesso.desativadoEm === null,
          'credenciais_incorretas',
        );
        await mudarAcesso(w, acesso.id, {
          ...(melhor === null ? {} : { senhaHash: melhor }),
          entrouEm: agora,
          agora,
        });
        const tokensDele = await iniciarSessao(w, { acessoId: acesso.id }, credenciais, agora);
        if (!conhecido) w.emit('acesso.aparelho_novo', acesso.id, { cliente: id, sessao: tokensDele.sessaoId });
        return { ...tokensDele, trocarSenha: acesso.trocarSenha };
      });
      return {
        ...tokens,
        quem: { tipo: 'cliente', id, nome },
        aparelhoConhecido:
          conhecido && aparelhoConhecido !== undefined
            ? aparelhoConhecido
            : emitirAparelho(segredos, provedor.id, cpfCnpj),
      };
    },
  };
}

export type EntradaNoAppService = ReturnType<typeof createEntradaNoAppService>;
