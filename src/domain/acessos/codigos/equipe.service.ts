import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { cadastrosDe, documentoDoCliente, exigirAcesso, oCliente, telefonesDe } from '../acessos.queries.ts';
import { passouDoLimite, resumoDoCodigo, sortearCodigo, validadeDoCodigo } from './codigo.regras.ts';
import { createCodigosQueries } from './codigos.queries.ts';
import { enderecosDe } from './enderecos.regras.ts';

export interface CodigosDaEquipeDeps {
  readonly w: Write;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
}

/** A code to be told to a subscriber. */
export interface CodigoGerado {
  /** Eight digits; nowhere else. */
  readonly codigo: string;
  readonly expiraEm: Date;
  /** Whom to tell it: the numbers on record. */
  readonly telefones: readonly string[];
}

/** Codes that the provider hands out: its people, after their questions, or its own bot. */
export function createCodigosDaEquipeService({ w, relogio, segredos }: CodigosDaEquipeDeps) {
  return {
    /**
     * Makes a code by which a client chooses the app's password; the one before holds no more. It stands in no log and no audit line.
     *
     * @param por by what it is sent to him, where that is said: up to 20 characters without digits, for the audit log.
     * Whoever issues it without people asking anything reaches the numbers of the registration that is the client, and nobody where the
     * registrations hold several e-mails: of an old one the number, too, may be another person's by now.
     *
     * @throws Recusa `nao_encontrado`, `acesso_indisponivel`, `codigo_so_da_equipe`, `limite_de_codigos`
     */
    async gerar(clienteId: number, canal: 'equipe' | 'integracao', por?: string): Promise<CodigoGerado> {
      const agora = relogio.agora();
      const documento = await documentoDoCliente(w, clienteId);
      recusarSeNao(documento, 'nao_encontrado');
      const cadastros = await cadastrosDe(w, documento);
      recusarSeNao(
        cadastros.some(({ id }) => id === clienteId),
        'acesso_indisponivel',
      );
      recusarSeNao(canal === 'equipe' || enderecosDe(cadastros).length <= 1, 'codigo_so_da_equipe');
      const acesso = await exigirAcesso(w, documento);
      recusarSeNao(acesso.desativadoEm === null, 'acesso_indisponivel');
      const queries = createCodigosQueries(w);
      // What strangers ask for by e-mail keeps nobody from being helped.
      const feitosEm = await queries.feitosEm(acesso.id, ['equipe', 'integracao'], agora);
      recusarSeNao(!passouDoLimite(feitosEm, agora), 'limite_de_codigos');
      await queries.anular(acesso.id, agora);
      const codigo = sortearCodigo();
      const expiraEm = validadeDoCodigo(canal, agora);
      const resumo = resumoDoCodigo(segredos, w.provedorId, acesso.id, codigo);
      await queries.inserir({ acessoId: acesso.id, canal, resumo, expiraEm, agora, semUso: false });
      w.emit('acesso.codigo_gerado', acesso.id, { cliente: clienteId, canal, ...(por === undefined ? {} : { por }) });
      const cliente = oCliente(cadastros);
      const perguntados = canal === 'equipe' || cliente === undefined ? cadastros : [cliente];
      const telefones = await telefonesDe(
        w,
        perguntados.map(({ id }) => id),
      );
      return { codigo, expiraEm, telefones: [...new Set(telefones)] };
    },
  };
}

export type CodigosDaEquipeService = ReturnType<typeof createCodigosDaEquipeService>;
