import type { ExecutionContext } from 'ava';
import { atorDaChave } from '../../../src/domain/actor.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import type { MotivoDeRecusa } from '../../../src/domain/erros.ts';
import type { SessaoDoApp, TokensEmitidos } from '../../../src/domain/acessos/sessoes/sessoes.types.ts';
import { lerToken } from '../../../src/domain/acessos/sessoes/token.regras.ts';
import type { Provedor } from '../../../src/domain/provedores/provedores.types.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { vindoDe } from '../../support/autor.ts';

export const SENHA = 'jabuti roxo';
export const DE_ONDE = vindoDe();
export const CPF = '52998224725';

export async function recusa(t: ExecutionContext, feito: Promise<unknown>, motivo: MotivoDeRecusa): Promise<void> {
  const erro = await t.throwsAsync(feito, { instanceOf: Recusa });
  t.is(erro.motivo, motivo);
}

/** A provider with one client, who may have set the password of the app. */
export async function criarAssinante(api: Api, { senha = true }: { readonly senha?: boolean } = {}) {
  const fabrica = criarFabrica(api.dono);
  const { app, provedores, changeTenant } = api.container;
  const provedor: Provedor = await provedores.exigirPorId(await fabrica.provedor());
  const cliente = await fabrica.cliente(provedor.id, { cpf_cnpj: CPF, email: 'maria@malha.test' });
  await fabrica.telefone(provedor.id, { cliente_id: cliente });
  const bot = atorDaChave({ id: (await api.criarChave(provedor.id)).id, nome: 'Bot' }, DE_ONDE);

  const gerar = async (clienteId = cliente, canal: 'equipe' | 'integracao' = 'equipe') =>
    changeTenant(bot, provedor, async (_dominio, { codigosDoApp }) => codigosDoApp.gerar(clienteId, canal));
  const definir = async (codigo: string, escolhida: unknown = SENHA, cpfCnpj = CPF) =>
    app.definir(provedor, { cpfCnpj, codigo, senha: escolhida, ...DE_ONDE, aparelho: null });
  const entrar = async (digitada = SENHA, cpfCnpj = CPF, deOnde = DE_ONDE) =>
    app.entrar(provedor, { cpfCnpj, senha: digitada, ...deOnde, aparelho: 'Moto G' });
  /** What an access token leads to, as the door asks for it. */
  async function registro({ access }: Pick<TokensEmitidos, 'access'>, processo = 0): Promise<SessaoDoApp> {
    const achado = await api.containers[processo]!.app.buscarPorHash(lerToken('at', access)?.hash ?? '');
    if (achado === null) throw new Error('sem sessão');
    return achado;
  }
  const geracoes = async (sessaoId: number): Promise<number> =>
    (await api.dono('app_tokens').where('sessao_id', sessaoId)).length;
  const auditoria = async (): Promise<string[]> => {
    const linhas: { acao: string }[] = await api.dono('auditoria').where('provedor_id', provedor.id).orderBy('id');
    return linhas.map(({ acao }) => acao).filter((acao) => !acao.startsWith('chave.'));
  };
  const renovar = async (refresh: string, processo = 0) =>
    api.containers[processo]!.app.renovar(provedor.id, refresh, DE_ONDE);
  if (senha) await definir((await gerar()).codigo);
  return { provedor, cliente, fabrica, gerar, definir, entrar, registro, geracoes, auditoria, renovar, bot };
}
