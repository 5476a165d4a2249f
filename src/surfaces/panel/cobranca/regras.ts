import { lidosDe } from '../../../domain/provedores/configuracao/formas.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { quantos } from '../componentes/escrita.ts';
import { caixa, entrada } from '../formulario/campos.ts';
import { valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { versaoLida } from '../formulario/versao.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { listaDeContas } from './contas.ts';
import { efeito } from './efeito.ts';

const ROTULOS = {
  multa: 'Multa (%)',
  juros: 'Juros ao mês (%)',
  confirmar_juros: 'Confirmo juros acima de 1 % ao mês',
  carencia: 'Carência (dias)',
  tolerancia_pix: 'Tolerância do PIX (dias)',
  excedente_credito: 'O que se paga a mais vira crédito da próxima fatura',
  aviso_dias: 'Anunciar antes de vencer (dias)',
  desbloqueio: 'O cliente pode se desbloquear em confiança',
  desbloqueio_dias: 'Dias de desbloqueio',
  promessa_dias: 'Promessa para até (dias)',
};

const { desbloqueio: _caixa, confirmar_juros: _confirmacao, ...VERSADOS } = ROTULOS;

/** What is typed here is shown at work at once. */
const RECALCULA = html`hx-get="${BASE}/configuracoes/cobranca/efeito" hx-trigger="input changed delay:300ms"
hx-include="#campo-multa, #campo-juros, #campo-carencia" hx-target="#efeito" hx-swap="outerMorph"`;

/** How the provider charges. `faturas`: of how many invoices the rules in the form would change what they ask for; said before it is saved. */
export async function telaDasRegras(
  chamada: Pick<Chamada, 'dominio' | 'servicos' | 'sessao'>,
  estado: EstadoDoFormulario,
  faturas: number | null = null,
): Promise<Tela> {
  const digitado = {
    multa: valorDe(estado, 'multa'),
    juros: valorDe(estado, 'juros'),
    carencia: valorDe(estado, 'carencia'),
  };
  const [aoLado, contas, lida] = await Promise.all([
    efeito(chamada, digitado),
    chamada.dominio.cobradores.listar(),
    chamada.servicos.configuracao.lerConfiguracao(chamada.sessao.provedor.id),
  ]);
  const lidos = lidosDe(lida?.campos ?? {}, Object.keys(ROTULOS));
  return {
    titulo: 'Cobrança',
    menu: 'cobranca',
    corpo: html`<div class="colunas">
        ${cartao(
          'Regras',
          html`${
            faturas === null
              ? null
              : html`<div tabindex="-1" data-faltas>
                  ${aviso('warning', `Nada foi salvo ainda. Isto muda o valor de hoje de ${quantos(faturas, 'fatura vencida', 'faturas vencidas')}: confira e salve.`)}
                </div>`
          }
          ${formulario({
            para: '/configuracoes/cobranca',
            estado,
            rotulos: ROTULOS,
            enviar: faturas === null ? 'Salvar' : 'Salvar assim mesmo',
            ...(faturas === null ? {} : { volta: '/configuracoes/cobranca' }),
            corpo: html`${versaoLida({ estado, campos: lidos, rotulos: VERSADOS })} ${campos(estado)}`,
          })}`,
        )}
        ${aoLado}
      </div>
      ${cartao(
        'Régua de cobrança',
        html`<p>Lembretes, aviso de débito, bloqueio e rescisão, nos dias e com os textos do provedor.</p>
          <a class="btn" href="${BASE}/configuracoes/cobranca/regua">Ver e mudar a régua</a>
          <a class="btn" href="${BASE}/regua">Hoje</a>`,
      )}
      ${listaDeContas(contas)}
      ${cartao(
        'Feriados',
        html`<p>O que vence em dia sem banco pode ser pago no dia útil seguinte, sem multa nem juros.</p>
          <a class="btn" href="${BASE}/configuracoes/cobranca/feriados">Ver e mudar feriados</a>`,
      )}`,
  };
}

const campos = (estado: EstadoDoFormulario): Html => html`
  ${valorDe(estado, 'visto') === '' ? null : escondido('visto', valorDe(estado, 'visto'))}
  <div class="grade">
    ${entrada(estado, { nome: 'multa', rotulo: ROTULOS.multa, teclado: 'decimal', obrigatorio: true, dica: 'Uma vez, sobre o que falta. Até 2,00.', mais: RECALCULA })}
    ${entrada(estado, { nome: 'juros', rotulo: ROTULOS.juros, teclado: 'decimal', obrigatorio: true, dica: 'Simples, por dia de atraso. Até 1,00, ou 2,00 confirmando.', mais: RECALCULA })}
    ${entrada(estado, { nome: 'carencia', rotulo: ROTULOS.carencia, teclado: 'numeric', obrigatorio: true, dica: 'Quem paga até aqui não paga encargos.', mais: RECALCULA })}
    ${entrada(estado, { nome: 'tolerancia_pix', rotulo: ROTULOS.tolerancia_pix, teclado: 'numeric', obrigatorio: true, dica: 'Um código de até tantos dias antes ainda quita.' })}
  </div>
  ${caixa(estado, { nome: 'excedente_credito', rotulo: ROTULOS.excedente_credito, dica: 'Todo dia, e quando se emite uma fatura. Sem isto, espera até que alguém o use ou devolva.' })}
  ${caixa(estado, { nome: 'confirmar_juros', rotulo: ROTULOS.confirmar_juros })}
  <fieldset>
    <legend>Aviso de vencimento</legend>
    ${entrada(estado, { nome: 'aviso_dias', rotulo: ROTULOS.aviso_dias, teclado: 'numeric', obrigatorio: true, dica: 'Uma vez por fatura, por webhook e no app. De 0, no próprio dia, a 30.' })}
  </fieldset>
  <fieldset>
    <legend>Desbloqueio em confiança</legend>
    ${caixa(estado, { nome: 'desbloqueio', rotulo: ROTULOS.desbloqueio, dica: 'Pelo app ou pela API, uma vez para cada fatura que o bloqueou.' })}
    ${entrada(estado, { nome: 'desbloqueio_dias', rotulo: ROTULOS.desbloqueio_dias, teclado: 'numeric', obrigatorio: true })}
  </fieldset>
  <fieldset>
    <legend>Promessa de pagamento</legend>
    ${entrada(estado, { nome: 'promessa_dias', rotulo: ROTULOS.promessa_dias, teclado: 'numeric', obrigatorio: true, dica: 'Anotada pela equipe ou pela API, uma por contrato; não libera nada. De 0, que não aceita nenhuma, a 30.' })}
  </fieldset>
`;
