import { opcional } from '../../../domain/campos/campos.ts';
import { texto } from '../../../domain/campos/leitores.ts';
import { preenchido } from '../formulario/estado.ts';
import { comVersao } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { CONTAS } from './contas.rotas.ts';
import { efeito } from './efeito.ts';
import { FERIADOS } from './feriados.rotas.ts';
import { telaDasRegras } from './regras.ts';

const digitado = opcional(texto(0, 20));

export const COBRANCA: readonly Rota[] = [
  pagina('/configuracoes/cobranca', {
    permissao: 'cobranca.editar',
    async mostrar(chamada) {
      const { id } = chamada.sessao.provedor;
      const { campos = {} } = (await chamada.servicos.configuracao.lerConfiguracao(id)) ?? {};
      const estado = preenchido({
        ...campos,
        desbloqueio: campos['desbloqueio'] === 'sim',
        excedente_credito: campos['excedente_credito'] === 'sim',
      });
      return { tela: await telaDasRegras(chamada, estado) };
    },
  }),
  // What the rules would do, while they are typed.
  pagina('/configuracoes/cobranca/efeito', {
    permissao: 'cobranca.editar',
    consulta: { multa: digitado, juros: digitado, carencia: digitado },
    mostrar: async (chamada) => ({ parte: await efeito(chamada, chamada.consulta) }),
  }),
  acao('/configuracoes/cobranca', {
    permissao: 'cobranca.editar',
    campos: {
      multa: 'apagavel',
      juros: 'apagavel',
      confirmar_juros: 'caixa',
      carencia: 'apagavel',
      tolerancia_pix: 'apagavel',
      excedente_credito: 'caixa',
      aviso_dias: 'apagavel',
      desbloqueio: 'caixa',
      desbloqueio_dias: 'apagavel',
      promessa_dias: 'apagavel',
      visto: 'texto',
      versao: 'texto',
    },
    formulario: telaDasRegras,
    async fazer(chamada) {
      const { dados, ator, ler, servicos, sessao } = chamada;
      const { dados: digitados, lida } = comVersao(dados);
      const { visto, ...regras } = digitados;
      const { id } = sessao.provedor;
      const novas = await servicos.configuracao.regrasDaForma(id, regras);
      const { valor: faturas } = await ler(async ({ efeitos }) => efeitos.faturasAfetadas(novas));
      // Whoever was not told how many invoices become others is told before anything is saved, script or not.
      if (faturas > 0 && visto !== String(faturas)) {
        const estado = preenchido({ ...(regras as Parameters<typeof preenchido>[0]), ...lida, visto: faturas });
        return { tela: await ler(async (dominio) => telaDasRegras({ ...chamada, dominio }, estado, faturas)) };
      }
      await servicos.configuracao.configurarCobranca(ator, id, regras, lida);
      return { ir: '/configuracoes/cobranca', feito: 'salvo' };
    },
  }),
  ...CONTAS,
  ...FERIADOS,
];
