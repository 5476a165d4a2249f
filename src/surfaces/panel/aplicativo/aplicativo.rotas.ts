import { EM_BRANCO } from '../formulario/estado.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { comVersao } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { CAMINHO, FCM, telaDaConta, telaDoAplicativo } from './telas.ts';

/** The provider's app: whose pages may call, what subscribers change by themselves, and by what account notices are sent. */
export const APLICATIVO: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao: 'configuracoes.editar',
    mostrar: async (chamada) => ({ tela: await telaDoAplicativo(chamada, null) }),
  }),

  acao(CAMINHO, {
    permissao: 'configuracoes.editar',
    campos: { origens: 'linhas', edita_cadastro: 'caixa', versao: 'texto' },
    formulario: telaDoAplicativo,
    async fazer({ ator, dados: digitados, servicos, sessao: { provedor } }) {
      const { dados, lida } = comVersao(digitados);
      await servicos.configuracaoDoApp.configurar(ator, provedor.id, dados, lida);
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),

  // It begins by a button, which asks for the proof before anything is pasted: a page that asks afterwards would have to hold the secret.
  pagina(FCM, { permissao: 'configuracoes.editar', mostrar: async () => Promise.resolve({ ir: CAMINHO }) }),
  acao(`${FCM}/nova`, {
    permissao: 'configuracoes.editar',
    prova: true,
    fazer: async ({ servicos, sessao }) => ({ tela: await telaDaConta({ servicos, sessao }, EM_BRANCO) }),
  }),
  acao(FCM, {
    permissao: 'configuracoes.editar',
    prova: true,
    campos: { conta: 'segredo', versao: 'texto' },
    formulario: telaDaConta,
    async fazer({ ator, dados: digitados, servicos, sessao: { provedor } }) {
      const { dados, lida } = comVersao(digitados);
      await servicos.push.definirContaFcm(ator, provedor.id, comoTexto(dados['conta']), lida);
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
  acao(`${FCM}/remover`, {
    permissao: 'configuracoes.editar',
    prova: true,
    async fazer({ ator, servicos, sessao: { provedor } }) {
      await servicos.push.definirContaFcm(ator, provedor.id, null);
      return { ir: CAMINHO, feito: 'removido' };
    },
  }),
];
