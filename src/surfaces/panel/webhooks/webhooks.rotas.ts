import { inicioDoDiaEm, lerData, somarDias } from '../../../brazil/calendario/datas.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import { data, escolha, id, texto } from '../../../domain/campos/leitores.ts';
import { faltaEm } from '../../../domain/erros.ts';
import { ESTADOS_DE_ENTREGA } from '../../../domain/webhooks/webhooks.types.ts';
import type { Webhook } from '../../../domain/webhooks/webhooks.types.ts';
import { html } from '../../../kit/html/html.ts';
import { instante } from '../componentes/escrita.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { gravarPermissoes } from '../perfis/cartao-de-permissoes.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { telaDeUm } from './detalhe.ts';
import {
  CAMPOS_NA_TELA,
  formaDe,
  telaDeAlterar,
  telaDeNovo,
  telaDeReenviarDesde,
  telaDeRemover,
  telaDoSegredo,
} from './formularios.ts';
import { CAMINHO, CARTAO_DOS_WEBHOOKS, telaDoSegredoNovo, telaDosWebhooks } from './telas.ts';

type DeUm = Pick<Chamada<{ readonly id: number }>, 'parametros' | 'servicos' | 'sessao'>;

async function exigir({ parametros: { id: qual }, servicos, sessao }: DeUm): Promise<Webhook> {
  const webhook = await servicos.webhooks.buscar(sessao.provedor.id, qual);
  if (webhook === null) throw naoEncontrado();
  return webhook;
}

const comUm =
  (tela: (webhook: Webhook, estado: EstadoDoFormulario) => Tela) =>
  async (chamada: DeUm, estado: EstadoDoFormulario): Promise<Tela> =>
    tela(await exigir(chamada), estado);

const DO_REGISTRO = {
  situacao: opcional(escolha(ESTADOS_DE_ENTREGA)),
  evento: opcional(texto(1, 60)),
  de: opcional(data),
  ate: opcional(data),
  antes: opcional(id),
  aberta: opcional(id),
} as const;

const POR_PAGINA = 30;
const DIA_MS = 86_400_000;
/** Failures that a button sends again: of as long as they are kept, less the time that the request itself takes. */
const DE_TODO_O_REGISTRO_MS = 30 * DIA_MS - 60_000;

/** A day that was typed, as the instant at which it begins where the provider is. @throws CamposInvalidos */
function inicioDo(fuso: string, campo: string, valor: unknown, mais = 0): Date | undefined {
  if (comoTexto(valor) === '') return undefined;
  const dia = lerData(comoTexto(valor));
  if (dia === null) faltaEm(campo, 'deve ser um dia que exista');
  return inicioDoDiaEm(fuso, somarDias(dia, mais));
}

const GERE = 'webhooks.gerir';

