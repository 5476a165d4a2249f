import { opcional } from '../../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { data, id } from '../../../../domain/campos/leitores.ts';
import { AMBIENTES_DITOS } from '../../../../domain/nfcom/ambiente.regras.ts';
import { html } from '../../../../kit/html/html.ts';
import { ficha } from '../../componentes/cartao.ts';
import { escreverData, inteiro } from '../../componentes/escrita.ts';
import { comConsulta } from '../../componentes/tabela.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';

/** The filter of the list beside which the rejected notes stand. */
const CONSULTA = { cliente: opcional(id), de: opcional(data), ate: opcional(data) } as const;
type Consulta = ValoresDe<typeof CONSULTA>;

const permissao = 'nfcom.emitir';

/** Which rejected notes would be issued anew, before they are. */
async function telaDaReemissao(
  { consulta: { cliente, de, ate }, dominio }: Chamada<unknown, Consulta>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { ambiente, quantas, deOutroAmbiente } = await dominio.notas.aReemitir({ clienteId: cliente, de, ate });
  const quem = cliente === undefined ? null : await dominio.clientes.buscarPorId(cliente);
  const volta = comConsulta('/nfcom', { situacao: 'rejeitada', cliente, de, ate });
  const outro = ambiente === 'producao' ? 'homologacao' : 'producao';
  return {
    titulo: 'Emitir de novo as rejeitadas',
    menu: 'nfcom',
    migalhas: [
      ['Notas fiscais', '/nfcom'],
      ['Rejeitadas', volta],
    ],
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <div class="mb-3">
          ${ficha([
            ['Notas', inteiro(quantas)],
            ['Ambiente', `${AMBIENTES_DITOS[ambiente]}${ambiente === 'producao' ? '' : ': sem valor fiscal'}`],
            ['Cliente', quem?.nome ?? null],
            ['Emitidas de', de === undefined ? null : escreverData(de)],
            ['até', ate === undefined ? null : escreverData(ate)],
            [
              'Ficam de fora',
              deOutroAmbiente === 0 ? null : `${inteiro(deOutroAmbiente)} de ${AMBIENTES_DITOS[outro]}`,
            ],
          ])}
        </div>
        ${
          quantas === 0
            ? html`<p class="m-0">Não há rejeitadas que se possam emitir de novo com estes filtros.</p>`
            : formulario({
                para: comConsulta('/nfcom/reemitir', { cliente, de, ate }),
                estado,
                rotulos: {},
                enviar: quantas === 1 ? 'Emitir de novo 1 nota' : `Emitir de novo ${inteiro(quantas)} notas`,
                volta,
                corpo: html`<p>
                  Cada uma é montada com os dados de agora e sai com o mesmo número. Da que já foi enviada, pergunta-se
                  antes à autoridade.
                </p>`,
              })
        }
      </div>
    </div>`,
  };
}

/** Rejected notes that are issued anew together. */
export const REEMISSAO: readonly Rota[] = [
  pagina('/nfcom/reemitir', {
    permissao,
    consulta: CONSULTA,
    mostrar: async (chamada) => ({ tela: await telaDaReemissao(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/reemitir', {
    permissao,
    consulta: CONSULTA,
    formulario: telaDaReemissao,
    async fazer({ consulta: { cliente, de, ate }, mudar }) {
      let notas = 0;
      for (let depoisDe: number | null = 0; depoisDe !== null;) {
        const ultima: number = depoisDe;
        const parte = await mudar(async (_dominio, { nfcom }) =>
          nfcom.reemitirRejeitadas({ clienteId: cliente, de, ate }, ultima),
        );
        notas += parte.notas;
        depoisDe = parte.proxima;
      }
      return { ir: comConsulta('/nfcom', { cliente, de, ate, na_fila: notas }) };
    },
  }),
];
