import { exigido, lerCampos } from '../../../domain/campos/campos.ts';
import { mes } from '../../../domain/faturamento/calculo/meses.leitores.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { CONFIGURACAO_DO_FATURAMENTO } from './configuracao.rotas.ts';
import { CREDITOS } from './creditos.rotas.ts';
import { exigirDesistencia, telaDaDesistencia } from './desistir.ts';
import { ITENS } from './itens.rotas.ts';
import { CONSULTA_DA_PREVIA, CONSULTA_DOS_FATURAMENTOS, telaDaPrevia, telaDosFaturamentos } from './telas.ts';
import { CONSULTA_DA_VEZ, telaDaVez } from './vez.ts';

const permissao = 'cobranca.faturar';

/** Billing of months: what was made, what would be, and taking it back. */
export const FATURAMENTO: readonly Rota[] = [
  pagina('/faturamento', {
    permissao,
    consulta: CONSULTA_DOS_FATURAMENTOS,
    mostrar: async (chamada) => ({ tela: await telaDosFaturamentos(chamada) }),
  }),
  pagina('/faturamento/previa', {
    permissao,
    consulta: CONSULTA_DA_PREVIA,
    mostrar: async (chamada) => ({ tela: await telaDaPrevia(chamada, EM_BRANCO) }),
  }),
  acao('/faturamento/gerar', {
    permissao,
    campos: { mes: 'texto' },
    consulta: CONSULTA_DA_PREVIA,
    formulario: telaDaPrevia,
    async fazer({ dados, mudar }) {
      await mudar(async (_dominio, { faturamento }) => faturamento.pedir('faturas', dados));
      return { ir: '/faturamento', feito: 'pedido' };
    },
  }),
  acao('/faturamento/previa/pedir', {
    permissao,
    campos: { mes: 'texto' },
    consulta: CONSULTA_DA_PREVIA,
    formulario: telaDaPrevia,
    async fazer({ dados, mudar }) {
      const { mes: pedido } = lerCampos({ mes: exigido(mes) }, dados);
      await mudar(async (_dominio, { faturamento }) => faturamento.pedir('previa', dados));
      return { ir: `/faturamento/previa?mes=${pedido.slice(0, 7)}`, feito: 'pedido' };
    },
  }),
  ...CREDITOS,
  pagina('/faturamento/{id}', {
    permissao,
    consulta: CONSULTA_DA_VEZ,
    mostrar: async (chamada) => ({ tela: await telaDaVez(chamada, EM_BRANCO) }),
  }),
  acao('/faturamento/{id}/desfazer', {
    permissao,
    consulta: CONSULTA_DA_VEZ,
    formulario: telaDaVez,
    async fazer({ parametros: { id }, mudar }) {
      const { pedido } = await mudar(async (_dominio, { faturamento }) => faturamento.desfazer(id));
      return pedido === null
        ? { ir: `/faturamento/${id}`, feito: 'desfeito' }
        : { ir: '/faturamento', feito: 'pedido' };
    },
  }),
  pagina('/faturamento/{id}/desistir', {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDaDesistencia(chamada, EM_BRANCO) }),
  }),
  acao('/faturamento/{id}/desistir', {
    permissao,
    campos: { seguidas: 'texto' },
    formulario: telaDaDesistencia,
    async fazer({ parametros, dados, mudar }) {
      const mesmoSeguidas = dados['seguidas'] === 'sim';
      await mudar(async (dominio, { faturamento }) => {
        const { id } = await exigirDesistencia({ dominio, parametros }, mesmoSeguidas);
        await faturamento.desistir(id, { mesmoSeguidas });
      });
      return { ir: `/faturamento/${parametros.id}`, feito: 'pedido' };
    },
  }),
  acao('/faturamento/pedidos/{id}/parar', {
    permissao,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { faturamento }) => faturamento.parar(id));
      return { ir: '/faturamento', feito: 'parado' };
    },
  }),
  ...ITENS,
  ...CONFIGURACAO_DO_FATURAMENTO,
];
