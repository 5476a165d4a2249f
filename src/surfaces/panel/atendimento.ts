import { atorDoUsuario } from '../../domain/actor.ts';
import type { ChangeTenant, ReadTenant } from '../../access/contracts.ts';
import { grupo } from '../../domain/campos/campos.ts';
import type { Forma } from '../../domain/campos/campos.ts';
import type { Dominio } from '../../domain/dominio.ts';
import { PERMISSOES_DO_PAINEL } from '../../domain/usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../../domain/usuarios/permissoes.regras.ts';
import { estadoDaSessao, provaPorFatorRecente, provaRecente } from '../../domain/usuarios/sessoes/sessoes.regras.ts';
import { readFormLists } from '../../kit/html/form.ts';
import type { FormFields } from '../../kit/html/form.ts';
import { untracked } from '../../platform/cache/trail.ts';
import { withUpload } from '../../platform/http/upload.ts';
import type { UploadedFile, UploadRead } from '../../platform/http/upload.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { comConsulta } from './componentes/tabela.ts';
import type { EstadoDoFormulario } from './formulario/estado.ts';
import { lerDigitado } from './formulario/leitura.ts';
import { provar } from './entrada/prova.ts';
import { vemDaqui, voltaSegura } from './pedido.ts';
import type { Pedido } from './pedido.ts';
import { Recusado, noFormulario } from './recusas.ts';
import type { Acao, Chamada, ChamadaDeAcao, Desfecho, Pagina, Rota } from './rota.ts';
import type { Servicos } from './servicos.ts';
import { pode } from './sessao.ts';
import type { Sessao, Visita } from './sessao.ts';

export interface AtendimentoDeps {
  readonly read: ReadTenant;
  readonly change: ChangeTenant;
  readonly servicos: Servicos;
  readonly relogio: Relogio;
}

type Quem = Sessao | Visita;

/** What came with a request. */
interface Enviado {
  readonly digitado: FormFields;
  readonly arquivo: UploadedFile | null;
}

export const temSessao = (quem: Quem): quem is Sessao => 'usuario' in quem;

/** What is done with a request whose route is known: session, permission and input are checked in this order, and then it runs. */
export function criarAtendimento({ read, change, servicos, relogio }: AtendimentoDeps) {
  function contexto(
    pedido: Pedido,
    rota: Rota,
    parametros: unknown,
    quem: Quem,
  ): Omit<Chamada<unknown, unknown, Quem>, 'dominio'> {
    return {
      parametros,
      consulta: lerConsulta(rota.consulta, pedido),
      sessao: quem,
      servicos,
      agora: relogio.agora(),
      endereco: pedido.endereco,
      origem: pedido.origem,
      deOnde: { ip: pedido.ip, requestId: pedido.requestId },
      agente: pedido.ctx.get('User-Agent'),
      parte: pedido.porHtmx ? pedido.parte : '',
    };
  }

  const lerCom =
    (quem: Quem) =>
    async <V>(trabalho: (dominio: Dominio) => Promise<V>): Promise<V> =>
      read(quem.provedor, untracked, { reader: temSessao(quem) ? quem.nome : 'visita', whole: false }, trabalho);

  async function mostrar(pedido: Pedido, rota: Pagina, parametros: unknown, quem: Quem): Promise<Desfecho> {
    const base = contexto(pedido, rota, parametros, quem);
    // The declaration says which of the two its route is given.
    return lerCom(quem)(async (dominio) => rota.mostrar({ ...base, dominio } as Chamada));
  }

  async function agir(pedido: Pedido, rota: Acao, parametros: unknown, quem: Quem): Promise<Desfecho> {
    if (!vemDaqui(pedido)) {
      throw new Recusado(
        403,
        'O pedido veio de outra página',
        'Nada foi mudado. Abra o painel e faça de novo por ele.',
      );
    }
    if (rota.arquivo !== null) {
      const { campo: field, maximo: mostBytes } = rota.arquivo;
      return withUpload(pedido.ctx, { field, mostBytes }, async (lido) => {
        const { fields, file } = recebido(lido, mostBytes);
        return agirCom(pedido, rota, parametros, quem, { digitado: fields, arquivo: file });
      });
    }
    const digitado = await readFormLists(pedido.ctx);
    if (digitado === null) throw naoChegou();
    return agirCom(pedido, rota, parametros, quem, { digitado, arquivo: null });
  }

  async function agirCom(
    pedido: Pedido,
    rota: Acao,
    parametros: unknown,
    quem: Quem,
    { digitado, arquivo }: Enviado,
  ): Promise<Desfecho> {
    const deAntes = contexto(pedido, rota, parametros, quem);
    const ler = lerCom(quem);
    let base = deAntes;
    // Only who has proved it is told what is wrong with what he sent, unless that decides whether he has to.
    const prova =
      typeof rota.prova === 'function'
        ? await rota.prova({ dados: lerDigitado(rota.campos, digitado), ler })
        : rota.prova;
    if (prova !== false && temSessao(quem)) {
      const soFator = prova === 'fator' && quem.usuario.temFator;
      if (!(soFator ? provaPorFatorRecente : provaRecente)(quem.sessao, deAntes.agora)) {
        const { endereco: para, porHtmx } = pedido;
        const { campos } = rota;
        const pergunta = await provar({ ...deAntes, digitado, sessao: quem, para, porHtmx, campos, soFator });
        if (pergunta !== null) return pergunta;
        // The session was read before he proved it.
        const provada = { provadaEm: deAntes.agora, ...(soFator ? { fatorEm: deAntes.agora } : {}) };
        base = { ...deAntes, sessao: { ...quem, sessao: { ...quem.sessao, ...provada } } };
      }
    }
    const dados = lerDigitado(rota.campos, digitado);
    const ator = temSessao(quem) ? atorDoUsuario(quem.usuario, pedido) : null;
    const chamada = {
      ...base,
      dados,
      arquivo,
      ator,
      ler,
      mudar: async (trabalho: Parameters<ChamadaDeAcao['mudar']>[0]) => {
        if (ator === null) throw new Error(`${rota.caminho}: a visitor changes nothing by himself`);
        return change(ator, quem.provedor, trabalho);
      },
    } as unknown as ChamadaDeAcao;
    try {
      return await rota.fazer(chamada);
    } catch (error) {
      const volta = rota.formulario === null ? null : noFormulario(error, semSegredos(rota, digitado));
      if (volta === null || rota.formulario === null) throw error;
      const { formulario } = rota;
      const tela = await ler(async (dominio) => formulario({ ...base, dominio } as Chamada, volta.estado));
      return { tela, status: volta.status };
    }
  }

  return {
    /** @throws Recusado, or a refusal of the domain */
    async atender(pedido: Pedido, rota: Rota, parametros: unknown, quem: Quem): Promise<Desfecho> {
      if (rota.acesso !== 'publico' && temSessao(quem)) {
        const estado = estadoDaSessao(quem, relogio.agora());
        if (estado !== 'pronta' && rota.acesso === 'completo') {
          // Of a part of a page nobody wants to be shown that part alone.
          const volta = rota.metodo === 'GET' && !pedido.porHtmx ? voltaSegura(pedido.endereco) : '';
          return { ir: comConsulta(estado === 'segundo_fator' ? '/entrar/fator' : '/entrar/novo-fator', { volta }) };
        }
        exigirPermissao(rota, quem);
      }
      return rota.metodo === 'GET' ? mostrar(pedido, rota, parametros, quem) : agir(pedido, rota, parametros, quem);
    },
  };
}

