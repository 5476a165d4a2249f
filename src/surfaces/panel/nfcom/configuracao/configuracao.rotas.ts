import { Recusa } from '../../../../domain/erros.ts';
import { provaRecente } from '../../../../domain/usuarios/sessoes/sessoes.regras.ts';
import { html } from '../../../../kit/html/html.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { area } from '../../formulario/campos.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { comVersao } from '../../formulario/versao.ts';
import { acao, pagina } from '../../rota.ts';
import type { Rota, Tela } from '../../rota.ts';
import { CAMPOS, CAMPOS_DO_COMECO, exigemProva, mudados } from './campos.ts';
import { CAMINHO, telaDaConfiguracao } from './configuracao.ts';

const permissao = 'nfcom.configurar';

const telaDaContingencia = async (estado: EstadoDoFormulario): Promise<Tela> => ({
  titulo: 'Entrar em contingência',
  menu: 'configuracao-nfcom',
  migalhas: [['Notas fiscais', CAMINHO]],
  corpo: html`<div class="largura-leitura">
    ${cartao(
      null,
      html`${aviso('warning', 'Daqui em diante, cada nota é emitida offline e vale desde já. Todas devem chegar à autoridade até o fim do dia útil seguinte.')}
      ${formulario({
        para: `${CAMINHO}/contingencia`,
        estado,
        rotulos: { justificativa: 'Justificativa' },
        enviar: 'Entrar em contingência',
        volta: CAMINHO,
        perigoso: true,
        corpo: area(estado, {
          nome: 'justificativa',
          rotulo: 'Justificativa',
          obrigatorio: true,
          maximo: 256,
          linhas: 2,
          dica: 'De 15 a 256 letras; vai na nota.',
        }),
      })}`,
    )}
  </div>`,
});

/** How fiscal notes are issued. */
export const CONFIGURACAO: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDaConfiguracao(chamada, {}) }),
  }),
  acao(CAMINHO, {
    permissao,
    campos: CAMPOS,
    prova: async ({ dados: digitados, ler }) => {
      const { dados } = comVersao(digitados);
      return exigemProva(mudados(await ler(async ({ configuracaoNfcom }) => configuracaoNfcom.buscar()), dados));
    },
    formulario: async (chamada, tudo) => telaDaConfiguracao(chamada, { tudo }),
    async fazer({ dados: digitados, sessao, agora, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (dominio, { configuracaoNfcom }) => {
        const novos = mudados(await dominio.configuracaoNfcom.buscar(), dados);
        // Somebody may have changed them since it was found that no proof is needed.
        if (exigemProva(novos) && !provaRecente(sessao.sessao, agora)) throw new Recusa('prova_exigida');
        if (Object.keys(novos).length > 0) await configuracaoNfcom.configurar(novos, lida);
      });
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
  acao(`${CAMINHO}/comecar`, {
    permissao,
    campos: { ...CAMPOS_DO_COMECO, versao: 'texto' },
    formulario: async (chamada, comeco) => telaDaConfiguracao(chamada, { comeco }),
    async fazer({ dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { configuracaoNfcom }) => configuracaoNfcom.comecar(dados, lida));
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
  pagina(`${CAMINHO}/contingencia`, {
    permissao,
    mostrar: async () => ({ tela: await telaDaContingencia(EM_BRANCO) }),
  }),
  acao(`${CAMINHO}/contingencia`, {
    permissao,
    campos: { justificativa: 'texto' },
    formulario: async (_chamada, estado) => telaDaContingencia(estado),
    async fazer({ dados, mudar }) {
      await mudar(async (_dominio, { configuracaoNfcom }) => configuracaoNfcom.entrarEmContingencia(dados));
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
  acao(`${CAMINHO}/contingencia/sair`, {
    permissao,
    async fazer({ mudar }) {
      await mudar(async (_dominio, { configuracaoNfcom }) => configuracaoNfcom.sairDaContingencia());
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
];
