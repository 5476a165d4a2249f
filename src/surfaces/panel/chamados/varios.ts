import { MAIS_DE_UMA_VEZ } from '../../../domain/chamados/equipe/varios.service.ts';
import type { RespondidosDeUmaVez } from '../../../domain/chamados/equipe/varios.service.ts';
import type { FiltroDaFila } from '../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { quantos } from '../componentes/escrita.ts';
import { comConsulta, vazio } from '../componentes/tabela.ts';
import { area, caixa, caixas } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { comoTexto } from '../formulario/leitura.ts';
import type { Chamada, Tela } from '../rota.ts';
import { CATEGORIAS, SITUACOES } from './palavras.ts';

export const VARIOS = '/chamados/varios';

const MIGALHAS = [['Chamados', '/chamados']] as const;
const ROTULOS = { chamados: 'Chamados', texto: 'Resposta', todos: 'Todos' };

type Filtro = Omit<FiltroDaFila, 'visao' | 'usuarioId' | 'esperando'> & {
  readonly esperando?: 'sim' | undefined;
  readonly depois_de?: number | undefined;
};

/** Which tickets, and what is said to all of them. */
export async function telaDeVarios(
  { dominio, sessao }: Pick<Chamada, 'dominio' | 'sessao'>,
  { esperando, depois_de, ...filtro }: Filtro,
  estado: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const { aviso: avisoId, categoria: daCategoria } = filtro;
  const deQuem = { ...filtro, esperando: esperando === 'sim', usuarioId: sessao.usuario.id };
  const [{ itens, mais }, aviso] = await Promise.all([
    dominio.filaDeChamados.primeiros(deQuem, MAIS_DE_UMA_VEZ),
    avisoId === undefined ? null : dominio.avisosDeRede.buscar(avisoId),
  ]);
  // "All" follows the notice and the category alone: where the queue was narrowed by more, it would answer what nobody sees here.
  const soDoAviso =
    esperando !== 'sim' && [filtro.situacao, filtro.origem, filtro.responsavel].every((outro) => outro === undefined);
  const corpo = html`${aviso === null ? null : escondido('aviso', String(aviso.id))}
  ${daCategoria === undefined ? null : escondido('categoria', daCategoria)}
  ${depois_de === undefined ? null : escondido('depois_de', String(depois_de))}
  ${area(estado, {
    nome: 'texto',
    rotulo: ROTULOS.texto,
    obrigatorio: true,
    maximo: 5000,
    dica: 'Cada cliente a lê no seu chamado. É também a solução, quando soluciona.',
  })}
  ${caixa(estado, { nome: 'solucionar', rotulo: 'Solucionar os chamados com esta resposta' })}
  ${
    aviso === null || !soDoAviso
      ? null
      : caixa(estado, {
          nome: 'todos',
          rotulo: `Todos os chamados em aberto do aviso “${aviso.titulo}”${daCategoria === undefined ? '' : `, na categoria ${CATEGORIAS[daCategoria]}`}`,
          dica: `${mais ? `Mais de ${MAIS_DE_UMA_VEZ} agora` : `${itens.length} agora`}, e os que chegarem até você enviar. De ${MAIS_DE_UMA_VEZ} em ${MAIS_DE_UMA_VEZ}.${daCategoria === undefined ? ' De qualquer categoria: para deixar de fora os que não falam da conexão, filtre antes pela categoria.' : ''}`,
        })
  }
  ${caixas(estado, {
    nome: 'chamados',
    rotulo: aviso === null || !soDoAviso ? ROTULOS.chamados : 'Ou só estes',
    todas: true,
    ...(mais ? { dica: `Os primeiros ${MAIS_DE_UMA_VEZ} da fila.` } : {}),
    opcoes: itens.map(({ id, assunto, clienteNome, situacao, categoria }) => ({
      valor: String(id),
      texto: `#${id} ${assunto}`,
      dica: [clienteNome, SITUACOES[situacao], ...(categoria === null ? [] : [CATEGORIAS[categoria]])].join(' · '),
    })),
  })}`;
  return {
    titulo: aviso === null ? 'Responder vários chamados' : `Responder aos chamados de “${aviso.titulo}”`,
    menu: 'chamados',
    migalhas: MIGALHAS,
    corpo: cartao(
      null,
      itens.length === 0
        ? vazio('ticket', 'Nenhum chamado em aberto aqui', 'Mude o filtro na fila.')
        : formulario({ para: VARIOS, estado, rotulos: ROTULOS, enviar: 'Responder', volta: '/chamados', corpo }),
    ),
  };
}

interface Enviado {
  /** The notice all of whose tickets were answered; null where some were marked. */
  readonly aviso: string | null;
  readonly categoria?: unknown;
  readonly texto?: unknown;
  readonly solucionar?: unknown;
}

/** What came of it, and the way on where there are more. */
export function telaDoResultado(
  { feitos, fora, continua }: RespondidosDeUmaVez,
  { aviso, categoria, texto, solucionar }: Enviado,
): Tela {
  const feito = solucionar === true ? ['solucionado', 'solucionados'] : ['respondido', 'respondidos'];
  const [um = '', varios = ''] = feito.map((palavra, n) => `chamado${n === 0 ? '' : 's'} ${palavra}`);
  return {
    titulo: 'Vários chamados respondidos',
    menu: 'chamados',
    migalhas: MIGALHAS,
    corpo: cartao(
      null,
      html`<p class="fw-bold" role="status">${quantos(feitos.length, um, varios)}.</p>
        ${fora.length === 0 ? null : deFora(fora)}
        ${
          continua === null || aviso === null
            ? html`<a class="btn btn-primary" href="${BASE}${comConsulta('/chamados', { aviso })}">Voltar à fila</a>`
            : html`<p>Há mais chamados deste aviso.</p>
                ${formulario({
                  para: VARIOS,
                  estado: EM_BRANCO,
                  rotulos: {},
                  enviar: 'Responder aos seguintes',
                  volta: '/chamados',
                  corpo: html`${escondido('aviso', aviso)} ${escondido('categoria', comoTexto(categoria))}
                  ${escondido('depois_de', String(continua))} ${escondido('todos', 'sim')}
                  ${escondido('texto', comoTexto(texto))} ${solucionar === true ? escondido('solucionar', 'sim') : null}`,
                })}`
        }`,
    ),
  };
}

const deFora = (fora: readonly number[]): Html =>
  html`<p>
    ${quantos(fora.length, 'não estava mais em aberto e ficou como está', 'não estavam mais em aberto e ficaram como estão')}:
    ${fora.map((id, n) => html`${n === 0 ? '' : ', '}<a href="${BASE}/chamados/${id}">#${id}</a>`)}.
  </p>`;