/** Where events are sent: made, changed, tested and removed; what was sent, and sending it again. */
export const WEBHOOKS: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao: ['webhooks.ver', GERE],
    async mostrar({ servicos, sessao, agora }) {
      const { id: provedorId } = sessao.provedor;
      const webhooks = await servicos.webhooks.listar(provedorId);
      const saudes = await servicos.webhooks.saude(provedorId);
      const perfis = await servicos.perfis.listar(provedorId);
      return { tela: telaDosWebhooks({ sessao, webhooks, saudes, perfis, agora }) };
    },
  }),

  acao(`${CAMINHO}/permissoes`, {
    permissao: 'usuarios.gerir',
    prova: true,
    campos: { gerir: 'lista', ver: 'lista', versao: 'texto' },
    async fazer(chamada) {
      await gravarPermissoes(CARTAO_DOS_WEBHOOKS, chamada);
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),

  pagina(`${CAMINHO}/novo`, {
    permissao: GERE,
    mostrar: async () => Promise.resolve({ tela: telaDeNovo(EM_BRANCO) }),
  }),

  acao(`${CAMINHO}/novo`, {
    permissao: GERE,
    prova: true,
    campos: CAMPOS_NA_TELA,
    formulario: async (_chamada, estado) => Promise.resolve(telaDeNovo(estado)),
    async fazer(chamada) {
      const { ator, dados, servicos, sessao } = chamada;
      const { id: novo, segredo } = await servicos.webhooks.criar(ator, sessao.provedor.id, dados);
      const webhook = await exigir({ ...chamada, parametros: { id: novo } });
      return { tela: telaDoSegredoNovo(webhook, segredo, null) };
    },
  }),

  pagina(`${CAMINHO}/{id}`, {
    permissao: ['webhooks.ver', GERE],
    consulta: DO_REGISTRO,
    async mostrar(chamada) {
      const { servicos, sessao, consulta, agora } = chamada;
      const { id: provedorId, fusoHorario } = sessao.provedor;
      const webhook = await exigir(chamada);
      const { situacao, evento, de, ate, antes, aberta } = consulta;
      const filtro = {
        situacao,
        tipo: evento,
        de: de === undefined ? undefined : inicioDoDiaEm(fusoHorario, de),
        ate: ate === undefined ? undefined : new Date(inicioDoDiaEm(fusoHorario, somarDias(ate, 1)).getTime() - 1),
        antesDe: antes,
      };
      const lidas = await servicos.webhooks.entregas(provedorId, webhook.id, filtro, POR_PAGINA + 1);
      const entregas = lidas.slice(0, POR_PAGINA);
      return {
        tela: telaDeUm({
          sessao,
          webhook,
          saude: (await servicos.webhooks.saude(provedorId, webhook.id)).get(webhook.id),
          medianaMs: await servicos.webhooks.mediana(provedorId, webhook.id),
          entregas,
          proxima: lidas.length > POR_PAGINA ? (entregas.at(-1)?.id ?? null) : null,
          aberta: aberta === undefined ? null : await servicos.webhooks.entrega(provedorId, webhook.id, aberta),
          consulta: { situacao, evento, de, ate },
          agora,
        }),
      };
    },
  }),

  pagina(`${CAMINHO}/{id}/alterar`, {
    permissao: GERE,
    async mostrar(chamada) {
      const webhook = await exigir(chamada);
      return { tela: telaDeAlterar(webhook, formaDe(webhook)) };
    },
  }),

  acao(`${CAMINHO}/{id}/alterar`, {
    permissao: GERE,
    // Another address gets all that comes, as a new webhook would.
    prova: true,
    campos: { ...CAMPOS_NA_TELA, atualizado_em: 'texto' },
    formulario: comUm(telaDeAlterar),
    async fazer({ ator, dados, parametros: { id: qual }, servicos, sessao }) {
      await servicos.webhooks.alterar(ator, sessao.provedor.id, qual, dados);
      return { ir: `${CAMINHO}/${qual}`, feito: 'salvo' };
    },
  }),

  acao(`${CAMINHO}/{id}/pausar`, {
    permissao: GERE,
    async fazer({ ator, parametros: { id: qual }, servicos, sessao }) {
      await servicos.webhooks.alterar(ator, sessao.provedor.id, qual, { situacao: 'pausado' });
      return { ir: `${CAMINHO}/${qual}`, feito: 'pausado' };
    },
  }),

  acao(`${CAMINHO}/{id}/ativar`, {
    permissao: GERE,
    async fazer({ ator, parametros: { id: qual }, servicos, sessao }) {
      await servicos.webhooks.alterar(ator, sessao.provedor.id, qual, { situacao: 'ativo' });
      return { ir: `${CAMINHO}/${qual}`, feito: 'webhook_ativo' };
    },
  }),

  acao(`${CAMINHO}/{id}/testar`, {
    permissao: GERE,
    async fazer({ ator, parametros: { id: qual }, servicos, sessao }) {
      const { entregaId } = await servicos.webhooks.testar(ator, sessao.provedor, qual, {});
      return { ir: `${CAMINHO}/${qual}?aberta=${entregaId}` };
    },
  }),

  acao(`${CAMINHO}/{id}/reenviar`, {
    permissao: GERE,
    async fazer({ agora, ator, parametros: { id: qual }, servicos, sessao }) {
      const de = new Date(agora.getTime() - DE_TODO_O_REGISTRO_MS);
      await servicos.webhooks.reenviarDesde(ator, sessao.provedor.id, qual, { de });
      return { ir: `${CAMINHO}/${qual}`, feito: 'reenviado' };
    },
  }),

  pagina(`${CAMINHO}/{id}/reenviar-desde`, {
    permissao: GERE,
    mostrar: async (chamada) => ({ tela: telaDeReenviarDesde(await exigir(chamada), EM_BRANCO) }),
  }),

  acao(`${CAMINHO}/{id}/reenviar-desde`, {
    permissao: GERE,
    campos: { de: 'texto', ate: 'texto', tudo: 'lista' },
    formulario: comUm(telaDeReenviarDesde),
    async fazer({ agora, ator, dados, parametros: { id: qual }, servicos, sessao }) {
      const fuso = sessao.provedor.fusoHorario;
      const ate = inicioDo(fuso, 'ate', dados['ate'], 1);
      await servicos.webhooks.reenviarDesde(ator, sessao.provedor.id, qual, {
        de: inicioDo(fuso, 'de', dados['de']),
        ate: ate === undefined || ate > agora ? undefined : ate,
        so_falhas: !(Array.isArray(dados['tudo']) && dados['tudo'].length > 0),
      });
      return { ir: `${CAMINHO}/${qual}`, feito: 'reenviado' };
    },
  }),

  acao(`${CAMINHO}/{id}/entregas/{entrega}/reenviar`, {
    permissao: GERE,
    async fazer({ ator, parametros: { id: qual, entrega }, servicos, sessao }) {
      await servicos.webhooks.reenviar(ator, sessao.provedor.id, qual, entrega);
      return { ir: `${CAMINHO}/${qual}?aberta=${entrega}`, feito: 'reenviado' };
    },
  }),

  pagina(`${CAMINHO}/{id}/segredo`, {
    permissao: GERE,
    mostrar: async (chamada) => ({ tela: telaDoSegredo(await exigir(chamada), preenchido({ manter_horas: 24 })) }),
  }),

  acao(`${CAMINHO}/{id}/segredo`, {
    permissao: GERE,
    prova: true,
    campos: { manter_horas: 'texto' },
    formulario: comUm(telaDoSegredo),
    async fazer(chamada) {
      const { ator, dados, parametros, servicos, sessao } = chamada;
      const nova = await servicos.webhooks.trocarSegredo(ator, sessao.provedor.id, parametros.id, dados);
      const webhook = await exigir(chamada);
      const ate = webhook.anteriorAte;
      const mais =
        ate === null
          ? 'O anterior já não assina.'
          : html`O anterior assina até ${instante(sessao.provedor.fusoHorario, ate)}.`;
      return { tela: telaDoSegredoNovo(webhook, nova.segredo, mais) };
    },
  }),

  pagina(`${CAMINHO}/{id}/remover`, {
    permissao: GERE,
    mostrar: async (chamada) => ({ tela: telaDeRemover(await exigir(chamada), EM_BRANCO) }),
  }),

  acao(`${CAMINHO}/{id}/remover`, {
    permissao: GERE,
    prova: true,
    formulario: comUm(telaDeRemover),
    async fazer({ ator, parametros: { id: qual }, servicos, sessao }) {
      await servicos.webhooks.remover(ator, sessao.provedor.id, qual);
      return { ir: CAMINHO, feito: 'removido' };
    },
  }),
];
