import type { Composicao } from '../../../domain/faturas/composicao/composicao.service.ts';
import { camposDaFatura } from '../../../domain/faturas/faturas.types.ts';
import type { Fatura } from '../../../domain/faturas/faturas.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { ficha } from '../componentes/cartao.ts';
import { escreverData, escreverReais } from '../componentes/escrita.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { versaoLida } from '../formulario/versao.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { situacaoDaFatura } from './termos.ts';

type DaFatura = Pick<Chamada<{ readonly id: number }>, 'dominio' | 'parametros'>;

/** The invoice of an address. @throws Recusado when the provider has none of that id */
export async function exigirFatura({ dominio, parametros: { id } }: DaFatura): Promise<Fatura> {
  const fatura = await dominio.faturas.buscarPorId(id);
  if (fatura === null) throw naoEncontrado();
  return fatura;
}

/** How the invoice of an address came to be what it is. @throws Recusado when the provider has none of that id */
export async function exigirComposicao({ dominio, parametros: { id } }: DaFatura): Promise<Composicao> {
  const composicao = await dominio.composicao.buscar(id);
  if (composicao === null) throw naoEncontrado();
  return composicao;
}

/** The version of an invoice that a form about it goes by; see `versaoLida`. How it is now, the page says above. */
export const versaoDaFatura = (fatura: Fatura, estado: EstadoDoFormulario): Html =>
  versaoLida({ estado, campos: camposDaFatura(fatura), rotulos: {} });

/** A page with one form about an invoice, below what the invoice is. */
export async function telaSobreFatura(
  { dominio }: Pick<Chamada, 'dominio'>,
  fatura: Fatura,
  titulo: string,
  corpo: Html,
): Promise<Tela> {
  const cliente = await dominio.clientes.buscarPorId(fatura.clienteId);
  return {
    titulo,
    menu: 'faturas',
    migalhas: [
      ['Faturas', '/faturas'],
      [`Fatura ${fatura.id}`, `/faturas/${fatura.id}`],
    ],
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <div class="mb-3">
          ${ficha([
            ['Cliente', cliente?.nome ?? null],
            ['Descrição', fatura.descricao],
            ['Vencimento', escreverData(fatura.vencimento)],
            ['Situação', situacaoDaFatura(fatura.situacao)],
            ['Valor', escreverReais(fatura.valor)],
            ['A pagar hoje', fatura.segundaVia === null ? null : escreverReais(fatura.aPagar)],
          ])}
        </div>
        ${corpo}
      </div>
    </div>`,
  };
}
