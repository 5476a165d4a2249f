import type { Composicao } from '../../../../domain/faturas/composicao/composicao.service.ts';
import type { Fatura } from '../../../../domain/faturas/faturas.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { escreverData, escreverReais, instante } from '../../componentes/escrita.ts';
import { tabela, vazio } from '../../componentes/tabela.ts';
import { naoEncontrado } from '../../recusas.ts';
import type { Chamada, Tela } from '../../rota.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { notaDaFatura } from '../../nfcom/da-fatura.ts';
import { historicoDaFatura } from './historico.ts';
import { segundaVia } from './segunda-via.ts';
import { avisoDaSobra, sobraDe } from './sobra.ts';
import { valores } from './soma.ts';
import { AJUSTES, FORMAS, MOTIVOS, TIPOS, situacaoDaFatura } from '../termos.ts';

/** An invoice with all that has become of it. */
export async function telaDaFatura({
  parametros: { id },
  consulta: { antes },
  dominio,
  sessao,
  origem,
}: Chamada<{ readonly id: number }, { readonly antes?: number | undefined }>): Promise<Tela> {
  const [fatura, composicao, historico, notas, { ambiente }] = await Promise.all([
    dominio.faturas.buscarPorId(id),
    dominio.composicao.buscar(id),
    dominio.auditoria.auditoriaDe('fatura', id, antes ?? null),
    dominio.nfcom.dosContratos(id),
    dominio.configuracaoNfcom.buscar(),
  ]);
  if (fatura === null || composicao === null) throw naoEncontrado();
  const { clienteId } = fatura;
  const sobra = sobraDe(composicao);
  const credita = pode(sessao, 'faturas.desconto');
  const [cliente, resumo, sobras] = await Promise.all([
    dominio.clientes.buscarPorId(clienteId),
    credita && sobra > 0 ? dominio.resumoFinanceiro.buscar(clienteId) : null,
    credita && fatura.segundaVia !== null ? dominio.excedentes.doCliente(clienteId) : [],
  ]);
  return {
    titulo: `Fatura ${id}`,
    menu: 'faturas',
    migalhas: [['Faturas', '/faturas']],
    acoes: acoes(
      fatura,
      composicao,
      sobras.some(({ faturaId }) => faturaId !== id),
      sessao,
    ),
    corpo: html`${
        composicao.cancelamento === null
          ? null
          : aviso(
              'info',
              `Cancelada: ${MOTIVOS[composicao.cancelamento.codigo ?? 'outro'] ?? 'outro motivo'}. ${composicao.cancelamento.motivo ?? ''}`,
            )
      }
      ${sobra > 0 ? avisoDaSobra(fatura, sobra, resumo?.abertas ?? null) : null}
      <div class="colunas">
        <div>
          ${cartao('Dados', dados(fatura, composicao, cliente?.nome ?? '', sessao))}
          ${valores(fatura, composicao, sessao)}
        </div>
        <div>${segundaVia(fatura, origem, sessao)} ${notaDaFatura(fatura, notas, ambiente, sessao)}</div>
      </div>
      ${recebimentos(id, composicao, sessao)} ${ajustes(id, composicao, sessao)}
      ${historicoDaFatura(id, historico, antes !== undefined, sessao)}`,
  };
}

const deAcordo = ({ renegociacoes }: Composicao): boolean => renegociacoes.length > 0;

function acoes(fatura: Fatura, composicao: Composicao, haSobras: boolean, sessao: Sessao): Html | null {
  const em = (acao: string): string => `${BASE}/faturas/${fatura.id}/${acao}`;
  const aberta = fatura.segundaVia !== null;
  const recebe = aberta || fatura.situacao === 'processando';
  const nadaPago = fatura.valorPago === 0 && !deAcordo(composicao);
  const uma = (quando: boolean, permissao: Parameters<typeof pode>[1], acao: string, texto: string, classe = 'btn') =>
    quando && pode(sessao, permissao) ? [html`<a class="${classe}" href="${em(acao)}">${texto}</a>`] : [];
  const renegocia = fatura.situacao === 'vencida' && !deAcordo(composicao) && pode(sessao, 'faturas.criar');
  return html`${uma(recebe, 'faturas.baixar', 'receber', 'Registrar recebimento', 'btn btn-primary')}
  ${uma(aberta, 'faturas.criar', 'vencimento', 'Mudar vencimento')}
  ${uma(aberta, 'faturas.desconto', 'desconto', 'Dar desconto')}
  ${uma(aberta && haSobras, 'faturas.desconto', 'credito', 'Usar o que foi pago a mais')}
  ${uma(fatura.multa + fatura.juros > 0 && fatura.valorPago === 0 && fatura.abatido === 0, 'faturas.desconto', 'desconto?encargos=sim', 'Dispensar encargos')}
  ${renegocia ? html`<a class="btn" href="${BASE}/renegociacoes/nova?cliente=${fatura.clienteId}">Renegociar</a>` : null}
  ${uma(aberta, 'faturas.ver', 'avisar', 'Enviar ao app')}
  ${uma(aberta && nadaPago, 'faturas.cancelar', 'cancelar', 'Cancelar fatura')}`;
}

