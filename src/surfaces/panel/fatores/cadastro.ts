import { atorDoUsuario } from '../../../domain/actor.ts';
import type { FatorConfirmado } from '../../../domain/usuarios/fatores/fatores.service.ts';
import { valorDe } from '../formulario/estado.ts';
import { comoTexto } from '../formulario/leitura.ts';
import type { Chamada, Desfecho, ProvaPedida, Rota, Tela, semFator } from '../rota.ts';
import { lerPasskey, lugarDe } from './passkey.ts';
import { telaDaEscolha, telaDoAplicativo, telaDosCodigos } from './telas.ts';
import type { LugarDoCadastro } from './telas.ts';

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
  lugar: LugarDoCadastro,
  acao: typeof semFator.acao,
  prova: ProvaPedida,
): readonly Rota[] => [
  acao(`${lugar.base}/app`, {
    permissao: null,
    prova,
    campos: { nome: 'texto' },
    formulario: async ({ servicos, sessao, origem }, estado) =>
      telaDaEscolha(lugar, await servicos.fatores.iniciarPasskey(sessao, lugarDe({ origem })), 'app', estado),
    async fazer({ dados, sessao, servicos, deOnde }) {
      const ator = atorDoUsuario(sessao.usuario, deOnde);
      const { fatorId, segredo } = await servicos.fatores.iniciarTotp(ator, sessao, dados);
      return { tela: await telaDoAplicativo(lugar, sessao, { fatorId: String(fatorId), segredo }) };
    },
  }),

  acao(`${lugar.base}/codigo`, {
    permissao: null,
    prova,
    campos: { fator_id: 'texto', segredo: 'texto', codigo: 'texto' },
    // The secret came with the form, and is only drawn again: what counts is the one that is kept.
    formulario: async ({ sessao }, estado) =>
      telaDoAplicativo(
        lugar,
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
      return confirmado(feito, lugar);
    },
  }),

  acao(`${lugar.base}/passkey`, {
    permissao: null,
    prova,
    campos: { nome: 'texto', desafio: 'texto', resposta: 'texto' },
    formulario: async ({ servicos, sessao, origem }, estado) => {
      const [falta] = estado.faltas;
      const recusa = falta === undefined ? 'O aparelho não confirmou. Tente de novo.' : `Nome: ${falta.mensagem}.`;
      const pedido = await servicos.fatores.iniciarPasskey(sessao, lugarDe({ origem }));
      return telaDaEscolha(lugar, pedido, 'passkey', { ...estado, recusa });
    },
    async fazer({ dados, sessao, servicos, deOnde, origem }) {
      const ator = atorDoUsuario(sessao.usuario, deOnde);
      const { nome } = dados;
      return confirmado(
        await servicos.fatores.confirmarPasskey(ator, sessao, lugarDe({ origem }), lerPasskey(dados), { nome }),
        lugar,
      );
    },
  }),
];
