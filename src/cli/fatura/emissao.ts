import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { lerCampos, opcional } from '../../domain/campos/campos.ts';
import { codigoExterno as lerCodigo, data, escolha, id as lerId } from '../../domain/campos/leitores.ts';
import { Recusa } from '../../domain/erros.ts';
import type { Composicao } from '../../domain/faturas/composicao/composicao.service.ts';
import { MOTIVOS_DE_CANCELAMENTO } from '../../domain/faturas/emissao/emissao.types.ts';
import { FILTROS_DE_SITUACAO } from '../../domain/faturas/faturas.types.ts';
import type { Fatura } from '../../domain/faturas/faturas.types.ts';
import { inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, contar } from '../texto.ts';
import { apresentar, comandoDeFatura, comoEsta, dadosDe, emUmaLinha, ler, mudar } from './comum.ts';
import type { OpcaoDeCampo, OpcoesDoProvedor } from './comum.ts';

const DO_BOLETO: readonly OpcaoDeCampo[] = [
  ['--linha-digitavel <linha>', 'do boleto, que deve ser deste valor e vencimento'],
  ['--nosso-numero <número>', 'do boleto'],
];
const CODIGO: OpcaoDeCampo = ['--codigo-externo <código>', 'nome dela em outro sistema, como ixc:123'];

const DA_FATURA: readonly OpcaoDeCampo[] = [
  ['--cliente-id <id>', 'cliente que a deve'],
  ['--contrato-id <id>', 'contrato dele; sem isto, de nenhum'],
  ['--descricao <texto>', 'do que é'],
  ['--valor <valor>', 'em reais, como 99.90'],
  ['--vencimento <data>', 'AAAA-MM-DD, de hoje em diante'],
  ['--tipo <tipo>', 'pix, carteira ou boleto; sem isto, pix onde o provedor o recebe'],
  ...DO_BOLETO,
  CODIGO,
];
const DA_ALTERACAO: readonly OpcaoDeCampo[] = [
  ['--vencimento <data>', 'AAAA-MM-DD, de hoje em diante'],
  ['--descricao <texto>', 'do que é'],
  ...DO_BOLETO,
  CODIGO,
];
const DO_CANCELAMENTO: readonly OpcaoDeCampo[] = [
  ['--motivo <texto>', 'por que'],
  ['--motivo-codigo <código>', MOTIVOS_DE_CANCELAMENTO.filter((motivo) => motivo !== 'renegociacao').join(', ')],
];
const DO_FILTRO: readonly OpcaoDeCampo[] = [
  ['--cliente-id <id>', 'só as do cliente'],
  ['--contrato-id <id>', 'só as do contrato'],
  ['--codigo-externo <código>', 'só a que tem este nome em outro sistema, como ixc:123'],
  ['--situacao <situação>', FILTROS_DE_SITUACAO.join(', ')],
  ['--vencimento-de <data>', 'que vencem nesse dia ou depois'],
  ['--vencimento-ate <data>', 'que vencem nesse dia ou antes'],
];

const FILTRO = {
  cliente_id: opcional(lerId),
  contrato_id: opcional(lerId),
  codigo_externo: opcional(lerCodigo),
  situacao: opcional(escolha(FILTROS_DE_SITUACAO)),
  vencimento_de: opcional(data),
  vencimento_ate: opcional(data),
} as const;

