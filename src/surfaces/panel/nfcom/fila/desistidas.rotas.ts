import { lerCampos, opcional } from '../../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { data, id } from '../../../../domain/campos/leitores.ts';
import { MAIOR_PARTE } from '../../../../domain/nfcom/desistencia/desistidas.ts';
import { AMBIENTES_DITOS } from '../../../../domain/nfcom/ambiente.regras.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao, ficha } from '../../componentes/cartao.ts';
import { escreverData, inteiro, quantos } from '../../componentes/escrita.ts';
import { comConsulta } from '../../componentes/tabela.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { CONTAGEM } from './contagem.ts';

/** The filter of the list beside which they stand. */
const CONSULTA = { cliente: opcional(id), de: opcional(data), ate: opcional(data) } as const;
type Consulta = ValoresDe<typeof CONSULTA>;

const permissao = 'nfcom.emitir';

/** In place of which notes that were given up together others would be asked for, before they are. */
async function telaDasDesistidas(
  { consulta: { cliente, de, ate }, dominio }: Chamada<unknown, Consulta>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { ambiente, notas, soma, ultima } = await dominio.notas.desistidas({ clienteId: cliente, de, ate });
  const quem = cliente === undefined ? null : await dominio.clientes.buscarPorId(cliente);
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
          ['Notas', inteiro(notas)],
          ['Ambiente', `${AMBIENTES_DITOS[ambiente]}${ambiente === 'producao' ? '' : ': sem valor fiscal'}`],
          ['Cliente', quem?.nome ?? null],
          ['Pedidas de', de === undefined ? null : escreverData(de)],
          ['até', ate === undefined ? null : escreverData(ate)],
        ])}
        ${
          notas === 0
            ? html`<p class="m-0">
                Não há notas de que se desistiu junto, e cuja fatura esteja sem outra, com estes filtros.
              </p>`
            : formulario({
                para: comConsulta('/nfcom/desistidas', { cliente, de, ate }),
                estado,
                rotulos: {},
                enviar: `Emitir ${quantos(notas, 'nota', 'notas')}`,
                volta,
                corpo: html`<p>
                    De cada fatura pede-se outra nota, com os dados de agora e outro número. Daquelas de que se desistiu
                    uma a uma, de substituições e ajustes, e das de faturas canceladas, não se pede nenhuma.
                  </p>
                  ${escondido('ambiente', ambiente)} ${escondido('contadas', notas)} ${escondido('soma', soma)}
                  ${escondido('ultima', ultima)}`,
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
    campos: { ambiente: 'texto', contadas: 'texto', soma: 'texto', ultima: 'texto' },
    formulario: telaDasDesistidas,
    async fazer({ consulta: { cliente, de, ate }, dados, ler, mudar }) {
      const { ambiente, contadas, ...resto } = lerCampos(CONTAGEM, dados);
      const contagem = { ambiente, notas: contadas, ...resto };
      const filtro = { clienteId: cliente, de, ate };
      const ids = await ler(async (dominio) => dominio.notas.desistidasContadas(filtro, contagem));
      let pedidas = 0;
      for (let n = 0; n < ids.length; n += MAIOR_PARTE) {
        const parte = ids.slice(n, n + MAIOR_PARTE);
        pedidas += await mudar(async (_dominio, { nfcom }) => nfcom.pedirDesistidas(parte, ambiente));
      }
      return { ir: comConsulta('/nfcom', { cliente, de, ate, na_fila: pedidas }) };
    },
  }),
];
