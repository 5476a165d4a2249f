import type { AcessoDoCliente } from '../../../../domain/acessos/acessos.service.ts';
import type { CodigoGerado } from '../../../../domain/acessos/codigos/equipe.service.ts';
import type { Cliente } from '../../../../domain/clientes/clientes.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { instante, telefone } from '../../componentes/escrita.ts';
import { icone } from '../../componentes/icone.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import type { Tela } from '../../rota.ts';
import type { Sessao } from '../../sessao.ts';

const migalhasDe = ({ id, nome }: Cliente): NonNullable<Tela['migalhas']> => [
  ['Clientes', '/clientes'],
  [nome, `/clientes/${id}`],
];

/** How the head of a client says whether he uses the app. */
export const usaOApp = ({ temSenha }: AcessoDoCliente): string => (temSenha ? 'sim' : 'não');

interface DoApp {
  readonly sessao: Sessao;
  readonly cliente: Cliente;
  readonly acesso: AcessoDoCliente;
}

/** What a code is for, before it is made. */
export function telaDoPedido({ sessao, cliente, acesso }: DoApp, estado: EstadoDoFormulario): Tela {
  const { id, nome } = cliente;
  return {
    titulo: `Código de acesso de ${nome}`,
    menu: 'clientes',
    migalhas: migalhasDe(cliente),
    corpo: html`<div class="largura-leitura">
      ${cartao(
        'O que vai acontecer',
        html`${ficha([
            ['Usa o app', usaOApp(acesso)],
            ['Última entrada', instante(sessao.provedor.fusoHorario, acesso.ultimoEm) ?? 'nunca entrou'],
            ['Sessões abertas', String(acesso.sessoes)],
          ])}
          <ul class="mt-3">
            <li>Um código de 8 números aparece aqui, uma só vez, e vale 24 horas.</li>
            <li>Com ele o cliente escolhe a senha do app; os códigos de antes deixam de valer.</li>
            <li>Quem souber o código entra no lugar do cliente: confirme antes com quem você fala.</li>
          </ul>
          ${
            acesso.disponivel
              ? formulario({
                  para: `/clientes/${id}/codigo-do-app`,
                  estado,
                  rotulos: {},
                  enviar: 'Gerar código',
                  volta: `/clientes/${id}`,
                  corpo: html``,
                })
              : aviso(
                  'warning',
                  'Este cadastro ainda não dá acesso ao app: é pré-cadastro, ou os dados foram apagados.',
                )
          }`,
      )}
    </div>`,
  };
}

/** A code that was made, this once. */
export function telaDoCodigo(
  { sessao, cliente }: Omit<DoApp, 'acesso'>,
  { codigo, expiraEm, telefones }: CodigoGerado,
): Tela {
  const escrito = `${codigo.slice(0, 4)} ${codigo.slice(4)}`;
  return {
    titulo: 'Código pronto',
    menu: 'clientes',
    migalhas: migalhasDe(cliente),
    corpo: html`<div class="largura-leitura">
      ${cartao(
        'Diga agora: não será mostrado outra vez',
        html`<p class="segredo fs-1" id="codigo">${escrito}</p>
          <p>
            No app, o cliente toca em “Primeiro acesso ou esqueci a senha”, digita o CPF ou CNPJ e este código, e
            escolhe a senha. Serve uma vez, até ${instante(sessao.provedor.fusoHorario, expiraEm)}.
          </p>
          ${
            telefones.length === 0
              ? aviso('warning', 'Não há telefone no cadastro: confirme com quem você fala antes de dizer o código.')
              : html`<p>Só o diga por um destes números: ${separados(telefones.map((numero) => telefone(numero)))}.</p>`
          }
          <div class="acoes">
            <button class="btn btn-primary com-script" type="button" data-copia="codigo">
              ${icone('copy')} Copiar
            </button>
            <a class="btn" href="${BASE}/clientes/${cliente.id}">Ver o cliente</a>
          </div>`,
      )}
    </div>`,
  };
}

const separados = (partes: readonly Html[]): readonly Html[] =>
  partes.map((parte, n) => html`${n === 0 ? null : ', '}${parte}`);

/** That all devices of a client have to sign in again, before it is so. */
export function telaDoFim({ cliente, acesso }: Omit<DoApp, 'sessao'>, estado: EstadoDoFormulario): Tela {
  const { id, nome } = cliente;
  return {
    titulo: `Encerrar sessões do app de ${nome}`,
    menu: 'clientes',
    migalhas: migalhasDe(cliente),
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        html`<p>
            ${acesso.sessoes === 0 ? 'Não há sessão aberta.' : `${acesso.sessoes === 1 ? 'Uma sessão termina' : `${acesso.sessoes} sessões terminam`} agora, em todos os aparelhos.`}
            A senha continua a mesma: se alguém a sabe, gere também um código, com que o cliente escolhe outra.
          </p>
          ${formulario({
            para: `/clientes/${id}/encerrar-app`,
            estado,
            rotulos: {},
            enviar: 'Encerrar sessões',
            perigoso: true,
            volta: `/clientes/${id}`,
            corpo: html``,
          })}`,
      )}
    </div>`,
  };
}