/** `malha fatura criar|mostrar|listar|alterar|cancelar` */
export function comandosDeEmissao(fatura: Command, sessao: Sessao): void {
  comandoDeFatura(fatura, { nome: 'criar', descricao: 'emite uma fatura avulsa', campos: DA_FATURA }).action(
    async (opcoes: OpcoesDoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (dominio, { faturas }) => comoEsta(dominio, await faturas.criar(dadosDe(opcoes, DA_FATURA))),
        (feita) => sessao.mostrar(opcoes.json, apresentar(feita), [emUmaLinha(feita)]),
      );
    },
  );

  comandoDeFatura(fatura, {
    nome: 'alterar',
    descricao: 'muda uma fatura em aberto; o boleto de outro vencimento deixa de ser oferecido',
    campos: DA_ALTERACAO,
  })
    .usage('<id> [opções]')
    .argument('<id>', 'id da fatura', inteiro)
    .action(async (id: number, opcoes: OpcoesDoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (dominio, { faturas }) => {
          await faturas.alterar(id, dadosDe(opcoes, DA_ALTERACAO));
          return comoEsta(dominio, id);
        },
        (feita) => sessao.mostrar(opcoes.json, apresentar(feita), [emUmaLinha(feita)]),
      );
    });

  comandoDeFatura(fatura, {
    nome: 'cancelar',
    descricao: 'cancela uma fatura em aberto de que nada se pagou',
    campos: DO_CANCELAMENTO,
  })
    .usage('<id> --motivo <texto> [opções]')
    .argument('<id>', 'id da fatura', inteiro)
    .action(async (id: number, opcoes: OpcoesDoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (dominio, { faturas }) => {
          await faturas.cancelar(id, dadosDe(opcoes, DO_CANCELAMENTO));
          return comoEsta(dominio, id);
        },
        (feita) => sessao.mostrar(opcoes.json, apresentar(feita), [`Fatura ${id} cancelada.`]),
      );
    });

  comandoDeFatura(fatura, { nome: 'mostrar', descricao: 'mostra uma fatura, linha a linha' })
    .usage('<id> [opções]')
    .argument('<id>', 'id da fatura', inteiro)
    .action(async (id: number, { provedor: provedorId, json }: OpcoesDoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        await ler(servicos, provedorId, async (dominio) => {
          const feita = await comoEsta(dominio, id);
          const composicao = await dominio.composicao.buscar(id);
          if (composicao === null) throw new Recusa('nao_encontrado');
          const detalhes = linhasDe(composicao);
          const valor = { ...apresentar(feita), ...comoPagar(feita), ...detalhes };
          const texto = Object.entries(apresentar(feita)).map(([nome, um]) => [nome, um === null ? '-' : String(um)]);
          sessao.mostrar(json, valor, [
            ...colunas(texto),
            ...Object.entries({ ...comoPagar(feita), ...detalhes }).flatMap(([nome, um]) =>
              um === null ? [] : emLinhas(nome, um),
            ),
          ]);
        });
      });
    });

  comandoDeFatura(fatura, { nome: 'listar', descricao: 'lista faturas, as mais novas primeiro', campos: DO_FILTRO })
    .option('--limite <n>', 'quantas, no máximo', inteiro, 100)
    .option('--pagina <n>', 'qual parte da lista', inteiro, 1)
    .action(async (opcoes: OpcoesDoProvedor & { limite: number; pagina: number }) => {
      const filtro = lerCampos(FILTRO, dadosDe(opcoes, DO_FILTRO));
      await sessao.comContainer(async (servicos) => {
        const { itens, total } = await ler(servicos, opcoes.provedor, async ({ faturas }) =>
          faturas.listar(
            {
              clienteId: filtro.cliente_id,
              contratoId: filtro.contrato_id,
              codigoExterno: filtro.codigo_externo,
              situacao: filtro.situacao,
              vencimentoDe: filtro.vencimento_de,
              vencimentoAte: filtro.vencimento_ate,
            },
            { pagina: Math.max(1, opcoes.pagina), porPagina: Math.max(1, opcoes.limite) },
          ),
        );
        const linhas = itens.map((uma) => [
          String(uma.id),
          uma.vencimento,
          uma.situacao,
          escreverDinheiro(uma.valor),
          escreverDinheiro(uma.aPagar),
          uma.descricao ?? '-',
        ]);
        sessao.mostrar(opcoes.json, { total, faturas: itens.map(apresentar) }, [
          ...colunas(linhas),
          `${contar(total, 'fatura', 'faturas')} ao todo.`,
        ]);
      });
    });
}

/** What whoever owes an open invoice is given. */
function comoPagar({ segundaVia }: Fatura) {
  return {
    link_pagamento: segundaVia?.linkPagamento ?? null,
    pix_copia_cola: segundaVia?.pix?.codigo ?? null,
    linha_digitavel: segundaVia?.boleto?.linhaDigitavel ?? null,
  };
}

/** By the names of the API, money as text. */
function linhasDe({ pix, baixas, ajustes, lancamentos, renegociacoes, cancelamento, ...dito }: Composicao) {
  return {
    codigo_externo: dito.codigoExterno,
    pix_txid: dito.pixTxid,
    cancelamento,
    pix: pix.map(({ id, em, valor, devolvido }) => ({
      id,
      pago_em: em.toISOString(),
      valor: escreverDinheiro(valor),
      devolvido: escreverDinheiro(devolvido),
    })),
    baixas: baixas.map(({ id, em, valor, forma, desfeito, motivo }) => ({
      id,
      pago_em: em.toISOString(),
      valor: escreverDinheiro(valor),
      forma,
      desfeita: desfeito,
      motivo,
    })),
    ajustes: ajustes.map(({ id, em, valor, tipo, origem, desfeito, motivo }) => ({
      id,
      dado_em: em.toISOString(),
      valor: escreverDinheiro(valor),
      tipo,
      origem,
      desfeito,
      motivo,
    })),
    lancamentos: lancamentos.map(({ tipo, valor, usado }) => ({
      tipo,
      valor: escreverDinheiro(valor),
      usado: escreverDinheiro(usado),
    })),
    renegociacoes,
  };
}

function emLinhas(nome: string, valor: string | object): string[] {
  if (typeof valor === 'string') return [`${nome}: ${valor}`];
  const linhas = Array.isArray(valor) ? (valor as readonly object[]) : [valor];
  return linhas.map((linha) => {
    const ditos = Object.entries(linha).flatMap(([campo, um]) => (um === null ? [] : [`${campo} ${String(um)}`]));
    return `${nome}: ${ditos.join(', ')}`;
  });
}
