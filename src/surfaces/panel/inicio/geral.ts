import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Geral } from '../../../domain/indicadores/geral.service.ts';
import { TAREFAS_DITAS } from '../../../domain/tarefas/tarefas.types.ts';
import type { Webhook } from '../../../domain/webhooks/webhooks.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta } from '../componentes/cartao.ts';
import { escreverData, escreverReais, ha, hora, inteiro, quantos } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import type { Chamada } from '../rota.ts';
import { pode } from '../sessao.ts';
import { mudou, numeroDoDia } from './numeros.ts';
import { CAMINHO as WEBHOOKS, estadoDe, nomeDe } from '../webhooks/telas.ts';
import { passos } from './passos.ts';

/** Beginnings of days and yesterday at this hour are what these are compared with. */
const COMECO = 'começo do dia';

const PRIORIDADES = { urgente: 'red', alta: 'orange', normal: 'blue', baixa: 'secondary' } as const;

/** How things stand now, and what waits for somebody. */
export async function geral(chamada: Chamada): Promise<Html> {
  const { dominio, sessao, servicos, agora } = chamada;
  const [tudo, dosPassos, webhooks] = await Promise.all([
    dominio.indicadores.geral(),
    dominio.indicadores.passos(),
    pode(sessao, 'webhooks.ver', 'webhooks.gerir') ? servicos.webhooks.listar(sessao.provedor.id) : [],
  ]);
  const { fusoHorario: fuso } = sessao.provedor;
  return html`${passos(dosPassos, sessao)} ${tarefas(tudo, chamada)} ${naoEntregam(webhooks)}
    <div class="numeros">${numeros(tudo, chamada)}</div>
    <div class="colunas">
      ${pode(sessao, 'chamados.ver') ? esperando(tudo, agora) : null}
      ${pode(sessao, 'clientes.ver') ? desbloqueios(tudo, fuso) : null}
    </div>`;
}

function numeros(tudo: Geral, { agora, sessao }: Chamada): Html {
  const { fusoHorario: fuso } = sessao.provedor;
  const hoje = hojeEm(fuso, agora);
  const quando = { agora, fuso };
  const se = (para: string, ...de: Parameters<typeof pode>[1][]): string | null => (pode(sessao, ...de) ? para : null);
  const reais = (n: number): string => escreverReais(centavos(n));
  const contado = (oque: string, um: Geral['online'], para: string | null, desde = COMECO): Html =>
    numeroDoDia(
      { valor: inteiro(um.valor), oque, para, mudanca: mudou(um.mudanca, desde, inteiro), de: um.de },
      quando,
    );
  const { vencido, recebidoHoje } = tudo;
  const conexao = pode(sessao, 'conexao.ver', 'rede.ver', 'clientes.ver');
  const dinheiro = pode(sessao, 'faturas.ver');
  return html`${
    conexao
      ? html`${contado('online', tudo.online, se('/contratos?conexao=online', 'clientes.ver'))}
        ${contado('offline', tudo.offline, se('/contratos?conexao=offline', 'clientes.ver'))}
        ${contado('bloqueados', tudo.bloqueados, se('/contratos?situacao=bloqueado', 'clientes.ver'))}
        ${contado('quedas na última hora', tudo.quedas, se('?aba=rede', 'rede.ver'), 'ontem')}`
      : null
  }
  ${
    dinheiro
      ? html`${numeroDoDia(
          {
            valor: escreverReais(vencido.valor.valor),
            oque: `vencido, de ${quantos(vencido.valor.clientes, 'cliente', 'clientes')}`,
            para: '/faturas?situacao=vencida',
            mudanca: mudou(vencido.mudanca, COMECO, reais),
            de: vencido.de,
          },
          quando,
        )}
        ${numeroDoDia(
          {
            valor: escreverReais(recebidoHoje.valor),
            oque: 'recebido hoje',
            para: `/faturas?pago_de=${hoje}&pago_ate=${hoje}`,
            mudanca: mudou(recebidoHoje.mudanca, 'ontem', reais),
            de: recebidoHoje.de,
          },
          quando,
        )}`
      : null
  }
  ${pode(sessao, 'chamados.ver') ? contado('chamados abertos', tudo.chamadosAbertos, '/chamados') : null}`;
}

/** Work of the day that should be done by now. */
function tarefas({ tarefasAtrasadas }: Geral, { sessao }: Chamada): Html | null {
  if (tarefasAtrasadas.length === 0 || !pode(sessao, 'tarefas.ver')) return null;
  const ditas = tarefasAtrasadas.map(({ tarefa, dia }) => `${TAREFAS_DITAS[tarefa]} (${escreverData(dia)})`);
  return aviso(
    'warning',
    html`<strong>Tarefas que já deviam estar prontas:</strong> ${ditas.join('; ')}.
      <a href="${BASE}/tarefas">Ver tarefas</a>`,
  );
}

/** Webhooks to which nothing gets through, or to which nothing is sent any more because of that. */
function naoEntregam(webhooks: readonly Webhook[]): Html | null {
  const parados = webhooks.filter(
    ({ situacao, falhandoDesde }) => situacao === 'desativado' || (situacao === 'ativo' && falhandoDesde !== null),
  );
  if (parados.length === 0) return null;
  return aviso(
    'warning',
    html`<strong>Webhooks que não entregam:</strong>
      <ul class="mb-0">
        ${parados.map((um) => html`<li><a href="${BASE}${WEBHOOKS}/${um.id}">${nomeDe(um)}</a> ${estadoDe(um)}</li>`)}
      </ul>`,
  );
}

const esperando = ({ esperando: chamados }: Geral, agora: Date): Html =>
  cartao(
    'Chamados que esperam há mais tempo',
    tabela({
      legenda: 'Chamados abertos sem resposta da equipe',
      linhas: chamados,
      colunas: [
        {
          titulo: 'Chamado',
          principal: true,
          celula: ({ id, assunto }) => html`<a href="${BASE}/chamados/${id}">#${id} ${assunto}</a>`,
        },
        {
          titulo: 'Cliente',
          celula: ({ clienteId, clienteNome }) => html`<a href="${BASE}/clientes/${clienteId}">${clienteNome}</a>`,
        },
        {
          titulo: 'Prioridade',
          celula: ({ prioridade }) =>
            etiqueta(
              prioridade,
              prioridade in PRIORIDADES ? PRIORIDADES[prioridade as keyof typeof PRIORIDADES] : 'secondary',
            ),
        },
        { titulo: 'Aberto', direita: true, celula: ({ abertoEm }) => ha(agora, abertoEm) },
      ],
      vazia: vazio('circle-check', 'Ninguém espera', 'Todo chamado aberto já teve uma resposta da equipe.'),
    }),
    { rente: true },
  );

const desbloqueios = ({ desbloqueios: todos }: Geral, fuso: string): Html =>
  cartao(
    'Desbloqueios em confiança que acabam hoje',
    tabela({
      legenda: 'Desbloqueios em confiança que acabam hoje',
      linhas: todos,
      colunas: [
        {
          titulo: 'Contrato',
          principal: true,
          celula: ({ contratoId, clienteNome }) =>
            html`<a href="${BASE}/contratos/${contratoId}">${clienteNome}, contrato ${contratoId}</a>`,
        },
        { titulo: 'Até', direita: true, celula: ({ ate }) => hora(fuso, ate) },
      ],
      vazia: vazio('lock-open', 'Nenhum acaba hoje', 'Quem foi desbloqueado em confiança e ainda deve aparece aqui.'),
    }),
    { rente: true },
  );
