import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { entrada } from '../formulario/campos.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { Tela } from '../rota.ts';

export const ROTULOS_DA_ENTRADA = { email: 'E-mail', senha: 'Senha' };

const campos = (estado: EstadoDoFormulario): Html => html`
  ${entrada(estado, { nome: 'email', rotulo: 'E-mail', tipo: 'email', autocomplete: 'username', obrigatorio: true })}
  ${entrada(estado, { nome: 'senha', rotulo: 'Senha', tipo: 'password', autocomplete: 'current-password', obrigatorio: true })}
`;

/** The page by which people come in. */
export const telaDeEntrada = (estado: EstadoDoFormulario, volta: string): Tela => ({
  titulo: 'Entrar',
  corpo: html`<div class="card">
    <div class="card-body">
      ${formulario({
        para: '/entrar',
        estado,
        rotulos: ROTULOS_DA_ENTRADA,
        enviar: 'Entrar',
        corpo: html`${campos(estado)} ${escondido('volta', volta)}`,
      })}
    </div>
  </div>`,
});

/** The same in a dialog, over a page whose session is over: `de_novo` says that what was being done goes on. */
export const formularioDeEntrada = (estado: EstadoDoFormulario = EM_BRANCO): Html =>
  html`<div>
    <h2>Sua sessão terminou</h2>
    <p>Entre de novo: o que você estava fazendo continua.</p>
    <form
      method="post"
      action="${BASE}/entrar"
      hx-post="${BASE}/entrar"
      hx-target="#entrar-de-novo"
      hx-swap="innerHTML"
    >
      ${estado.recusa === null ? null : html`<p class="text-danger" role="alert">${estado.recusa}</p>`}
      ${campos(estado)} ${escondido('de_novo', 'sim')}
      <button class="btn btn-primary">Entrar</button>
    </form>
  </div>`;
