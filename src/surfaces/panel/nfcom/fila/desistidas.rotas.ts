import { exigido, lerCampos, opcional } from '../../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { data, id } from '../../../../domain/campos/leitores.ts';
import { AMBIENTES_DITOS } from '../../../../domain/nfcom/lista/cancelaveis.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao, ficha } from '../../componentes/cartao.ts';
import { escreverData, inteiro, quantos } from '../../componentes/escrita.ts';
import { comConsulta } from '../../componentes/tabela.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';

/** The filter of the list beside which they stand. */
const CONSULTA = { cliente: opcional(id), de: opcional(data), ate: opcional(data) } as const;
type Consulta = ValoresDe<typeof CONSULTA>;

const permissao = 'nfcom.emitir';

/** In place of which notes that were given up together others would be asked for, before they are. */
async function telaDasDesistidas(
  { consulta: { cliente, de, ate }, dominio }: Chamada<unknown, Consulta>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { ambiente, quantas, ultima } = await dominio.notas.desistidas({ clienteId: cliente, de, ate });
  const volta = comConsulta('/nfcom', { situacao: 'rejeitada', cliente, de, ate });
  return {
    titulo: 'Emitir as de que se desistiu junto',
    menu: 'nfcom',
    migalhas: [
      ['Notas fiscais', '/nfcom'],
      ['Rejeitadas', volta],
    ],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        html`${ficha([
          ['Notas', inteiro(quantas)],
          ['Ambiente', `${AMBIENTES_DITOS[ambiente]}${ambiente === 'producao' ? '' : ': sem valor fiscal'}`],
          ['Cliente', cliente === undefined ? null : String(cliente)],
          ['Pedidas de', de === undefined ? null : escreverData(de)],
          ['até', ate === undefined ? null : escreverData(ate)],
        ])}
        ${
          quantas === 0
            ? html`<p class="m-0">
                Não há notas de que se desistiu junto, e cuja fatura esteja sem outra, com estes filtros.
              </p>`
            : formulario({
                para: comConsulta('/nfcom/desistidas', { cliente, de, ate }),
                estado,
                rotulos: {},
                enviar: `Emitir ${quantos(quantas, 'nota', 'notas')}`,
                volta,
                corpo: html`<p>
                    De cada fatura pede-se outra nota, com os dados de agora e outro número. Daquelas de que se desistiu
                    uma a uma, de substituições e ajustes, e das de faturas canceladas, não se pede nenhuma.
                  </p>
                  ${escondido('ultima', ultima)} ${escondido('contadas', quantas)}`,
              })
        }`,
      )}
    </div>`,
  };
}

/** Notes that were given up together, and are asked for again together. */
export const DESISTIDAS: readonly Rota[] = [
  pagina('/nfcom/desistidas', {
    permissao,
    consulta: CONSULTA,
    mostrar: async (chamada) => ({ tela: await telaDasDesistidas(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/desistidas', {
    permissao,
    consulta: CONSULTA,
    campos: { ultima: 'texto', contadas: 'texto' },
    formulario: telaDasDesistidas,
    async fazer({ consulta: { cliente, de, ate }, dados, mudar }) {
      const { ultima, contadas } = lerCampos({ ultima: exigido(id), contadas: exigido(id) }, dados);
      let notas = 0;
      let vistas = 0;
      for (let depoisDe: number | null = 0; depoisDe !== null;) {
        const daqui: number = depoisDe;
        const daVez = { ultima, contadas: contadas - vistas };
        const parte = await mudar(async (_dominio, { nfcom }) =>
          nfcom.pedirDesistidas({ clienteId: cliente, de, ate }, daVez, daqui),
        );
        notas += parte.notas;
        vistas += parte.vistas;
        depoisDe = parte.proxima;
      }
      return { ir: comConsulta('/nfcom', { cliente, de, ate, na_fila: notas }) };
    },
  }),
];
