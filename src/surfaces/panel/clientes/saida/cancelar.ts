import type { Cliente } from '../../../../domain/clientes/clientes.types.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { quantos } from '../../componentes/escrita.ts';
import { area, caixa, escolha } from '../../formulario/campos.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import type { Tela } from '../../rota.ts';
import { podeIr } from '../../../../domain/clientes/cadastro/cadastro.regras.ts';
import { DO_MES_JA_USADO } from '../../contratos/palavras.ts';
import { ditaDoCliente } from '../palavras.ts';

const migalhasDe = ({ id, nome }: Cliente): NonNullable<Tela['migalhas']> => [
  ['Clientes', '/clientes'],
  [nome, `/clientes/${id}`],
];

/** What becomes of a client who leaves, before it is done. */
export function telaDoCancelamento(cliente: Cliente, estado: EstadoDoFormulario): Tela {
  const { id, nome, contratos } = cliente;
  const vivos = contratos.filter(({ situacao }) => !situacao.startsWith('cancelado')).length;
  const volta = `/clientes/${id}`;
  return {
    titulo: `Cancelar ${nome}`,
    menu: 'clientes',
    migalhas: migalhasDe(cliente),
    corpo: html`<div class="largura-leitura">
      ${cartao(
        'O que vai acontecer',
        html`<ul>
            <li>
              ${
                vivos === 0
                  ? 'Nenhum contrato será mexido: todos já estão cancelados.'
                  : `${quantos(vivos, 'contrato será cancelado', 'contratos serão cancelados')}, e a conexão deixa de funcionar.`
              }
            </li>
            <li>As faturas já vencidas continuam devidas.</li>
            <li>O cadastro fica, e pode ser reativado. Os contratos só voltam um a um, em até 90 dias.</li>
          </ul>
          ${formulario({
            para: `${volta}/cancelar`,
            estado,
            rotulos: { motivo: 'Motivo', faturas_futuras: 'Faturas que ainda não venceram' },
            enviar: 'Cancelar cliente',
            perigoso: true,
            volta,
            corpo: html`${escolha(estado, {
              nome: 'faturas_futuras',
              rotulo: 'Faturas que ainda não venceram',
              obrigatorio: true,
              dica: `As que têm pagamento ou acordo ficam de qualquer modo. ${DO_MES_JA_USADO}`,
              opcoes: [
                { valor: 'manter', texto: 'Manter: continuam a ser cobradas' },
                { valor: 'cancelar', texto: 'Cancelar também' },
              ],
            })}
            ${area(estado, { nome: 'motivo', rotulo: 'Motivo', linhas: 2, maximo: 500, dica: 'Fica no histórico dos contratos.' })}`,
          })}`,
      )}
    </div>`,
  };
}

const DADAS = ['ativo', 'inativo', 'observacao', 'pre_cadastro'] as const;

/** The states that a person may give; the others follow from what is done. */
export function telaDaSituacao(cliente: Cliente, estado: EstadoDoFormulario): Tela {
  const { id, nome, situacao, atualizadoEm } = cliente;
  const volta = `/clientes/${id}`;
  const opcoes = DADAS.filter((uma) => uma !== situacao && podeIr(situacao, uma));
  return {
    titulo: situacao === 'cancelado' ? `Reativar ${nome}` : `Situação de ${nome}`,
    menu: 'clientes',
    migalhas: migalhasDe(cliente),
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        html`<p>
            Agora: <strong>${ditaDoCliente(situacao)}</strong>. A situação é só do cadastro: contratos, conexão e
            faturas ficam como estão.
          </p>
          ${formulario({
            para: `${volta}/situacao`,
            estado,
            rotulos: { situacao: 'Nova situação', confirmado: 'Confirmado com o titular' },
            enviar: 'Mudar situação',
            volta,
            corpo: html`${escolha(estado, {
              nome: 'situacao',
              rotulo: 'Nova situação',
              obrigatorio: true,
              opcoes: opcoes.map((valor) => ({ valor, texto: ditaDoCliente(valor) })),
            })}
            ${
              situacao === 'pre_cadastro'
                ? caixa(estado, {
                    nome: 'confirmado',
                    rotulo: 'Confirmei o e-mail e os telefones com o titular',
                    dica: 'Exigido quando há outro cadastro do mesmo CPF ou CNPJ.',
                  })
                : null
            }
            ${escondido('atualizado_em', atualizadoEm.toISOString())}`,
          })}`,
      )}
    </div>`,
  };
}
