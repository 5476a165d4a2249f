import type { Data } from '../../../brazil/calendario/datas.ts';
import { PASSOS } from '../../../domain/regua/regua.types.ts';
import type { EntregaListada, Passo } from '../../../domain/regua/regua.types.ts';
import { html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, numero } from '../componentes/cartao.ts';
import { escreverData } from '../componentes/escrita.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { CAMINHO } from './configuracao.ts';
import { AMANHA_EM } from './amanha.ts';
import { PASSO } from './palavras.ts';
import { acoesDaLista, filtroDaEntrega, tabelaDePassos } from './passos.ts';

/** Which agreements' files are awaited, and what that holds up. */
const faltaRetorno = (convenios: readonly string[]): string =>
  `Falta receber ou aplicar o retorno de hoje de ${convenios.join(', ')}. Um arquivo datado do último dia útil que não tem pagamento dele pode ser o do dia anterior, e não conta. Até lá, ninguém é bloqueado nem rescindido por fatura com boleto registrado nele, porque o pagamento pode estar no arquivo; aplicado até as 20 horas, a régua de hoje continua.`;

/** What the ladder does today. */
export async function telaDeHoje(
  { dominio, sessao }: Pick<Chamada, 'dominio' | 'sessao'>,
  {
    dia: pedido,
    passo = 'aviso',
    entrega,
    depois = 0,
  }: {
    readonly dia?: Data | undefined;
    readonly passo?: Passo | undefined;
    readonly entrega?: EntregaListada | undefined;
    readonly depois?: number | undefined;
  },
  estado: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const { regua: leitura } = dominio;
  const dia = pedido ?? leitura.hoje();
  const lista = { dia, passo, entrega };
  const regua = await leitura.regua();
  const contagem = await leitura.contagem(dia);
  const { passos, proxima } = await leitura.doDia(dia, passo, { depoisDe: depois, entrega });
  const acoes = passos.length === 0 ? null : acoesDaLista(sessao, lista, estado);
  const semRetorno = regua.ativaDesde === null || regua.bloqueioDias === null ? [] : await leitura.semRetorno();
  return {
    titulo: dia === leitura.hoje() ? 'Régua de cobrança: hoje' : `Régua de cobrança: ${escreverData(dia)}`,
    menu: 'regua',
    acoes: html`<a class="btn" href="${BASE}${AMANHA_EM}">Quem seria bloqueado amanhã</a> ${
        pode(sessao, 'cobranca.editar') ? html`<a class="btn" href="${BASE}${CAMINHO}">Regras e textos</a>` : null
      }`,
    corpo: html`${regua.ativaDesde === null ? aviso('info', 'A régua está desligada: ninguém é lembrado, avisado nem bloqueado por ela.') : null}
      ${semRetorno.length === 0 ? null : aviso('warning', faltaRetorno(semRetorno))}
      <p class="text-secondary">
        O que a régua disse e fez ${dia === leitura.hoje() ? 'hoje' : `em ${escreverData(dia)}`}, passo a passo.
      </p>
      <div class="numeros seis">
        ${PASSOS.map((um) => numero(contagem.get(um) ?? 0, PASSO[um], comConsulta('/regua', { dia, passo: um })))}
      </div>
      ${cartao(
        `${PASSO[passo]}, em ${escreverData(dia)}`,
        html`${filtroDaEntrega(lista)} ${tabelaDePassos(sessao, passos, lista, acoes === null ? null : estado)}
        ${proxima === null ? null : html`<a class="btn m-3" href="${BASE}${comConsulta('/regua', { dia, passo, entrega, depois: proxima })}">Mais</a>`}
        ${acoes}`,
        { rente: true },
      )}`,
  };
}
