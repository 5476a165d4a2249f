import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import { data, escolha, id, texto } from '../../../domain/campos/leitores.ts';
import type { Destino } from '../../../domain/chamados/fila/destinos.ts';
import { html } from '../../../kit/html/html.ts';
import { ownIteration } from '../../../platform/timing/iteration.ts';
import { BASE } from '../ativos/ativos.ts';
import { Recusado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { pode } from '../sessao.ts';
import { telaDaAgenda } from './agenda.ts';
import { DO_CHAMADO } from './chamado.rotas.ts';
import { telaDaFila } from './fila/telas.ts';
import { CONSULTA_DA_FILA, avisosDaFila } from './fila/filtros.ts';
import { clienteDigitado, telaDoNovo } from './novo.ts';
import { DE_VARIOS } from './varios.rotas.ts';

export const CHAMADOS: readonly Rota[] = [
  pagina('/chamados', {
    permissao: 'chamados.ver',
    consulta: CONSULTA_DA_FILA,
    async mostrar(chamada) {
      const { dominio, sessao, consulta, agora } = chamada;
      const { visao = 'fila', apos, dia, ...outros } = consulta;
      const hoje = hojeEm(sessao.provedor.fusoHorario, agora);
      const filtro = { ...outros, dia: visao === 'dia' ? (dia ?? hoje) : visao === 'fechados' ? dia : undefined };
      const { esperando, ...mais } = filtro;
      const usuarioId = sessao.usuario.id;
      const [lista, contagem, responsaveis, avisos] = await Promise.all([
        dominio.filaDeChamados.listar({ ...mais, visao, usuarioId, esperando: esperando === 'sim' }, apos),
        dominio.filaDeChamados.contar(usuarioId),
        dominio.filaDeChamados.responsaveis(),
        avisosDaFila(chamada),
      ]);
      // Every queue that is open has waited for the same rows.
      await ownIteration();
      const destinos =
        visao === 'meus' ? await dominio.filaDeChamados.destinos(lista.itens) : new Map<number, Destino>();
      return {
        tela: {
          titulo: 'Chamados',
          menu: 'chamados',
          acoes:
            pode(sessao, 'chamados.atender') && pode(sessao, 'clientes.ver')
              ? html`<a class="btn btn-primary" href="${BASE}/chamados/novo">Novo chamado</a>`
              : null,
          corpo: telaDaFila({
            chamada,
            visao,
            filtro,
            contagem,
            pagina: lista,
            responsaveis,
            avisos,
            destinos,
            seguinte: apos !== undefined,
          }),
        },
      };
    },
  }),

  pagina('/chamados/agenda', {
    permissao: 'chamados.ver',
    consulta: { dia: opcional(data), dias: opcional(escolha(['1', '7'])), responsavel: opcional(id) },
    mostrar: async (chamada) => ({ tela: await telaDaAgenda(chamada, chamada.consulta) }),
  }),

  pagina('/chamados/novo', {
    permissao: 'chamados.atender',
    tambem: ['clientes.ver'],
    consulta: { cliente: opcional(id), contrato: opcional(id), q: opcional(texto(1, 120)) },
    mostrar: async (chamada) => ({
      tela: await telaDoNovo(chamada, {
        clienteId: chamada.consulta.cliente,
        contratoId: chamada.consulta.contrato,
        q: chamada.consulta.q,
      }),
    }),
  }),

  acao('/chamados/novo', {
    permissao: 'chamados.atender',
    // Whoever may see no client says nothing of any.
    tambem: ['clientes.ver'],
    campos: {
      cliente_id: 'texto',
      contrato_id: 'apagavel',
      assunto: 'texto',
      descricao: 'texto',
      prioridade: 'texto',
      categoria: 'apagavel',
      responsavel_id: 'apagavel',
    },
    formulario: async (chamada, estado) => telaDoNovo(chamada, { clienteId: clienteDigitado(estado) }, estado),
    async fazer({ dados, mudar, sessao }) {
      if (typeof dados['responsavel_id'] === 'string' && !pode(sessao, 'chamados.atribuir')) {
        throw new Recusado(403, 'Seu perfil não permite isto', 'Abra o chamado sem responsável, ou assuma-o depois.');
      }
      const aberto = await mudar(async (_d, { atendimento }) => atendimento.abrir(dados));
      return { ir: `/chamados/${aberto}`, feito: 'criado' };
    },
  }),

  // Before what has a ticket's number in the same place.
  ...DE_VARIOS,
  ...DO_CHAMADO,
];
