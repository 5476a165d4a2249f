import type { PedidoDeUso } from '../../../domain/usuarios/fatores/passkeys.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { formularioDePasskey } from '../fatores/passkey.ts';
import { entrada } from '../formulario/campos.ts';
import { EM_BRANCO, recusado } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, escondido, formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';

const ROTULOS = { email: 'E-mail', senha: 'Senha' };

const campos = (estado: EstadoDoFormulario): Html => html`
  ${entrada(estado, { nome: 'email', rotulo: 'E-mail', tipo: 'email', autocomplete: 'username', obrigatorio: true, mais: recusado(estado) ? html`` : html`autofocus` })}
  ${entrada(estado, { nome: 'senha', rotulo: 'Senha', tipo: 'password', autocomplete: 'current-password', obrigatorio: true })}
`;

/** The page by which people come in. */
export const telaDeEntrada = (estado: EstadoDoFormulario, volta: string, passkey: PedidoDeUso): Tela => ({
  titulo: 'Entrar',
  corpo: html`<div class="card">
    <div class="card-body">
      ${formulario({
        para: '/entrar',
        estado,
        rotulos: ROTULOS,
        enviar: 'Entrar',
        corpo: html`${campos(estado)} ${escondido('volta', volta)}`,
      })}
      <div class="acoes mt-3">
        ${formularioDePasskey(
          '/entrar/passkey',
          { modo: 'usar', pedido: passkey, texto: 'Entrar com chave de acesso' },
          escondido('volta', volta),
        )}
        <a href="${BASE}${comConsulta('/esqueci', { volta })}">Esqueci a senha</a>
      </div>
    </div>
  </div>`,
});

/** A form in the dialog over a page whose session is over: `de_novo` says that what was being done goes on. */
const noDialogo = (
  titulo: string,
  texto: string,
  para: string,
  recusa: string | null,
  corpo: Html,
  enviar: string,
): Html =>
  html`<div id="de-novo">
    <h2>${titulo}</h2>
    <p>${texto}</p>
    <div id="recusas-da-entrada" role="alert">
      ${recusa === null ? null : html`<p class="text-danger">${recusa}</p>`}
    </div>
    <form
      method="post"
      action="${BASE}${para}"
      hx-post="${BASE}${para}"
      hx-target="#entrar-de-novo"
      hx-swap="innerHTML"
    >
      ${corpo} ${escondido('de_novo', 'sim')}
      <button class="btn btn-primary">${enviar}</button>
    </form>
  </div>`;

/** The way in, in the dialog. */
export const formularioDeEntrada = (estado: EstadoDoFormulario = EM_BRANCO): Html =>
  noDialogo(
    'Sua sessão terminou',
    'Entre de novo: o que você estava fazendo continua.',
    '/entrar',
    estado.recusa,
    campos(estado),
    'Entrar',
  );

const codigo = (estado: EstadoDoFormulario): Html =>
  entrada(
    { ...estado, digitado: new Map() },
    {
      nome: 'codigo',
      rotulo: 'Código',
      dica: 'Os seis dígitos do aplicativo, ou um código de recuperação.',
      autocomplete: 'one-time-code',
      maximo: 40,
      obrigatorio: true,
    },
  );

const temPasskey = ({ opcoes }: PedidoDeUso): boolean => (opcoes.allowCredentials ?? []).length > 0;

/** The second factor, after the password. */
export const telaDoFator = (estado: EstadoDoFormulario, volta: string, passkey: PedidoDeUso): Tela => ({
  titulo: 'Segundo fator',
  corpo: html`${cartao(
    null,
    html`<p>Falta confirmar que é você.</p>
      ${
        temPasskey(passkey)
          ? formularioDePasskey(
              '/entrar/fator',
              { modo: 'usar', pedido: passkey, texto: 'Usar chave de acesso' },
              escondido('volta', volta),
            )
          : null
      }
      ${formulario({
        para: '/entrar/fator',
        estado,
        rotulos: { codigo: 'Código' },
        enviar: 'Continuar',
        corpo: html`${codigo(estado)} ${escondido('volta', volta)}`,
      })}`,
  )}
  ${cartao(
    null,
    html`<p class="text-secondary">
        Sem o celular e sem códigos de recuperação? Peça a um administrador do provedor que redefina o seu segundo
        fator.
      </p>
      ${botao({ para: '/sair', texto: 'Entrar com outro usuário', valores: { volta } })}`,
  )}`,
});

/** The same in the dialog. */
export const fatorNoDialogo = (recusa: string | null, passkey: PedidoDeUso): Html =>
  html`<div>
    ${noDialogo('Falta o segundo fator', 'Depois dele, o que você estava fazendo continua.', '/entrar/fator', recusa, codigo(EM_BRANCO), 'Continuar')}
    ${
      temPasskey(passkey)
        ? formularioDePasskey(
            '/entrar/fator',
            { modo: 'usar', pedido: passkey, texto: 'Usar chave de acesso' },
            escondido('de_novo', 'sim'),
            '#entrar-de-novo',
          )
        : null
    }
  </div>`;

/** In the dialog, where a factor has to be enrolled first: that needs a page of its own. */
export const cadastroNoDialogo = (): Html =>
  html`<div>
    <h2>Falta cadastrar um segundo fator</h2>
    <p>
      O seu perfil pede um. Ele é cadastrado noutra página: copie antes o que digitou aqui e quer guardar. Ou cadastre
      noutra aba e volte.
    </p>
    <a class="btn btn-primary" href="${BASE}/entrar/novo-fator" target="_blank" rel="noopener">Cadastrar noutra aba</a>
    <button class="btn" type="button" data-fecha>Fechar</button>
  </div>`;
