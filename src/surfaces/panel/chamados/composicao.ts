import { SITUACOES_DA_EQUIPE } from '../../../domain/chamados/equipe/equipe.campos.ts';
import type { DetalheDoChamado, Responsavel } from '../../../domain/chamados/fila/fila.types.ts';
import { podeIr } from '../../../domain/chamados/transicoes.regras.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { abas } from '../componentes/cartao.ts';
import { area, entrada, escolha } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, escondido, formulario } from '../formulario/formulario.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { CATEGORIAS, PRIORIDADES, SITUACOES, opcoesDe } from './palavras.ts';

interface DoModo {
  readonly nome: string;
  readonly permissao: PermissaoPainel;
  /** Of tickets that are open, closed, or both. */
  readonly de: 'abertos' | 'fechados' | 'todos';
  readonly enviar: string;
}

/** What can be done about a ticket that asks for something to be written or chosen. */
export const MODOS = {
  comentar: { nome: 'Comentar', permissao: 'chamados.atender', de: 'todos', enviar: 'Comentar' },
  anotar: { nome: 'Nota interna', permissao: 'chamados.atender', de: 'todos', enviar: 'Guardar a nota' },
  solucionar: { nome: 'Solucionar', permissao: 'chamados.atender', de: 'abertos', enviar: 'Solucionar' },
  reabrir: { nome: 'Reabrir', permissao: 'chamados.atender', de: 'fechados', enviar: 'Reabrir' },
  mudar: { nome: 'Alterar', permissao: 'chamados.atender', de: 'abertos', enviar: 'Salvar' },
  atribuir: { nome: 'Responsável', permissao: 'chamados.atribuir', de: 'abertos', enviar: 'Salvar' },
  agendar: { nome: 'Visita', permissao: 'chamados.agendar', de: 'abertos', enviar: 'Marcar' },
} as const satisfies Readonly<Record<string, DoModo>>;
export type Modo = keyof typeof MODOS;
export const NOMES_DOS_MODOS = Object.keys(MODOS) as readonly Modo[];

const ROTULOS = {
  situacao: 'Situação',
  prioridade: 'Prioridade',
  categoria: 'Categoria',
  responsavel_id: 'Responsável',
  agendado_para: 'Dia e hora',
  duracao_minutos: 'Duração em minutos',
  atualizado_em: 'O chamado',
};

/** What is written is called by what it becomes, in the summary of faults too. */
const NOMES_DO_TEXTO: Readonly<Partial<Record<Modo, string>>> = {
  comentar: 'Comentário',
  anotar: 'Nota interna',
  solucionar: 'Solução',
  reabrir: 'Motivo',
};

/** What somebody may do about a ticket as it is. */
function modosDe(sessao: Sessao, { fechadoEm, situacao }: DetalheDoChamado): readonly Modo[] {
  const fechado = fechadoEm !== null || situacao === 'solucionado' || situacao === 'cancelado';
  return NOMES_DOS_MODOS.filter((modo) => {
    const { permissao, de } = MODOS[modo];
    return pode(sessao, permissao) && (de === 'todos' || (de === 'fechados') === fechado);
  });
}

interface DaComposicao {
  readonly sessao: Sessao;
  readonly chamado: DetalheDoChamado;
  readonly modo: Modo;
  readonly estado: EstadoDoFormulario;
  readonly responsaveis: readonly Responsavel[];
}

