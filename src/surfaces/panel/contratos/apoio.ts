import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverReais, escreverValor } from '../../../brazil/dinheiro/escrita.ts';
import type { FichaDeContrato } from '../../../domain/contratos/ficha/ficha.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, ficha as fichaDe } from '../componentes/cartao.ts';
import { valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido } from '../formulario/formulario.ts';
import { Recusado, naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { situacaoDoContrato } from '../clientes/palavras.ts';

export type DoContrato = Chamada<{ readonly id: number }>;

/** Decimal text as people read it. */
export const emReais = (valor: string): string => escreverReais(lerDinheiro(valor));

/** Decimal text as a form has it: `99,90`. */
export const digitavel = (valor: string): string => escreverValor(lerDinheiro(valor)).replaceAll('.', '');

/** The contract of an address. @throws Recusado when the provider has none of that id */
export async function exigirContrato({
  dominio,
  parametros: { id },
}: Pick<DoContrato, 'dominio' | 'parametros'>): Promise<FichaDeContrato> {
  const contrato = await dominio.fichas.buscar(id);
  if (contrato === null) throw naoEncontrado();
  return contrato;
}

/** A page about a contract, below what the contract is now. */
export function telaSobreContrato(contrato: FichaDeContrato, titulo: string, corpo: Html): Tela {
  const { id, cliente_id, cliente_nome, plano_nome, situacao, login, valor, dia_vencimento } = contrato;
  return {
    titulo,
    menu: 'contratos',
    migalhas: [
      ['Contratos', '/contratos'],
      [`Contrato ${id}`, `/contratos/${id}`],
    ],
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <div class="mb-3">
          ${fichaDe([
            ['Cliente', html`<a href="${BASE}/clientes/${cliente_id}">${cliente_nome}</a>`],
            ['Situação', situacaoDoContrato(situacao)],
            ['Plano', `${plano_nome}, por ${emReais(valor)}`],
            ['Vencimento', `dia ${dia_vencimento}`],
            ['Login', login],
          ])}
        </div>
        ${corpo}
      </div>
    </div>`,
  };
}

/**
 * The version that a form was opened with. Whoever was told that somebody had changed the contract meanwhile has seen how it is now, and
 * means that one when he sends it again.
 */
export function versaoDo({ atualizado_em }: Pick<FichaDeContrato, 'atualizado_em'>, estado: EstadoDoFormulario): Html {
  const divergiu = estado.faltas.some(({ campo }) => campo === 'atualizado_em');
  const deAntes = divergiu ? '' : valorDe(estado, 'atualizado_em');
  return escondido('atualizado_em', deAntes === '' ? atualizado_em.toISOString() : deAntes);
}

export const ROTULO_DA_VERSAO = { atualizado_em: 'Contrato' };

/** @throws Recusado where somebody sets a value or waives charges who may give no discount: the plan's value holds then */
export function exigirDesconto(sessao: Sessao, dados: Readonly<Record<string, unknown>>): void {
  const isenta = dados['tipo_cobranca'] === 'isento';
  if ((dados['valor'] === undefined && !isenta) || pode(sessao, 'faturas.desconto')) return;
  throw new Recusado(
    403,
    'Seu perfil não permite isto',
    'Dizer um valor diferente do plano, ou isentar, pede a permissão de dar desconto. Nada foi mudado.',
  );
}

/** Of a move that the contract's state does not allow: says so, instead of a form that could only be refused. */
export const naoCabe = (id: number, texto: string): Html =>
  html`${aviso('info', texto)}<a class="btn" href="${BASE}/contratos/${id}">Voltar ao contrato</a>`;
