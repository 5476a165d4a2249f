import { escreverHorario } from '../../../../brazil/calendario/horario.ts';
import { opcional } from '../../../../domain/campos/campos.ts';
import { escolha, id, ipv4 } from '../../../../domain/campos/leitores.ts';
import type { AvisoComAlvos } from '../../../../domain/rede/avisos/avisos.types.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { EM_BRANCO, preenchido, recusado } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { ROTULOS_DO_AVISO, formularioDoAviso, horario, palavrasDoAviso } from './formulario.ts';
import type { Alcance } from './formulario.ts';
import { CAMPOS_DO_AVISO, alvosDe, comHorarios, estadoDe, lerNomes, lerOfertas, vistoDe } from './leitura.ts';
import { acoesDoAviso, acoesDosAvisos, fichaDoAviso, listaDeAvisos } from './telas.ts';

type DoAviso = Chamada<{ readonly aviso: number }>;

const POR_PAGINA = 30;
const DOS_AVISOS = [
  ['Rede', '/rede'],
  ['Avisos', '/rede/avisos'],
] as const;

async function acharAviso({ dominio, parametros }: DoAviso): Promise<AvisoComAlvos> {
  const aviso = await dominio.avisosDeRede.buscar(parametros.aviso);
  if (aviso === null) throw naoEncontrado();
  return aviso;
}

const telaDoNovo = async (
  { dominio }: Pick<Chamada, 'dominio'>,
  estado: EstadoDoFormulario,
  alcance: Alcance | null = null,
): Promise<Tela> => ({
  titulo: 'Novo aviso',
  menu: 'rede',
  migalhas: DOS_AVISOS,
  corpo: formularioDoAviso(estado, await lerOfertas(dominio), alcance),
});

/** A form of an open notice, which carries its version. */
async function telaDoAberto(chamada: DoAviso, estado: EstadoDoFormulario, qual: 'editar' | 'encerrar'): Promise<Tela> {
  const aviso = await acharAviso(chamada);
  const { fusoHorario: fuso } = chamada.sessao.provedor;
  const { id: avisoId, titulo, tipo, texto, previsao, atualizadoEm } = aviso;
  const conhecido = preenchido({
    tipo,
    titulo,
    texto,
    previsao: previsao === null ? null : escreverHorario(fuso, previsao),
    atualizado_em: atualizadoEm.toISOString(),
  });
  const atual = recusado(estado) ? estado : conhecido;
  const versao = escondido('atualizado_em', atual.digitado.get('atualizado_em')?.[0] ?? atualizadoEm.toISOString());
  const corpo =
    qual === 'editar'
      ? html`${palavrasDoAviso(atual)} ${horario(atual, 'previsao', 'Vazio: não se sabe.')}`
      : html`<p>O robô deixa de dizer este aviso, e ele passa aos encerrados. Não pode ser reaberto.</p>
          ${horario(recusado(estado) ? estado : EM_BRANCO, 'fim', 'Quando acabou; vazio: agora.')}`;
  return {
    titulo: qual === 'editar' ? 'Mudar o aviso' : 'Encerrar o aviso',
    menu: 'rede',
    migalhas: [...DOS_AVISOS, [titulo, `/rede/avisos/${avisoId}`]],
    corpo: cartao(
      null,
      formulario({
        para: `/rede/avisos/${avisoId}/${qual}`,
        estado,
        rotulos: ROTULOS_DO_AVISO,
        corpo: html`${versao} ${corpo}`,
        enviar: qual === 'editar' ? 'Salvar' : 'Encerrar aviso',
        volta: `/rede/avisos/${avisoId}`,
      }),
    ),
  };
}

const telaDaMudanca = async (chamada: DoAviso, estado: EstadoDoFormulario): Promise<Tela> =>
  telaDoAberto(chamada, estado, 'editar');
const telaDoFim = async (chamada: DoAviso, estado: EstadoDoFormulario): Promise<Tela> =>
  telaDoAberto(chamada, estado, 'encerrar');