function dados(fatura: Fatura, composicao: Composicao, nome: string, sessao: Sessao): Html {
  const { fusoHorario } = sessao.provedor;
  const acordos = composicao.renegociacoes.map(
    ({ renegociacao_id, papel, numero }) =>
      html`<a href="${BASE}/renegociacoes/${renegociacao_id}">Renegociação ${renegociacao_id}</a>:
        ${papel === 'origem' ? 'deu lugar às parcelas' : numero === 0 ? 'entrada' : `parcela ${numero ?? ''}`} `,
  );
  return ficha([
    ['Situação', situacaoDaFatura(fatura.situacao)],
    ['Cliente', pode(sessao, 'clientes.ver') ? html`<a href="${BASE}/clientes/${fatura.clienteId}">${nome}</a>` : nome],
    [
      'Contrato',
      fatura.contratoId === null
        ? 'Nenhum: fatura avulsa'
        : pode(sessao, 'clientes.ver')
          ? html`<a href="${BASE}/contratos/${fatura.contratoId}">${fatura.contratoId}</a>`
          : fatura.contratoId,
    ],
    ['Descrição', fatura.descricao],
    ['Tipo', fatura.tipo === null ? null : TIPOS[fatura.tipo]],
    ['Vencimento', escreverData(fatura.vencimento)],
    ['Emitida em', instante(fusoHorario, fatura.emitidaEm)],
    ['Paga em', instante(fusoHorario, fatura.pagoEm)],
    ['Acordo', acordos.length === 0 ? null : html`${acordos}`],
    ['Código em outro sistema', composicao.codigoExterno],
    ['Identificador do PIX', composicao.pixTxid],
  ]);
}

function recebimentos(daFatura: number, { pix, boletos, baixas }: Composicao, sessao: Sessao): Html {
  const { fusoHorario } = sessao.provedor;
  const linhas = [
    ...pix.map((um) => ({ ...um, forma: 'PIX', manual: false })),
    ...boletos.map((um) => ({ ...um, forma: 'Boleto', manual: false })),
    ...baixas.map((um) => ({ ...um, forma: FORMAS[um.forma] ?? um.forma, manual: true })),
  ].toSorted((a, b) => a.em.getTime() - b.em.getTime());
  return cartao(
    'Pagamentos',
    tabela({
      legenda: 'Pagamentos',
      linhas,
      colunas: [
        { titulo: 'Quando', principal: true, celula: ({ em }) => instante(fusoHorario, em) },
        { titulo: 'Forma', celula: ({ forma }) => forma },
        { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
        {
          titulo: 'Devolvido',
          direita: true,
          celula: ({ devolvido }) => (devolvido > 0 ? escreverReais(devolvido) : ''),
        },
        {
          titulo: 'Observação',
          celula: ({ desfeito, motivo }) => `${desfeito ? 'Desfeito. ' : ''}${motivo ?? ''}`,
        },
        {
          titulo: 'Ações',
          celula: ({ id, manual, desfeito }) =>
            manual && !desfeito && pode(sessao, 'faturas.baixar')
              ? html`<a href="${BASE}/faturas/${daFatura}/recebimentos/${id}/desfazer">Desfazer</a>`
              : '',
        },
      ],
      vazia: vazio('receipt', 'Nada foi recebido', 'PIX e recebimentos registrados à mão aparecem aqui.'),
    }),
    { rente: true },
  );
}

function ajustes(daFatura: number, composicao: Composicao, sessao: Sessao): Html | null {
  if (composicao.ajustes.length === 0) return null;
  return cartao(
    'Descontos e créditos',
    tabela({
      legenda: 'Descontos e créditos',
      linhas: composicao.ajustes,
      colunas: [
        { titulo: 'Quando', principal: true, celula: ({ em }) => instante(sessao.provedor.fusoHorario, em) },
        { titulo: 'O quê', celula: ({ tipo }) => AJUSTES[tipo] ?? tipo },
        { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
        {
          titulo: 'De onde',
          celula: ({ origem }) =>
            origem === null ? '' : html`<a href="${BASE}/faturas/${origem}">Fatura ${origem}</a>`,
        },
        { titulo: 'Motivo', celula: ({ desfeito, motivo }) => `${desfeito ? 'Desfeito. ' : ''}${motivo ?? ''}` },
        {
          titulo: 'Ações',
          celula: ({ id, tipo, desfeito }) =>
            !desfeito && tipo !== 'renegociacao' && pode(sessao, 'faturas.desconto')
              ? html`<a href="${BASE}/faturas/${daFatura}/ajustes/${id}/desfazer">Desfazer</a>`
              : '',
        },
      ],
      vazia: html``,
    }),
    { rente: true },
  );
}
