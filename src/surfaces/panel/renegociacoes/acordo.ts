import type { RenegociacaoInteira } from '../../../domain/renegociacoes/consulta.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta, ficha } from '../componentes/cartao.ts';
import { escreverData, escreverReais, instante } from '../componentes/escrita.ts';
import { tabela } from '../componentes/tabela.ts';
import { campoDoMotivo, ROTULO_DO_MOTIVO } from '../faturas/motivo.ts';
import { situacaoDaFatura } from '../faturas/termos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';

const SITUACOES = {
  vigente: etiqueta('Em andamento', 'blue'),
  cumprida: etiqueta('Cumprida', 'green'),
  quebrada: etiqueta('Quebrada', 'red'),
} as const;

async function exigir({ dominio, parametros: { id } }: Chamada<{ readonly id: number }>): Promise<RenegociacaoInteira> {
  const acordo = await dominio.renegociacoes.buscar(id);
  if (acordo === null) throw naoEncontrado();
  return acordo;
}

/** An agreement: what it took the place of, and its instalments. */
export async function telaDoAcordo(chamada: Chamada<{ readonly id: number }>): Promise<Tela> {
  const { sessao, dominio } = chamada;
  const acordo = await exigir(chamada);
  const { id, clienteId, faturas } = acordo;
  const { fusoHorario } = sessao.provedor;
  const cliente = await dominio.clientes.buscarPorId(clienteId);
  return {
    titulo: `Renegociação ${id}`,
    menu: 'faturas',
    migalhas: [['Faturas', '/faturas']],
    acoes:
      acordo.situacao === 'vigente' && pode(sessao, 'faturas.cancelar')
        ? html`<a class="btn" href="${BASE}/renegociacoes/${id}/quebrar">Quebrar acordo</a>`
        : null,
    corpo: html`${cartao(
      'Acordo',
      ficha([
        ['Situação', SITUACOES[acordo.situacao]],
        [
          'Cliente',
          pode(sessao, 'clientes.ver')
            ? html`<a href="${BASE}/clientes/${clienteId}">${cliente?.nome ?? clienteId}</a>`
            : (cliente?.nome ?? null),
        ],
        ['Devido no dia', escreverReais(acordo.devido)],
        ['Desconto', acordo.desconto > 0 ? escreverReais(acordo.desconto) : null],
        ['Feito em', html`${instante(fusoHorario, acordo.criadaEm)} por ${acordo.autor}`],
        ['Observação', acordo.motivo],
        ['Quebrado em', acordo.quebra === null ? null : instante(fusoHorario, acordo.quebra.em)],
        ['Por quê', acordo.quebra?.motivo ?? null],
      ]),
    )}
    ${cartao(
      'Parcelas',
      lista(
        'Parcelas do acordo',
        faturas.filter(({ papel }) => papel === 'parcela'),
      ),
      { rente: true },
    )}
    ${cartao(
      'No lugar de',
      lista(
        'Faturas que deram lugar ao acordo',
        faturas.filter(({ papel }) => papel === 'origem'),
      ),
      { rente: true },
    )}`,
  };
}

const lista = (legenda: string, linhas: RenegociacaoInteira['faturas']): Html =>
  tabela({
    legenda,
    linhas,
    colunas: [
      {
        titulo: 'Fatura',
        principal: true,
        celula: ({ id, numero }) =>
          html`<a href="${BASE}/faturas/${id}"
            >${numero === null ? `nº ${id}` : numero === 0 ? `Entrada, nº ${id}` : `Parcela ${numero}, nº ${id}`}</a
          >`,
      },
      { titulo: 'Vencimento', celula: ({ vencimento }) => escreverData(vencimento) },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
      { titulo: 'Situação', celula: ({ situacao }) => situacaoDaFatura(situacao) },
    ],
    vazia: html`<p class="p-3 m-0 text-secondary">Nenhuma.</p>`,
  });

/** What breaking an agreement does, and the form that does it. */
export async function telaDaQuebra(
  chamada: Chamada<{ readonly id: number }>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { id } = await exigir(chamada);
  return {
    titulo: 'Quebrar acordo',
    menu: 'faturas',
    migalhas: [
      ['Faturas', '/faturas'],
      [`Renegociação ${id}`, `/renegociacoes/${id}`],
    ],
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        ${aviso(
          'warning',
          'As parcelas em aberto são canceladas, e as faturas de antes voltam a ser devidas, com encargos, menos o que já foi pago. Ninguém é bloqueado por isto agora.',
        )}
        ${formulario({
          para: `/renegociacoes/${id}/quebrar`,
          estado,
          rotulos: ROTULO_DO_MOTIVO,
          enviar: 'Quebrar acordo',
          volta: `/renegociacoes/${id}`,
          perigoso: true,
          corpo: campoDoMotivo(estado),
        })}
      </div>
    </div>`,
  };
}
