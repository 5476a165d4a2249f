import { atorDoUsuario } from '../../../domain/actor.ts';
import type { FatorConfirmado } from '../../../domain/usuarios/fatores/fatores.service.ts';
import { valorDe } from '../formulario/estado.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { voltaSegura } from '../pedido.ts';
import type { Chamada, Desfecho, ProvaPedida, Rota, Tela, semFator } from '../rota.ts';
import { lerPasskey, lugarDe } from './passkey.ts';
import { telaDaEscolha, telaDoAplicativo, telaDosCodigos } from './telas.ts';
import type { LugarDoCadastro } from './telas.ts';

/** Where factors are enrolled; of `depois`, null: where the forms say, which is where somebody on the way in wanted to go. */
export type Cadastro = Omit<LugarDoCadastro, 'depois'> & { readonly depois: string | null };

const lugarCom = (cadastro: Cadastro, volta: string): LugarDoCadastro => ({
  ...cadastro,
  depois: cadastro.depois ?? voltaSegura(volta),
});

/** The screen that begins it. @throws Recusa `sessao_encerrada`, `prova_exigida` */
export async function comecarCadastro(
  lugar: LugarDoCadastro,
  { servicos, sessao, origem }: Pick<Chamada, 'servicos' | 'sessao' | 'origem'>,
): Promise<Tela> {
  return telaDaEscolha(lugar, await servicos.fatores.iniciarPasskey(sessao, lugarDe({ origem })));
}

function confirmado({ texto, codigos }: FatorConfirmado, { depois }: LugarDoCadastro): Desfecho {
  if (codigos === null) return { ir: depois, feito: 'fator_criado', sessao: texto };
  return { tela: telaDosCodigos(codigos, depois), sessao: texto };
}

/** What follows: the authenticator, its first code, or the passkey. The same for who must have a factor and for who wants another. */
export const rotasDeCadastro = (
  cadastro: Cadastro,
  acao: typeof semFator.acao,
  prova: ProvaPedida,
): readonly Rota[] => [
  acao(`${cadastro.base}/app`, {
    permissao: null,
    prova,
    campos: { nome: 'texto', volta: 'texto' },
    async formulario({ servicos, sessao, origem }, estado) {
      const pedido = await servicos.fatores.iniciarPasskey(sessao, lugarDe({ origem }));
      return telaDaEscolha(lugarCom(cadastro, valorDe(estado, 'volta')), pedido, 'app', estado);
    },
    async fazer({ dados, sessao, servicos, deOnde }) {
      const ator = atorDoUsuario(sessao.usuario, deOnde);
      const { volta, nome } = dados;
      const { fatorId, segredo } = await servicos.fatores.iniciarTotp(ator, sessao, { nome });
      const lugar = lugarCom(cadastro, comoTexto(volta));
      return { tela: await telaDoAplicativo(lugar, sessao, { fatorId: String(fatorId), segredo }) };
    },
  }),

  acao(`${cadastro.base}/codigo`, {
    permissao: null,
    prova,
    campos: { fator_id: 'texto', segredo: 'texto', codigo: 'texto', volta: 'texto' },
    // The secret came with the form, and is only drawn again: what counts is the one that is kept.
    formulario: async ({ sessao }, estado) =>
      telaDoAplicativo(
        lugarCom(cadastro, valorDe(estado, 'volta')),
        sessao,
        { fatorId: valorDe(estado, 'fator_id'), segredo: valorDe(estado, 'segredo').slice(0, 64) },
        estado,
      ),
    async fazer({ dados, sessao, servicos, deOnde }) {
      const { provedor, usuario } = sessao;
      const feito = await servicos.tentativas.prove(provedor.id, usuario.id, async () =>
        servicos.fatores.confirmarTotp(
          atorDoUsuario(usuario, deOnde),
          sessao,
          Number(comoTexto(dados['fator_id'])),
          comoTexto(dados['codigo']),
        ),
      );
      return confirmado(feito, lugarCom(cadastro, comoTexto(dados['volta'])));
    },
  }),

  acao(`${cadastro.base}/passkey`, {
    permissao: null,
    prova,
    campos: { nome: 'texto', desafio: 'texto', resposta: 'texto', volta: 'texto' },
    formulario: async ({ servicos, sessao, origem }, estado) => {
      const [falta] = estado.faltas;
      const recusa = falta === undefined ? 'O aparelho não confirmou. Tente de novo.' : `Nome: ${falta.mensagem}.`;
      const pedido = await servicos.fatores.iniciarPasskey(sessao, lugarDe({ origem }));
      const lugar = lugarCom(cadastro, valorDe(estado, 'volta'));
      return telaDaEscolha(lugar, pedido, 'passkey', { ...estado, recusa });
    },
    async fazer({ dados, sessao, servicos, deOnde, origem }) {
      const ator = atorDoUsuario(sessao.usuario, deOnde);
      const { nome, volta } = dados;
      return confirmado(
        await servicos.fatores.confirmarPasskey(ator, sessao, lugarDe({ origem }), lerPasskey(dados), { nome }),
        lugarCom(cadastro, comoTexto(volta)),
      );
    },
  }),
];
