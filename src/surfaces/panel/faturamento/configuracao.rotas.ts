import { somarMeses } from '../../../domain/faturamento/calculo/meses.regras.ts';
import { versaoDasRegras } from '../../../domain/faturamento/configuracao/configuracao.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { escreverReais, quantos } from '../componentes/escrita.ts';
import { caixa, entrada } from '../formulario/campos.ts';
import { faltaDe, preenchido, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { comVersao, versaoAtual } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { PREVIA_NA_HORA } from './pedidos.ts';

const CAMINHO = '/configuracoes/faturamento';
const permissao = 'cobranca.editar';

const ROTULOS = {
  desde: 'Faturar desde o mês de serviço',
  antecedencia: 'Dias antes do vencimento',
  fatura_unica: 'Uma fatura só por cliente e vencimento',
  cobrar_bloqueado: 'Cobrar os dias em que o contrato está bloqueado',
  confirmado: 'Cobrar também os meses que já passaram',
};

/** What putting the first month back would charge, and the box that confirms it; nothing until it was refused for want of that. */
async function confirmacao({ dominio }: Chamada, estado: EstadoDoFormulario): Promise<Html | null> {
  if (faltaDe(estado, 'confirmado') === null) return null;
  const mes = somarMeses(dominio.faturamento.hoje(), 1).slice(0, 7);
  const pedido = { mes, desde: valorDe(estado, 'desde') };
  const contratos = await dominio.faturamento.quantosFaltam(pedido);
  const confirmar = caixa(estado, { nome: 'confirmado', rotulo: ROTULOS.confirmado });
  // So many are not reckoned while somebody waits for a page.
  if (contratos > PREVIA_NA_HORA) {
    const previa = html`<a href="${BASE}/faturamento/previa?mes=${mes}">prévia</a>`;
    return html`${aviso(
      'warning',
      html`Com este primeiro mês, cobram-se até o fim do mês que vem ${quantos(contratos, 'contrato', 'contratos')},
      também dos meses que já passaram. São muitos para se calcular aqui quanto: depois de salvar, peça a ${previa}, que
      se calcula à parte, e confira-a antes do trabalho do dia seguinte, que já os cobra.`,
    )}
    ${confirmar}`;
  }
  const { faturas, total, anteriores } = await dominio.faturamento.previa(pedido);
  return html`${aviso(
    'warning',
    `Com este primeiro mês, fazem-se até o fim do mês que vem ${quantos(faturas, 'fatura', 'faturas')}, de ${escreverReais(total)}: nelas, ${quantos(anteriores.cobrancas, 'contrato paga', 'contratos pagam')} ${escreverReais(anteriores.total)} de meses anteriores ao da cobrança.`,
  )}
  ${confirmar}`;
}

async function tela(chamada: Chamada, digitado: EstadoDoFormulario | null): Promise<Tela> {
  const regras = await chamada.dominio.faturamento.regras();
  const estado =
    digitado ??
    preenchido({
      desde: regras.desde?.slice(0, 7),
      antecedencia: regras.antecedencia,
      fatura_unica: regras.faturaUnica ? 'sim' : undefined,
      cobrar_bloqueado: regras.cobrarBloqueado ? 'sim' : undefined,
    });
  const aConfirmar = await confirmacao(chamada, estado);
  return {
    titulo: 'Regras do faturamento',
    menu: 'configuracao-faturamento',
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        html`${aviso('info', 'O que já foi cobrado fica como está. Veja a prévia do mês antes de dizer desde quando se fatura: cada contrato ativo passa a ser cobrado aqui.')}
        ${formulario({
          para: CAMINHO,
          estado,
          rotulos: ROTULOS,
          enviar: 'Salvar',
          volta: '/faturamento',
          corpo: html`${versaoAtual(estado, versaoDasRegras(regras))}
          ${entrada(estado, {
            nome: 'desde',
            rotulo: ROTULOS.desde,
            maximo: 7,
            dica: 'Como 2026-12. Vazio: nada é faturado sozinho. Quem paga depois paga este mês no seguinte.',
          })}
          ${entrada(estado, {
            nome: 'antecedencia',
            rotulo: ROTULOS.antecedencia,
            teclado: 'numeric',
            maximo: 2,
            obrigatorio: true,
            dica: 'Quantos dias antes de vencer cada cobrança é feita: de 0 a 28.',
          })}
          ${caixa(estado, { nome: 'fatura_unica', rotulo: ROTULOS.fatura_unica, dica: 'Sem isto, cada contrato tem a sua fatura. A nota fiscal é de cada contrato, também quando a fatura é uma só.' })}
          ${caixa(estado, { nome: 'cobrar_bloqueado', rotulo: ROTULOS.cobrar_bloqueado, dica: 'Sem isto, são descontados na cobrança seguinte. Vale para os meses que ainda não foram cobrados.' })}
          ${aConfirmar}`,
        })}`,
      )}
    </div>`,
  };
}

export const CONFIGURACAO_DO_FATURAMENTO: readonly Rota[] = [
  pagina(CAMINHO, { permissao, mostrar: async (chamada) => ({ tela: await tela(chamada, null) }) }),
  acao(CAMINHO, {
    permissao,
    campos: {
      desde: 'apagavel',
      antecedencia: 'texto',
      fatura_unica: 'caixa',
      cobrar_bloqueado: 'caixa',
      confirmado: 'caixa',
      versao: 'texto',
    },
    formulario: tela,
    async fazer({ dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { faturamento }) => faturamento.configurar(dados, lida));
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
];
