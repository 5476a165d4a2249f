import type { ConviteCriado, EstadoDeConvite } from '../../../domain/convites/convites.types.ts';
import type { ConviteDaEquipe } from '../../../domain/convites/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { desenharQr } from '../../../kit/html/qr.ts';
import { BASE } from '../ativos/ativos.ts';
import { abas, aviso, cartao, etiqueta } from '../componentes/cartao.ts';
import { instante, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { daqui } from '../pedido.ts';
import type { Chamada } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

export const POR_PAGINA = 50;

const DITOS = {
  aberto: ['Aberto', 'blue'],
  usado: ['Usado', 'green'],
  expirado: ['Expirado', 'secondary'],
  revogado: ['Revogado', 'secondary'],
} as const satisfies Record<EstadoDeConvite, readonly [string, string]>;

const novo = (): Html =>
  html`<a class="btn btn-primary" href="${BASE}/convites/novo">${icone('plus')} Novo convite</a>`;

export { novo as acoesDaLista };

interface DaLista {
  readonly itens: readonly ConviteDaEquipe[];
  readonly total: number;
  readonly estado: EstadoDeConvite | undefined;
  readonly pagina: number;
  readonly sessao: Sessao;
}

function quem({ criadoPor }: ConviteDaEquipe): string | null {
  if (criadoPor === null) return null;
  return criadoPor.tipo === 'chave' ? `API: ${criadoPor.nome}` : criadoPor.nome;
}

/** When an invite ended or will end, in words. */
function prazo({ estado, expiraEm, usadoEm, revogadoEm }: ConviteDaEquipe, fuso: string): Html | null {
  if (estado === 'usado') return html`usado em ${instante(fuso, usadoEm)}`;
  if (estado === 'revogado') return html`revogado em ${instante(fuso, revogadoEm)}`;
  if (expiraEm === null) return html`sem prazo`;
  return html`${estado === 'aberto' ? 'vale até' : 'expirou em'} ${instante(fuso, expiraEm)}`;
}

function passo({ id, estado, clienteId }: ConviteDaEquipe, sessao: Sessao): Html | null {
  if (estado === 'aberto') return html`<a class="btn btn-sm" href="${BASE}/convites/${id}/revogar">Revogar</a>`;
  if (clienteId === null || !pode(sessao, 'clientes.ver')) return null;
  return html`<a class="btn btn-sm" href="${BASE}/clientes/${clienteId}">Ver cliente</a>`;
}

export function corpoDaLista({ itens, total, estado, pagina, sessao }: DaLista): Html {
  const { fusoHorario } = sessao.provedor;
  const na = (n: number): string => comConsulta('/convites', { estado, pagina: n === 1 ? null : n });
  const estados = Object.entries(DITOS).map(([valor, [texto]]) => ({
    texto: `${texto}s`,
    para: comConsulta('/convites', { estado: valor }),
    atual: estado === valor,
  }));
  const vazia =
    estado === undefined
      ? vazio(
          'user-plus',
          'Ainda não há convites',
          'Um convite é um link com que a pessoa se cadastra sozinha. Mande por mensagem, ou mostre o QR.',
          novo(),
        )
      : vazio('filter', 'Nenhum convite assim', 'Veja todos, ou faça um novo.', novo());
  return html`${abas('Convites', [{ texto: 'Todos', para: '/convites', atual: estado === undefined }, ...estados])}
  ${cartao(
    null,
    html`${tabela({
      legenda: 'Convites',
      linhas: itens,
      vazia,
      colunas: [
        {
          titulo: 'Convite',
          principal: true,
          celula: ({ id, plano }) => `${id} · ${plano === null ? 'plano à escolha' : plano.nome}`,
        },
        { titulo: 'Situação', celula: ({ estado: qual }) => etiqueta(DITOS[qual][0], DITOS[qual][1]) },
        { titulo: 'Prazo', celula: (um) => prazo(um, fusoHorario) },
        {
          titulo: 'Vencimento',
          celula: ({ diaVencimento }) => (diaVencimento === null ? 'à escolha' : `dia ${diaVencimento}`),
        },
        { titulo: 'Feito por', celula: quem },
        { titulo: 'Feito em', celula: ({ criadoEm }) => instante(fusoHorario, criadoEm) },
        { titulo: 'O que fazer', direita: true, celula: (um) => passo(um, sessao) },
      ],
    })}
    ${
      itens.length === 0
        ? null
        : paginas({
            total: quantos(total, 'convite', 'convites'),
            anterior: pagina > 1 ? na(pagina - 1) : null,
            proxima: pagina * POR_PAGINA < total ? na(pagina + 1) : null,
          })
    }`,
    { rente: true },
  )}`;
}

/** The link of an invite, which nobody is shown again. */
export function corpoDoCriado(
  { link: oficial, expiraEm }: ConviteCriado,
  { sessao, origem }: Pick<Chamada, 'sessao' | 'origem'>,
): Html {
  const link = daqui(oficial, origem);
  return cartao(
    'Mande este link',
    html`${aviso('warning', 'O link não será mostrado outra vez. Quem o tiver pode se cadastrar, uma vez só.')}
      <p class="segredo" id="link-do-convite">${link}</p>
      <p>Vale até ${instante(sessao.provedor.fusoHorario, expiraEm)}.</p>
      <div class="qr">${desenharQr(link, 'QR code do convite')}</div>
      <div class="acoes">
        <button class="btn btn-primary" type="button" data-copia="link-do-convite">${icone('copy')} Copiar link</button>
        <a class="btn" href="${BASE}/convites">Ver convites</a>
        <a class="btn" href="${BASE}/convites/novo">Fazer outro</a>
      </div>`,
  );
}