export const AVISOS: readonly Rota[] = [
  pagina('/rede/avisos', {
    permissao: 'rede.ver',
    consulta: { situacao: opcional(escolha(['abertos', 'encerrados'])), antes: opcional(id) },
    async mostrar({ dominio, sessao, consulta: { situacao = 'abertos', antes } }) {
      const lidos = await dominio.avisosDeRede.listar({ situacao, antesDe: antes }, POR_PAGINA + 1);
      const avisos = lidos.slice(0, POR_PAGINA);
      const proxima = lidos.length > POR_PAGINA ? (avisos.at(-1)?.id ?? null) : null;
      const nomes = await lerNomes(dominio);
      return {
        tela: {
          titulo: 'Avisos da rede',
          menu: 'rede',
          migalhas: [['Rede', '/rede']],
          acoes: acoesDosAvisos(sessao),
          corpo: listaDeAvisos({ sessao, situacao, avisos, nomes, proxima }),
        },
      };
    },
  }),
  pagina('/rede/avisos/novo', {
    permissao: 'rede.gerir',
    consulta: { nas: opcional(ipv4) },
    mostrar: async (chamada) => {
      const { nas } = chamada.consulta;
      return {
        tela: await telaDoNovo(chamada, preenchido({ tipo: 'interrupcao', nas: nas === undefined ? null : [nas] })),
      };
    },
  }),
  // Who is covered is shown first, and again when that has changed; then it is opened.
  acao('/rede/avisos/novo', {
    permissao: 'rede.gerir',
    campos: CAMPOS_DO_AVISO,
    formulario: telaDoNovo,
    async fazer({ dados, sessao, ler, mudar }) {
      const { tipo, titulo, texto, visto } = dados;
      const alvos = alvosDe(dados);
      const horarios = comHorarios(sessao.provedor.fusoHorario, dados, ['inicio', 'previsao']);
      if (visto !== vistoDe(dados)) {
        const tela = await ler(async (dominio) => {
          const cobertura = await dominio.avisosDeRede.previa(alvos);
          return telaDoNovo({ dominio }, estadoDe(dados), { cobertura, visto: vistoDe(dados) });
        });
        return { tela };
      }
      const aberto = await mudar(async (_, { avisosDeRede }) =>
        avisosDeRede.abrir({ tipo, titulo, texto, ...horarios, alvos }),
      );
      return { ir: `/rede/avisos/${aberto.id}`, feito: 'criado' };
    },
  }),
  pagina('/rede/avisos/{aviso}', {
    permissao: 'rede.ver',
    async mostrar(chamada) {
      const aviso = await acharAviso(chamada);
      const { dominio, sessao } = chamada;
      const [cobertura, nomes] = await Promise.all([dominio.avisosDeRede.cobertura(aviso), lerNomes(dominio)]);
      return {
        tela: {
          titulo: aviso.titulo,
          menu: 'rede',
          migalhas: DOS_AVISOS,
          acoes: acoesDoAviso(sessao, aviso),
          corpo: fichaDoAviso(sessao, aviso, cobertura, nomes),
        },
      };
    },
  }),
  acao('/rede/avisos/{aviso}/confirmar', {
    permissao: 'rede.gerir',
    campos: { atualizado_em: 'texto' },
    async fazer({ dados, mudar, parametros: { aviso } }) {
      await mudar(async (_, { avisosDeRede }) => avisosDeRede.confirmar(aviso, dados));
      return { ir: `/rede/avisos/${aviso}`, feito: 'aviso_confirmado' };
    },
  }),
  pagina('/rede/avisos/{aviso}/editar', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDaMudanca(chamada, EM_BRANCO) }),
  }),
  acao('/rede/avisos/{aviso}/editar', {
    permissao: 'rede.gerir',
    campos: { tipo: 'texto', titulo: 'texto', texto: 'texto', previsao: 'apagavel', atualizado_em: 'texto' },
    formulario: telaDaMudanca,
    async fazer({ dados, sessao, mudar, parametros: { aviso } }) {
      const horarios = comHorarios(sessao.provedor.fusoHorario, dados, ['previsao']);
      await mudar(async (_, { avisosDeRede }) => avisosDeRede.alterar(aviso, { ...dados, ...horarios }));
      return { ir: `/rede/avisos/${aviso}`, feito: 'salvo' };
    },
  }),
  pagina('/rede/avisos/{aviso}/encerrar', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDoFim(chamada, EM_BRANCO) }),
  }),
  acao('/rede/avisos/{aviso}/encerrar', {
    permissao: 'rede.gerir',
    campos: { fim: 'texto', atualizado_em: 'texto' },
    formulario: telaDoFim,
    async fazer({ dados, sessao, mudar, parametros: { aviso } }) {
      const horarios = comHorarios(sessao.provedor.fusoHorario, dados, ['fim']);
      await mudar(async (_, { avisosDeRede }) => avisosDeRede.encerrar(aviso, { ...dados, ...horarios }));
      return { ir: `/rede/avisos/${aviso}`, feito: 'encerrado' };
    },
  }),
];
