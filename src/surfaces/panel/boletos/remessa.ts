import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { html } from '../../../kit/html/html.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, ficha } from '../componentes/cartao.ts';
import { escreverReais, inteiro, instante } from '../componentes/escrita.ts';
import { botao } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { situacaoDaRemessa } from './palavras.ts';
import { BOLETOS_EM } from './rejeitados.ts';

/** A file to a bank, and what may be done with it. */
export async function telaDaRemessa({
  dominio,
  sessao,
  parametros: { id },
}: Pick<Chamada<{ readonly id: number }>, 'dominio' | 'parametros' | 'sessao'>): Promise<Tela> {
  const remessa = await dominio.boletos.remessa(id);
  const { situacao, nome, nsa, entradas, instrucoes, total, criada_em: criada } = remessa;
  const saiu = situacao === 'baixada' || situacao === 'enviada';
  const respondida = saiu && (await dominio.boletos.respondida(id));
  const em = `${BOLETOS_EM}/remessas/${id}`;
  const fuso = sessao.provedor.fusoHorario;
  return {
    titulo: nome,
    menu: 'boletos',
    migalhas: [['Boletos no banco', BOLETOS_EM]],
    acoes: situacaoDaRemessa(situacao),
    corpo: cartao(
      'Remessa',
      html`${ficha([
        ['NSA', nsa],
        ['Boletos', inteiro(entradas)],
        ['Pedidos', inteiro(instrucoes)],
        ['Total', escreverReais(lerDinheiro(total))],
        ['Feita em', instante(fuso, fromDatabaseTime(criada))],
      ])}
      ${
        situacao === 'desfeita' || situacao === 'recusada'
          ? html`<p>
              ${situacao === 'desfeita' ? 'Foi desfeita: não saiu.' : 'O banco recusou o arquivo: os boletos e os pedidos dele esperam a próxima remessa.'}
              Os números dela não voltam a ser usados.
            </p>`
          : html`<div class="acoes">
                ${
                  pode(sessao, 'clientes.documentos')
                    ? html`<form method="post" action="${BASE}${em}/baixar">
                        <button class="btn btn-primary">Baixar o arquivo</button>
                      </form>`
                    : null
                }
                ${situacao === 'enviada' ? null : botao({ para: `${em}/enviada`, texto: 'O banco já a tem' })}
                ${
                  situacao === 'gerada'
                    ? botao({ para: `${em}/desfazer`, texto: 'Desfazer', classe: 'btn btn-outline-danger' })
                    : respondida
                      ? null
                      : botao({
                          para: `${em}/recusada`,
                          texto: 'O banco recusou o arquivo',
                          classe: 'btn btn-outline-danger',
                        })
                }
              </div>
              ${
                situacao === 'gerada' || respondida
                  ? null
                  : html`<p class="text-secondary mt-3">
                      Se o banco recusou o arquivo inteiro, ou ele se perdeu, corrija antes o convênio: os boletos
                      voltam a esperar e vão na próxima remessa, com outros números. Só se pode dizer enquanto o banco
                      não respondeu sobre nenhum deles.
                    </p>`
              }`
      }`,
    ),
  };
}
