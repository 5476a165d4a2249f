import { camposDoPop } from '../../../../domain/rede/pops/pops.service.ts';
import type { Pop } from '../../../../domain/rede/pops/pops.types.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { EM_BRANCO, preenchido, recusado } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { comVersao } from '../../formulario/versao.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { CAMPOS_DO_POP, formularioDoPop, listaDePops, novoPop } from './telas.ts';

type DoPop = Chamada<{ readonly pop: number }>;

const DOS_POPS = [
  ['Rede', '/rede'],
  ['POPs', '/rede/pops'],
] as const;

async function acharPop({ dominio, parametros }: DoPop): Promise<Pop> {
  const pop = (await dominio.rede.pops()).find(({ id }) => id === parametros.pop);
  if (pop === undefined) throw naoEncontrado();
  return pop;
}

const telaDoNovo = async (_: Chamada, estado: EstadoDoFormulario): Promise<Tela> => ({
  titulo: 'Novo POP',
  menu: 'rede',
  migalhas: DOS_POPS,
  corpo: formularioDoPop(estado, null),
});

async function telaDaMudanca(chamada: DoPop, estado: EstadoDoFormulario): Promise<Tela> {
  const pop = await acharPop(chamada);
  const { nome } = pop;
  const atual = recusado(estado) ? estado : preenchido(camposDoPop(pop));
  return { titulo: nome, menu: 'rede', migalhas: DOS_POPS, corpo: formularioDoPop(atual, pop) };
}

async function telaDaRemocao(chamada: DoPop, estado: EstadoDoFormulario): Promise<Tela> {
  const { id, nome } = await acharPop(chamada);
  return {
    titulo: 'Remover o POP',
    menu: 'rede',
    migalhas: DOS_POPS,
    corpo: cartao(
      null,
      formulario({
        para: `/rede/pops/${id}/remover`,
        estado,
        rotulos: {},
        corpo: html`<p>
          O POP <strong>${nome}</strong> deixa de existir. Avisos já encerrados continuam no histórico, sem o nome dele.
        </p>`,
        enviar: 'Remover POP',
        volta: '/rede/pops',
        perigoso: true,
      }),
    ),
  };
}

export const POPS: readonly Rota[] = [
  pagina('/rede/pops', {
    permissao: 'rede.ver',
    async mostrar({ dominio, sessao }) {
      const [pops, servidores] = await Promise.all([dominio.rede.pops(), dominio.rede.servidores()]);
      return {
        tela: {
          titulo: 'POPs',
          menu: 'rede',
          migalhas: [['Rede', '/rede']],
          acoes: novoPop(sessao),
          corpo: listaDePops(sessao, pops, servidores),
        },
      };
    },
  }),
  pagina('/rede/pops/novo', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDoNovo(chamada, EM_BRANCO) }),
  }),
  acao('/rede/pops/novo', {
    permissao: 'rede.gerir',
    campos: CAMPOS_DO_POP,
    formulario: telaDoNovo,
    async fazer({ dados, mudar }) {
      await mudar(async (_, { pops }) => pops.criar(dados));
      return { ir: '/rede/pops', feito: 'criado' };
    },
  }),
  pagina('/rede/pops/{pop}', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDaMudanca(chamada, EM_BRANCO) }),
  }),
  acao('/rede/pops/{pop}', {
    permissao: 'rede.gerir',
    campos: { ...CAMPOS_DO_POP, versao: 'texto' },
    formulario: telaDaMudanca,
    async fazer({ dados: digitados, mudar, parametros: { pop } }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_, { pops }) => pops.alterar(pop, dados, lida));
      return { ir: '/rede/pops', feito: 'salvo' };
    },
  }),
  pagina('/rede/pops/{pop}/remover', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDaRemocao(chamada, EM_BRANCO) }),
  }),
  acao('/rede/pops/{pop}/remover', {
    permissao: 'rede.gerir',
    formulario: telaDaRemocao,
    async fazer({ mudar, parametros: { pop } }) {
      await mudar(async (_, { pops }) => pops.remover(pop));
      return { ir: '/rede/pops', feito: 'removido' };
    },
  }),
];
