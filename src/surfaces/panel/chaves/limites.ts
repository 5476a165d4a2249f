import { LIMITES_DE_BUSCA } from '../../../domain/provedores/provedores.types.ts';
import { html } from '../../../kit/html/html.ts';
import { cartao } from '../componentes/cartao.ts';
import { entrada } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido, recusado } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { comVersao, versaoLida } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { CAMINHO, CAMINHO_DOS_LIMITES, migalhasDaChave } from './telas.ts';

const ROTULOS = {
  buscas_em_vao_por_hora: 'Buscas em vão por hora',
  clientes_por_hora: 'Clientes diferentes por hora',
} as const;

async function tela(
  { servicos, sessao }: Pick<Chamada, 'servicos' | 'sessao'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { campos: todos = {} } = (await servicos.configuracao.lerConfiguracao(sessao.provedor.id)) ?? {};
  const campos = Object.fromEntries(Object.keys(ROTULOS).map((nome) => [nome, todos[nome] ?? '']));
  const atual = recusado(estado) ? estado : preenchido(campos);
  const numero = (nome: keyof typeof ROTULOS, dica: string) =>
    entrada(atual, { nome, rotulo: ROTULOS[nome], dica, teclado: 'numeric', maximo: 6 });
  const { emVaoPorHora, clientesPorHora } = LIMITES_DE_BUSCA;
  return {
    titulo: 'Limites de busca',
    menu: 'api',
    migalhas: [...migalhasDaChave],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        formulario({
          para: CAMINHO_DOS_LIMITES,
          estado: atual,
          rotulos: ROTULOS,
          enviar: 'Salvar',
          volta: CAMINHO,
          corpo: html`${versaoLida({ estado: atual, campos, rotulos: ROTULOS })}
            <p>
              Valem para cada chave com restrições, para que ninguém descubra com ela quem são os clientes. Quem passa
              deles só recebe respostas sobre os clientes que já viu, até a hora acabar.
            </p>
            <div class="grade">
              ${numero('buscas_em_vao_por_hora', `Documentos, telefones, ids e protocolos de ninguém. Vazio: ${emVaoPorHora}.`)}
              ${numero('clientes_por_hora', `Mais do que atende o chatbot numa hora cheia. Vazio: ${clientesPorHora}.`)}
            </div>`,
        }),
      )}
    </div>`,
  };
}

/** How much a key with restrictions may find out in an hour. */
export const LIMITES_DAS_CHAVES: readonly Rota[] = [
  pagina(CAMINHO_DOS_LIMITES, {
    permissao: 'chaves.gerir',
    mostrar: async (chamada) => ({ tela: await tela(chamada, EM_BRANCO) }),
  }),
  acao(CAMINHO_DOS_LIMITES, {
    permissao: 'chaves.gerir',
    prova: true,
    campos: { buscas_em_vao_por_hora: 'apagavel', clientes_por_hora: 'apagavel', versao: 'texto' },
    formulario: tela,
    async fazer({ dados: digitados, ator, sessao, servicos }) {
      const { dados, lida } = comVersao(digitados);
      await servicos.configuracao.configurarBuscas(ator, sessao.provedor.id, dados, lida);
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
];