const naoChegou = (): Recusado =>
  new Recusado(400, 'O formulário não chegou inteiro', 'Nada foi mudado. Volte, recarregue a página e envie de novo.');

const KIB = 1024;

/** @throws Recusado */
function recebido({ upload, fault }: UploadRead, maximo: number): { fields: FormFields; file: UploadedFile | null } {
  if (upload !== undefined) return upload;
  if (fault !== 'size') throw naoChegou();
  const limite = maximo < KIB * KIB ? `${maximo / KIB} KiB` : `${maximo / KIB / KIB} MiB`;
  throw new Recusado(413, 'O arquivo é grande demais', `Nada foi mudado. Cabem arquivos de até ${limite}.`);
}

function exigirPermissao({ permissao, tambem }: Rota, sessao: Sessao): void {
  if (permissao !== null) exigirUma(typeof permissao === 'string' ? [permissao] : permissao, sessao);
  for (const uma of tambem) exigirUma([uma], sessao);
}

function exigirUma(exigidas: readonly PermissaoPainel[], sessao: Sessao): void {
  if (pode(sessao, ...exigidas)) return;
  const ditas = exigidas.map((nome) => PERMISSOES_DO_PAINEL[nome].descricao).join(' ou ');
  throw new Recusado(
    403,
    'Seu perfil não permite isto',
    `Falta a permissão de ${ditas}. Quem gere os usuários do provedor pode dá-la ao perfil ${sessao.perfil.nome}.`,
  );
}

/** The parameters that the page knows; an empty one is none, as forms send it. @throws Recusado naming the parameter */
function lerConsulta(forma: Forma, { ctx }: Pedido): unknown {
  const dados: Record<string, string> = {};
  for (const [nome, valor] of ctx.URL.searchParams) {
    if (Object.hasOwn(forma, nome) && valor !== '') dados[nome] ??= valor;
  }
  const lida = grupo(forma)(dados);
  if ('valor' in lida) return lida.valor;
  const ditas = lida.faltas.map(({ campo, mensagem }) => `${campo ?? 'endereço'}: ${mensagem}`).join('; ');
  throw new Recusado(400, 'O endereço não está certo', `${ditas}. Volte e escolha de novo.`);
}

/** What was typed, without what must not stand in a page. */
function semSegredos({ campos }: Acao, digitado: EstadoDoFormulario['digitado']): EstadoDoFormulario['digitado'] {
  return new Map([...digitado].filter(([nome]) => campos[nome] !== 'segredo' && !nome.startsWith('_')));
}
