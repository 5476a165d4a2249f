import { lerData } from '../../../../brazil/calendario/datas.ts';
import type { Cliente } from '../../../../domain/clientes/clientes.types.ts';
import type { Apagamento } from '../../../../domain/privacidade/apagamento/apagamento.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { escreverData } from '../../componentes/escrita.ts';
import { tabela } from '../../componentes/tabela.ts';
import { caixa } from '../../formulario/campos.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import type { Tela } from '../../rota.ts';

const dataDita = (texto: string): string => {
  const lida = lerData(texto);
  return lida === null ? texto : escreverData(lida);
};

/** `cadastro.cpf_cnpj` as people read it. */
const ditoDe = (dado: string): string => dado.replace('.', ': ').replaceAll('_', ' ');

function doQueSai({ apagados, guardados, outrosCadastros }: Apagamento): Html {
  return html`<h3 class="h4">Sai agora</h3>
    ${
      apagados.length === 0
        ? html`<p>Nada: o que podia sair já saiu.</p>`
        : html`<ul>
            ${apagados.map((dado) => html`<li>${ditoDe(dado)}</li>`)}
          </ul>`
    }
    <h3 class="h4">Fica, porque a lei manda guardar</h3>
    ${tabela({
      legenda: 'O que a lei manda guardar',
      linhas: guardados,
      vazia: html`<p>Nada.</p>`,
      colunas: [
        { titulo: 'Dado', principal: true, celula: ({ dado }) => ditoDe(dado) },
        { titulo: 'Até', celula: ({ ate }) => dataDita(ate) },
        { titulo: 'Por quê', celula: ({ porque }) => porque },
      ],
    })}
    ${
      outrosCadastros.length === 0
        ? null
        : aviso(
            'info',
            html`O titular tem outros cadastros, que ficam como estão:
            ${outrosCadastros.map((id) => html`<a href="${BASE}/clientes/${id}">nº ${id}</a> `)}`,
          )
    }`;
}

/** Erasure: first it is shown what would go and what stays; only then it can be asked for. */
export function telaDoApagamento(
  { id, nome }: Cliente,
  estado: EstadoDoFormulario = EM_BRANCO,
  simulado: Apagamento | null = null,
): Tela {
  const volta = `/clientes/${id}`;
  return {
    titulo: `Apagar dados de ${nome}`,
    menu: 'clientes',
    migalhas: [
      ['Clientes', '/clientes'],
      [nome, volta],
    ],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        'A pedido do titular (LGPD)',
        html`<p>
            Apagam-se os dados pessoais que nenhuma lei manda guardar. O cliente precisa estar sem contrato em vigor,
            sem fatura em aberto e sem chamado em aberto. <strong>Não há volta.</strong>
          </p>
          ${formulario({
            para: `${volta}/apagar/simular`,
            estado: EM_BRANCO,
            rotulos: {},
            enviar: simulado === null ? 'Ver o que sairia' : 'Ver de novo',
            volta,
            corpo: html``,
          })}`,
      )}
      ${
        simulado === null && estado === EM_BRANCO
          ? null
          : cartao(
              simulado === null ? 'Apagar' : 'O que sairia hoje',
              html`${simulado === null ? null : doQueSai(simulado)}
              ${formulario({
                para: `${volta}/apagar`,
                estado,
                rotulos: { certeza: 'Certeza' },
                enviar: 'Apagar os dados',
                perigoso: true,
                volta,
                corpo: caixa(estado, { nome: 'certeza', rotulo: 'O titular pediu, e sei que não há volta' }),
              })}`,
            )
      }
    </div>`,
  };
}
