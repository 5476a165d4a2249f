import { randomUUID } from 'node:crypto';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { escreverValor } from '../../../brazil/dinheiro/escrita.ts';
import type { Escritas } from '../../../domain/dominio.ts';
import { CamposInvalidos, Recusa, faltaEm } from '../../../domain/erros.ts';
import { FORMAS_DE_PAGAMENTO } from '../../../domain/recebimentos/manuais/manuais.types.ts';
import { html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { escreverReais, instante } from '../componentes/escrita.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { comVersao } from '../formulario/versao.ts';
import { Recusado, naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { exigirComposicao, exigirFatura, telaSobreFatura, versaoDaFatura } from './apoio.ts';
import { campoDoMotivo, ROTULO_DO_MOTIVO } from './motivo.ts';
import { FORMAS } from './termos.ts';

const ROTULOS = {
  forma: 'Forma',
  valor: 'Valor recebido',
  pago_em: 'Dia do pagamento',
  desconto: 'Desconto',
  observacao: 'Observação',
};

async function telaDoRecebimento(chamada: Chamada<{ readonly id: number }>, estado: EstadoDoFormulario): Promise<Tela> {
  const fatura = await exigirFatura(chamada);
  const hoje = hojeEm(chamada.sessao.provedor.fusoHorario, chamada.agora);
  return telaSobreFatura(
    chamada,
    fatura,
    'Registrar recebimento',
    html`<p>
        PIX não se registra aqui: quem avisa é o banco. O que vier a menos fica em aberto; o que vier a mais sobra como
        crédito do cliente.
      </p>
      ${formulario({
        para: `/faturas/${fatura.id}/receber`,
        estado,
        rotulos: ROTULOS,
        enviar: 'Registrar recebimento',
        volta: `/faturas/${fatura.id}`,
        corpo: html`${escondido('chave', valorDe(estado, 'chave'))} ${versaoDaFatura(fatura, estado)}
          ${escolha(estado, {
            nome: 'forma',
            rotulo: ROTULOS.forma,
            obrigatorio: true,
            opcoes: FORMAS_DE_PAGAMENTO.map((valor) => ({ valor, texto: FORMAS[valor] ?? valor })),
          })}
          <div class="grade">
            ${entrada(estado, { nome: 'valor', rotulo: ROTULOS.valor, teclado: 'decimal', obrigatorio: true, dica: 'Em reais, como 99,90.' })}
            ${entrada(estado, { nome: 'pago_em', rotulo: ROTULOS.pago_em, tipo: 'date', obrigatorio: true, dica: 'Os encargos contam até este dia.', mais: html`max="${hoje}"` })}
          </div>
          ${
            pode(chamada.sessao, 'faturas.desconto')
              ? entrada(estado, {
                  nome: 'desconto',
                  rotulo: ROTULOS.desconto,
                  teclado: 'decimal',
                  dica: 'Além do que foi recebido, para não ficar resto.',
                })
              : null
          }
          ${entrada(estado, { nome: 'observacao', rotulo: ROTULOS.observacao, maximo: 500, dica: 'Como o número do recibo.' })}`,
      })}`,
  );
}

/** A discount that goes with a payment; what is wrong with it is said beside its field. */
async function darDesconto({ ajustes }: Escritas, id: number, valor: unknown): Promise<void> {
  try {
    await ajustes.darDesconto(id, { valor, motivo: 'Desconto no recebimento' });
  } catch (error) {
    if (error instanceof CamposInvalidos) faltaEm('desconto', error.faltas[0]?.mensagem ?? 'não é um valor');
    if (!(error instanceof Recusa)) throw error;
    if (error.motivo === 'fatura_nao_aberta')
      faltaEm('desconto', 'não é preciso: o que foi recebido já quita a fatura');
    if (error.motivo !== 'valor_acima_do_devido') throw error;
    faltaEm(
      'desconto',
      `é mais do que falta${error.detalhe.sugestao === undefined ? '' : `: ${error.detalhe.sugestao}`}`,
    );
  }
}

async function telaDeDesfazer(
  chamada: Chamada<{ readonly id: number; readonly recebimento: number }>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { id, recebimento } = chamada.parametros;
  const [fatura, { baixas }] = await Promise.all([exigirFatura(chamada), exigirComposicao(chamada)]);
  const baixa = baixas.find((uma) => uma.id === recebimento);
  if (baixa === undefined) throw naoEncontrado();
  return telaSobreFatura(
    chamada,
    fatura,
    'Desfazer recebimento',
    html`<p>
        ${FORMAS[baixa.forma] ?? baixa.forma}, ${escreverReais(baixa.valor)}, em
        ${instante(chamada.sessao.provedor.fusoHorario, baixa.em)}.
      </p>
      ${aviso('warning', 'A fatura volta a ser o que seria sem este recebimento. Ninguém é bloqueado por isto agora.')}
      ${formulario({
        para: `/faturas/${id}/recebimentos/${recebimento}/desfazer`,
        estado,
        rotulos: ROTULO_DO_MOTIVO,
        enviar: 'Desfazer recebimento',
        volta: `/faturas/${id}`,
        perigoso: true,
        corpo: campoDoMotivo(estado),
      })}`,
  );
}

/** Payments that no bank tells of. */
export const RECEBIMENTOS: readonly Rota[] = [
  pagina('/faturas/{id}/receber', {
    permissao: 'faturas.baixar',
    async mostrar(chamada) {
      const fatura = await exigirFatura(chamada);
      const estado = preenchido({
        valor: fatura.aPagar > 0 ? escreverValor(fatura.aPagar) : null,
        pago_em: hojeEm(chamada.sessao.provedor.fusoHorario, chamada.agora),
        // What is sent twice, by a second press of the button, is registered once.
        chave: `painel:${randomUUID()}`,
      });
      return { tela: await telaDoRecebimento(chamada, estado) };
    },
  }),
  acao('/faturas/{id}/receber', {
    permissao: 'faturas.baixar',
    campos: {
      forma: 'texto',
      valor: 'dinheiro',
      pago_em: 'data',
      desconto: 'dinheiro',
      observacao: 'texto',
      chave: 'texto',
      versao: 'texto',
    },
    formulario: telaDoRecebimento,
    async fazer({ parametros: { id }, dados: digitados, sessao, mudar }) {
      const {
        dados: { desconto, ...dados },
        lida,
      } = comVersao(digitados);
      if (desconto !== undefined && !pode(sessao, 'faturas.desconto')) {
        throw new Recusado(403, 'Seu perfil não permite desconto', 'Nada foi registrado. Registre sem o desconto.');
      }
      await mudar(async (_dominio, escritas) => {
        const { repetida } = await escritas.baixas.registrar(id, dados, lida);
        if (desconto !== undefined && !repetida) await darDesconto(escritas, id, desconto);
      });
      return { ir: `/faturas/${id}`, feito: 'salvo' };
    },
  }),
  pagina('/faturas/{id}/recebimentos/{recebimento}/desfazer', {
    permissao: 'faturas.baixar',
    mostrar: async (chamada) => ({ tela: await telaDeDesfazer(chamada, EM_BRANCO) }),
  }),
  acao('/faturas/{id}/recebimentos/{recebimento}/desfazer', {
    permissao: 'faturas.baixar',
    campos: { motivo: 'texto' },
    formulario: telaDeDesfazer,
    async fazer({ parametros: { id, recebimento }, dados, mudar }) {
      await mudar(async (_dominio, { baixas }) => {
        if ((await baixas.desfazer(recebimento, dados)).faturaId !== id) throw naoEncontrado();
      });
      return { ir: `/faturas/${id}`, feito: 'desfeito' };
    },
  }),
];