/** One thing at a time, each with its own address, so that what is for the client is never typed where the staff alone reads, or the reverse. */
export function composicao({ sessao, chamado, modo, estado, responsaveis }: DaComposicao): Html {
  const todos = modosDe(sessao, chamado);
  const escolhido = todos.includes(modo) ? modo : todos[0];
  if (escolhido === undefined) return html``;
  const para = `/chamados/${chamado.id}/${escolhido}`;
  const dele = abas(
    'O que fazer',
    todos.map((um) => ({
      texto: MODOS[um].nome,
      para: `/chamados/${chamado.id}?fazer=${um}#fazer`,
      atual: um === escolhido,
    })),
  );
  const desmarcar =
    escolhido === 'agendar' && chamado.agendadoPara !== null
      ? botao({
          para,
          texto: 'Desmarcar a visita',
          valores: { agendado_para: '', atualizado_em: chamado.versao.toISOString() },
        })
      : null;
  return html`<div id="fazer">
    ${dele}
    <div class="${escolhido === 'anotar' ? 'card composicao interna' : 'card composicao'}">
      <div class="card-body">
        ${formulario({
          para,
          estado,
          rotulos: { ...ROTULOS, texto: NOMES_DO_TEXTO[escolhido] ?? '' },
          enviar: MODOS[escolhido].enviar,
          // As it is now, also where the form comes back because somebody else changed the ticket: what he did is shown beside it.
          corpo: html`${campos(escolhido, chamado, estado, responsaveis)}
          ${comVersao(escolhido) ? escondido('atualizado_em', chamado.versao.toISOString()) : null}`,
        })}
        ${desmarcar === null ? null : html`<div class="mt-3">${desmarcar}</div>`}
      </div>
    </div>
  </div>`;
}

/** What is added stands against nobody else's change; what is changed, does. */
export const comVersao = (modo: Modo): boolean => modo !== 'comentar' && modo !== 'anotar';

function campos(
  modo: Modo,
  { situacao, prioridade, categoria }: DetalheDoChamado,
  estado: EstadoDoFormulario,
  responsaveis: readonly Responsavel[],
): Html {
  const texto = (dica: string, obrigatorio = true): Html =>
    area(estado, { nome: 'texto', rotulo: NOMES_DO_TEXTO[modo] ?? '', dica, obrigatorio, maximo: 5000, linhas: 5 });
  switch (modo) {
    case 'comentar':
      return texto('O cliente pode ler, pelo app e pelos sistemas ligados à API.');
    case 'anotar':
      return texto('Só a equipe lê: não sai para o cliente nem para outros sistemas.');
    case 'solucionar':
      return texto('O que foi feito. O cliente pode ler, e o chamado é fechado.');
    case 'reabrir':
      return texto('Fica como comentário, que o cliente pode ler.', false);
    case 'mudar': {
      const situacoes = SITUACOES_DA_EQUIPE.filter((para) => para !== situacao && podeIr(situacao, para));
      return html`<div class="grade">
        ${escolha(estado, {
          nome: 'situacao',
          rotulo: 'Situação',
          vazia: `continua ${SITUACOES[situacao]}`,
          opcoes: situacoes.map((valor) => ({ valor, texto: SITUACOES[valor] })),
        })}
        ${escolha(preferir(estado, 'prioridade', prioridade), {
          nome: 'prioridade',
          rotulo: 'Prioridade',
          obrigatorio: true,
          opcoes: opcoesDe(PRIORIDADES),
        })}
        ${escolha(preferir(estado, 'categoria', categoria ?? ''), {
          nome: 'categoria',
          rotulo: 'Categoria',
          vazia: 'nenhuma',
          opcoes: opcoesDe(CATEGORIAS),
        })}
      </div>`;
    }
    case 'atribuir':
      return escolha(estado, {
        nome: 'responsavel_id',
        rotulo: ROTULOS.responsavel_id,
        vazia: 'ninguém',
        opcoes: responsaveis.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
      });
    case 'agendar':
      break;
  }
  return html`<div class="grade">
    ${entrada(estado, { nome: 'agendado_para', rotulo: 'Dia e hora', tipo: 'datetime-local', obrigatorio: true })}
    ${entrada(estado, {
      nome: 'duracao_minutos',
      rotulo: 'Duração em minutos',
      teclado: 'numeric',
      maximo: 4,
      dica: 'De 5 a 1440.',
    })}
  </div>`;
}

/** What is typed or, of a form that nobody has sent, what is. */
const preferir = (estado: EstadoDoFormulario, nome: string, valor: string): EstadoDoFormulario =>
  estado.digitado.has(nome) ? estado : { ...estado, digitado: new Map([...estado.digitado, [nome, [valor]]]) };
