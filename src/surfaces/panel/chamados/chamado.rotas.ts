import { opcional } from '../../../domain/campos/campos.ts';
import { escolha } from '../../../domain/campos/leitores.ts';
import type { Escritas } from '../../../domain/dominio.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import { voltaSegura } from '../pedido.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { telaDoChamado } from './chamado.ts';
import { MODOS, NOMES_DOS_MODOS, comVersao } from './composicao.ts';
import type { Modo } from './composicao.ts';
import { instanteDoCampo } from './horas.ts';

type Campos = Readonly<Record<string, TipoDeCampo>>;

const CAMPOS: Readonly<Record<Modo, Campos>> = {
  comentar: { texto: 'texto' },
  anotar: { texto: 'texto' },
  solucionar: { texto: 'texto' },
  reabrir: { texto: 'texto' },
  mudar: { situacao: 'texto', prioridade: 'texto', categoria: 'apagavel' },
  atribuir: { responsavel_id: 'apagavel' },
  agendar: { agendado_para: 'apagavel', duracao_minutos: 'texto' },
};

/** A form of a ticket, which comes back with the ticket as it is meanwhile. */
const acaoDoModo = (modo: Modo): Rota =>
  acao(`/chamados/{id}/${modo}`, {
    permissao: MODOS[modo].permissao,
    campos: comVersao(modo) ? { ...CAMPOS[modo], atualizado_em: 'texto' } : CAMPOS[modo],
    formulario: async (chamada, estado) => telaDoChamado(chamada, modo, estado),
    async fazer({ parametros: { id }, dados, mudar, sessao }) {
      const lidos =
        modo === 'agendar'
          ? { ...dados, agendado_para: instanteDoCampo(sessao.provedor.fusoHorario, dados['agendado_para']) }
          : dados;
      await mudar(async (_d, { atendimento }: Escritas) => atendimento[modo](id, lidos));
      return { ir: `/chamados/${id}`, feito: 'salvo' };
    },
  });

export const DO_CHAMADO: readonly Rota[] = [
  pagina('/chamados/{id}', {
    permissao: 'chamados.ver',
    consulta: { fazer: opcional(escolha(NOMES_DOS_MODOS)) },
    mostrar: async (chamada) => ({ tela: await telaDoChamado(chamada, chamada.consulta.fazer) }),
  }),

  acao('/chamados/{id}/assumir', {
    permissao: 'chamados.atender',
    campos: { atualizado_em: 'texto', volta: 'texto' },
    async fazer({ parametros: { id }, dados: { volta, ...dados }, mudar }) {
      await mudar(async (_d, { atendimento }) => atendimento.assumir(id, dados));
      const para = typeof volta === 'string' ? voltaSegura(volta) : '';
      return { ir: para === '' ? `/chamados/${id}` : para, ...(para === '' ? { feito: 'salvo' } : {}) };
    },
  }),

  ...NOMES_DOS_MODOS.map(acaoDoModo),
];
