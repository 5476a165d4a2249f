import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { FORMAS_DE_PAGAMENTO } from '../../domain/recebimentos/manuais/manuais.types.ts';
import { inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { apresentar, comandoDeFatura, comoEsta, dadosDe, emUmaLinha, mudar } from './comum.ts';
import type { OpcaoDeCampo, OpcoesDoProvedor } from './comum.ts';

const DA_BAIXA: readonly OpcaoDeCampo[] = [
  ['--forma <forma>', FORMAS_DE_PAGAMENTO.join(', ')],
  ['--valor <valor>', 'em reais, como 99.90'],
  ['--pago-em <data>', 'AAAA-MM-DD; sem isto, hoje'],
  ['--observacao <texto>', 'o que houver a dizer'],
  ['--chave <chave>', 'de quem registra: a mesma outra vez não registra de novo'],
];
const VALOR: OpcaoDeCampo = ['--valor <valor>', 'em reais, como 10.00'];
const MOTIVO: OpcaoDeCampo = ['--motivo <texto>', 'por que'];
const DO_CREDITO: readonly OpcaoDeCampo[] = [
  VALOR,
  ['--origem <fatura>', 'outra fatura do cliente, de que sobrou o que agora se usa'],
  MOTIVO,
];

/** `malha fatura baixar|desfazer-baixa|desconto|credito|desfazer-ajuste` */
export function comandosDeBaixa(fatura: Command, sessao: Sessao): void {
  comandoDeFatura(fatura, {
    nome: 'baixar',
    descricao: 'registra um pagamento; é julgado junto com os PIX, e libera como eles',
    campos: DA_BAIXA,
  })
    .usage('<id> --forma <forma> --valor <valor> [opções]')
    .argument('<id>', 'id da fatura', inteiro)
    .action(async (id: number, opcoes: OpcoesDoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (dominio, { baixas }) => {
          const feita = await baixas.registrar(id, dadosDe(opcoes, DA_BAIXA));
          return { feita, depois: await comoEsta(dominio, id) };
        },
        ({ feita, depois }) =>
          sessao.mostrar(opcoes.json, { baixa_id: feita.id, repetida: feita.repetida, ...apresentar(depois) }, [
            `Pagamento ${feita.id} ${feita.repetida ? 'já estava registrado' : 'registrado'}. ${emUmaLinha(depois)}`,
          ]),
      );
    });

  comandoDeFatura(fatura, {
    nome: 'desfazer-baixa',
    descricao: 'desfaz o registro de um pagamento; ninguém é bloqueado por isso',
    campos: [MOTIVO],
  })
    .usage('<id> --motivo <texto> [opções]')
    .argument('<id>', 'id do pagamento, como baixar e mostrar o dizem', inteiro)
    .action(async (id: number, opcoes: OpcoesDoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (dominio, { baixas }) => {
          const { faturaId } = await baixas.desfazer(id, dadosDe(opcoes, [MOTIVO]));
          return comoEsta(dominio, faturaId);
        },
        (depois) =>
          sessao.mostrar(opcoes.json, { baixa_id: id, ...apresentar(depois) }, [
            `Pagamento ${id} desfeito. ${emUmaLinha(depois)}`,
          ]),
      );
    });

  const ajustar = (
    nome: 'desconto' | 'credito',
    descricao: string,
    campos: readonly OpcaoDeCampo[],
    metodo: 'darDesconto' | 'aplicarCredito',
  ): void => {
    comandoDeFatura(fatura, { nome, descricao, campos })
      .usage('<id> [opções]')
      .argument('<id>', 'id da fatura', inteiro)
      .action(async (id: number, opcoes: OpcoesDoProvedor) => {
        await mudar(
          sessao,
          opcoes.provedor,
          async (dominio, { ajustes }) => {
            const feito = await ajustes[metodo](id, dadosDe(opcoes, campos));
            return { feito, depois: await comoEsta(dominio, id) };
          },
          ({ feito, depois }) =>
            sessao.mostrar(opcoes.json, { ajuste_id: feito.id, ...apresentar(depois) }, [
              `Ajuste ${feito.id} de ${escreverDinheiro(feito.valor)}. ${emUmaLinha(depois)}`,
            ]),
        );
      });
  };
  ajustar('desconto', 'dá um desconto numa fatura em aberto, até o que se deve hoje', [VALOR, MOTIVO], 'darDesconto');
  ajustar('credito', 'aplica um crédito: do que sobrou de outra fatura, ou dado', DO_CREDITO, 'aplicarCredito');

  comandoDeFatura(fatura, {
    nome: 'desfazer-ajuste',
    descricao: 'desfaz um desconto ou um crédito; o que sobrava volta a sobrar',
    campos: [MOTIVO],
  })
    .usage('<id> --motivo <texto> [opções]')
    .argument('<id>', 'id do ajuste, como desconto, credito e mostrar o dizem', inteiro)
    .action(async (id: number, opcoes: OpcoesDoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (dominio, { ajustes }) => {
          const { faturaId } = await ajustes.desfazer(id, dadosDe(opcoes, [MOTIVO]));
          return comoEsta(dominio, faturaId);
        },
        (depois) =>
          sessao.mostrar(opcoes.json, { ajuste_id: id, ...apresentar(depois) }, [
            `Ajuste ${id} desfeito. ${emUmaLinha(depois)}`,
          ]),
      );
    });
}
