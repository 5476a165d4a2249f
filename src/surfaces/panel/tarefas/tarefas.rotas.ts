import { exigido, opcional } from '../../../domain/campos/campos.ts';
import { data, escolha } from '../../../domain/campos/leitores.ts';
import { TAREFAS_DIARIAS, TAREFAS_DITAS } from '../../../domain/tarefas/tarefas.types.ts';
import type { TarefaDiaria } from '../../../domain/tarefas/tarefas.types.ts';
import { PERMISSOES_PARA_DAR } from '../../../domain/usuarios/permissoes.regras.ts';
import type { SaudeDoWebhook } from '../../../domain/webhooks/registro/registro.service.ts';
import { html } from '../../../kit/html/html.ts';
import { parteViva } from '../ao-vivo/partes.ts';
import { cartao } from '../componentes/cartao.ts';
import { escreverData } from '../componentes/escrita.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { notasDoDia } from './notas.ts';
import { extratos, filaDaRede, filaDosWebhooks, importacoes, tarefasDoDia } from './telas.ts';

const EXTRATOS = 10;
const IMPORTACOES = 10;

async function telaDeRodar(
  { dominio, consulta: { tarefa } }: Chamada<unknown, { readonly tarefa: TarefaDiaria }>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const dia = dominio.tarefas.hoje();
  return {
    titulo: 'Fazer de novo',
    menu: 'tarefas',
    migalhas: [['Tarefas', '/tarefas']],
    corpo: cartao(
      null,
      formulario({
        para: `/tarefas/rodar?tarefa=${tarefa}`,
        estado,
        rotulos: { tarefa: 'Tarefa', dia: 'Dia' },
        corpo: html`${escondido('dia', dia)}
          <p>
            <strong>${TAREFAS_DITAS[tarefa]}</strong>, de ${escreverData(dia)}, é feita de novo do começo; entra na fila
            em até um minuto. O que já está certo não muda, e nada é feito duas vezes.
          </p>`,
        enviar: 'Fazer de novo',
        volta: '/tarefas',
      }),
    ),
  };
}

const QUAL = { tarefa: exigido(escolha(TAREFAS_DIARIAS)) } as const;

export const TAREFAS: readonly Rota[] = [
  pagina('/tarefas', {
    permissao: 'tarefas.ver',
    consulta: { dia: opcional(data) },
    async mostrar({ dominio, sessao, servicos, agora, consulta }) {
      const hoje = dominio.tarefas.hoje();
      const dia = consulta.dia === undefined || consulta.dia > hoje ? hoje : consulta.dia;
      const endereco = comConsulta('/tarefas', { dia: consulta.dia });
      const importa = pode(sessao, 'importacao.usar');
      const veWebhooks = pode(sessao, 'webhooks.ver', 'webhooks.gerir');
      const [tarefas, notas, fila, doExtrato, daImportacao, webhooks, saudes] = await Promise.all([
        dominio.tarefas.tarefasDoDia(dia),
        pode(sessao, 'nfcom.ver') ? dominio.notas.doDia(dia) : null,
        dominio.tarefas.filaDaRede(),
        dominio.extratos.listar({ pagina: 1, porPagina: EXTRATOS }),
        importa ? servicos.importacoes.listar(sessao.provedor.id, IMPORTACOES) : [],
        veWebhooks ? servicos.webhooks.listar(sessao.provedor.id) : [],
        veWebhooks ? servicos.webhooks.saude(sessao.provedor.id) : new Map<number, SaudeDoWebhook>(),
      ]);
      return {
        tela: {
          titulo: 'Tarefas',
          menu: 'tarefas',
          corpo: html`<div ${parteViva({ id: 'trabalho', endereco, tipos: ['tarefa'] })}>
              ${tarefasDoDia({ sessao, dia, hoje, tarefas })} ${notas === null ? null : notasDoDia(dia, notas)}
              ${filaDaRede(fila, agora)} ${veWebhooks ? filaDosWebhooks(webhooks, saudes, agora) : null}
            </div>
            ${extratos(sessao, doExtrato.itens)}
            ${
              importa
                ? html`<div ${parteViva({ id: 'importacoes', endereco, tipos: ['importacao'], cada: 10 })}>
                    ${importacoes(sessao.provedor.fusoHorario, daImportacao)}
                  </div>`
                : null
            }`,
        },
      };
    },
  }),
  pagina('/tarefas/rodar', {
    permissao: 'tarefas.rodar',
    consulta: QUAL,
    mostrar: async (chamada) => ({ tela: await telaDeRodar(chamada, EM_BRANCO) }),
  }),
  acao('/tarefas/rodar', {
    permissao: 'tarefas.rodar',
    consulta: QUAL,
    campos: { dia: 'texto' },
    formulario: telaDeRodar,
    async fazer({ dados, consulta: { tarefa }, mudar }) {
      await mudar(async (_, { tarefas }) => tarefas.reabrir({ tarefa, dia: dados['dia'] }));
      return { ir: '/tarefas', feito: 'reaberta' };
    },
  }),
  acao('/tarefas/extratos/{id}/{nome}', {
    permissao: 'exportar',
    // As of who gives it to a key.
    tambem: PERMISSOES_PARA_DAR['extratos:leitura'],
    prova: true,
    async fazer({ ler, mudar, sessao, parametros: { id, nome } }) {
      const usuarioId = sessao.usuario.id;
      const arquivo = await ler(async (dominio) => {
        const achado = await dominio.extratos.buscarArquivo(id, nome);
        await dominio.acessos.anotarAcesso({ usuarioId, clienteId: null, oQue: 'extrato' });
        return achado;
      });
      await mudar(async (_dominio, { exportacoes }) => exportacoes.anotar('extrato', arquivo.linhas ?? 0));
      const corpo = await arquivo.abrir({ start: 0, end: arquivo.bytes - 1 });
      const tipo = arquivo.formato === 'json' ? 'application/json' : 'application/octet-stream';
      return { arquivo: { nome: arquivo.nome, tipo, corpo } };
    },
  }),
];
