import { opcional } from '../../../domain/campos/campos.ts';
import { id } from '../../../domain/campos/leitores.ts';
import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import { Recusado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { pode } from '../sessao.ts';
import { telaDaQuebra, telaDoAcordo } from './acordo.ts';
import { telaDoNovoAcordo, vencidasDe } from './novo.ts';

/** Days until the first instalment that a new agreement proposes. */
const DIAS_ATE_A_PRIMEIRA = 30;

/** Agreements about what a client owes late. */
export const RENEGOCIACOES: readonly Rota[] = [
  pagina('/renegociacoes/nova', {
    permissao: 'faturas.criar',
    consulta: { cliente: opcional(id) },
    async mostrar(chamada) {
      const { consulta, dominio, sessao, agora } = chamada;
      const vencidas = consulta.cliente === undefined ? [] : await vencidasDe(dominio, consulta.cliente);
      const estado = preenchido({
        cliente_id: consulta.cliente,
        faturas: vencidas.map((fatura) => fatura.id),
        parcelas: 3,
        primeiro_vencimento: somarDias(hojeEm(sessao.provedor.fusoHorario, agora), DIAS_ATE_A_PRIMEIRA),
        liberar: true,
      });
      return { tela: await telaDoNovoAcordo(chamada, estado) };
    },
  }),
  acao('/renegociacoes/nova', {
    permissao: 'faturas.criar',
    campos: {
      cliente_id: 'texto',
      faturas: 'lista',
      parcelas: 'texto',
      primeiro_vencimento: 'data',
      entrada: 'dinheiro',
      desconto: 'dinheiro',
      tipo: 'texto',
      motivo: 'texto',
      liberar: 'caixa',
    },
    formulario: telaDoNovoAcordo,
    async fazer({ dados, sessao, mudar }) {
      if (dados['desconto'] !== undefined && !pode(sessao, 'faturas.desconto')) {
        throw new Recusado(403, 'Seu perfil não permite desconto', 'Nada foi mudado. Renegocie sem o desconto.');
      }
      const { id: nova } = await mudar(async (_dominio, { renegociacoes }) => renegociacoes.criar(dados));
      return { ir: `/renegociacoes/${nova}`, feito: 'criado' };
    },
  }),
  pagina('/renegociacoes/{id}', {
    permissao: 'faturas.ver',
    mostrar: async (chamada) => ({ tela: await telaDoAcordo(chamada) }),
  }),
  pagina('/renegociacoes/{id}/quebrar', {
    permissao: 'faturas.cancelar',
    mostrar: async (chamada) => ({ tela: await telaDaQuebra(chamada, EM_BRANCO) }),
  }),
  acao('/renegociacoes/{id}/quebrar', {
    permissao: 'faturas.cancelar',
    campos: { motivo: 'texto' },
    formulario: telaDaQuebra,
    async fazer({ parametros: { id: acordo }, dados, mudar }) {
      await mudar(async (_dominio, { renegociacoes }) => renegociacoes.quebrar(acordo, dados));
      return { ir: `/renegociacoes/${acordo}`, feito: 'desfeito' };
    },
  }),
];
