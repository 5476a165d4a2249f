import type { PedidoAcompanhado } from '../../../domain/faturamento/execucao/leitura.service.ts';
import { podeDesistir, podeDesistirDasSeguidas } from '../../../domain/faturamento/pedidos/falhas.service.ts';
import { html } from '../../../kit/html/html.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { escreverData, inteiro } from '../componentes/escrita.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { Recusado, naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';

type DaVez = Pick<Chamada<{ readonly id: number }>, 'dominio' | 'parametros'>;

/** The order of a run's undoing of which something may be given up; undefined where there is none. @throws Recusado where there is no such run */
async function aDesistir({ dominio, parametros: { id } }: DaVez): Promise<PedidoAcompanhado | undefined> {
  if ((await dominio.faturamento.buscar(id)) === null) throw naoEncontrado();
  const abertos = await dominio.faturamento.pedidosAbertos();
  return abertos.find((um) => um.faturamentoId === id && (podeDesistir(um) || podeDesistirDasSeguidas(um)));
}

const NADA = 'Só se desiste do que se desfaz e falhou três vezes seguidas. Volte ao faturamento e veja como está.';

/** @throws Recusado where nothing of the run's undoing is to be given up, or not what the page has named */
export async function exigirDesistencia(chamada: DaVez, mesmoSeguidas: boolean): Promise<PedidoAcompanhado> {
  const pedido = await aDesistir(chamada);
  if (pedido === undefined || podeDesistirDasSeguidas(pedido) !== mesmoSeguidas)
    throw new Recusado(409, 'Não há de que desistir', NADA);
  return pedido;
}

/** What becomes of a run whose undoing always fails, once staff give up what cannot be undone. */
export async function telaDaDesistencia(
  chamada: Chamada<{ readonly id: number }>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { id } = chamada.parametros;
  const pedido = await aDesistir(chamada);
  const moldura = { titulo: 'Desistir do que não se desfaz', menu: 'faturamento' } as const;
  const daqui = [
    ['Faturamento', '/faturamento'],
    [`Faturamento ${id}`, `/faturamento/${id}`],
  ] as const;
  if (pedido === undefined) return { ...moldura, migalhas: daqui, corpo: aviso('info', NADA) };
  const { mes, falha, vistos, total, desistidoPor } = pedido;
  const seguidas = podeDesistirDasSeguidas(pedido);
  return {
    ...moldura,
    migalhas: daqui,
    corpo: cartao(
      null,
      formulario({
        para: `/faturamento/${id}/desistir`,
        estado,
        rotulos: {},
        enviar: seguidas ? 'Desistir também das seguidas' : 'Desistir do que não se desfaz',
        volta: `/faturamento/${id}`,
        perigoso: true,
        corpo: html`${seguidas ? html`<input type="hidden" name="seguidas" value="sim" />` : null}
        ${aviso(
          'warning',
          html`<p class="mb-1">
              Desfazer o faturamento de ${escreverData(mes)} falhou ${inteiro(falha?.vezes ?? 0)} vezes seguidas:
              ${(falha?.erro ?? '').replace(/\.$/, '')}. Foram vistas ${inteiro(vistos)} de
              ${inteiro(Math.max(total ?? 0, vistos))} faturas. Se a causa pode ser mendada, é melhor esperar: até lá
              nenhum mês se faz, e nada do que está feito se perde.
            </p>
            <p class="mb-1">
              ${seguidas ? html`<strong>${desistidoPor} já desistiu do que não se desfaz, e mesmo assim falha.</strong>` : null}
              Desistindo, o que ainda se consegue desfazer se desfaz, fatura por fatura onde for preciso. Cada uma que
              não se consegue cancelar fica como está, com a sua cobrança, e no fim se diz quantas são, e das primeiras
              cem quais e por quê; daí em diante é uma fatura como as outras. Depois disso os meses e as prévias que
              esperam seguem. Não há como voltar atrás.
            </p>
            <p class="mb-0">
              ${
                seguidas
                  ? `Também as que falham uma após a outra ficam, quantas forem, mesmo que sejam todas. Se a causa não é das
                     faturas, mas do sistema, isso as deixa todas cobradas: só desista se quem opera o sistema disse que não
                     há o que mendar. O último passo, que solta as cobranças das canceladas, se tenta de novo até conseguir.`
                  : `Se falham vinte faturas seguidas, as últimas todas pela mesma causa, ou o último passo, que solta as
                     cobranças das canceladas, a causa não é de uma fatura: nenhuma fica por isso, e continua-se a esperar e a
                     tentar de novo. Se falhar assim mais três vezes, pode-se desistir também dessas.`
              }
            </p>`,
        )}`,
      }),
    ),
  };
}
