import { enderecoTotp } from '../../../domain/usuarios/fatores/totp.ts';
import type { PedidoDeCadastro } from '../../../domain/usuarios/fatores/passkeys.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { desenharQr } from '../../../kit/html/qr.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { icone } from '../componentes/icone.ts';
import { entrada } from '../formulario/campos.ts';
import { EM_BRANCO, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, escondido, formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import type { Sessao } from '../sessao.ts';
import { formularioDePasskey } from './passkey.ts';

/** Where a factor is enrolled, below `/painel`, and where it goes on from there. */
export interface LugarDoCadastro {
  readonly base: string;
  /** On the way in, the address that was asked for first: each form carries it to the next. */
  readonly depois: string;
  readonly titulo: string;
  /** Why it is asked for, where nobody asked for it. */
  readonly porque: string | null;
}

const naEntrada = ({ base }: LugarDoCadastro): boolean => base.startsWith('/entrar');

const levada = (lugar: LugarDoCadastro): Html | null => (naEntrada(lugar) ? escondido('volta', lugar.depois) : null);

const nome = (estado: EstadoDoFormulario): Html =>
  entrada(estado, {
    nome: 'nome',
    rotulo: 'Nome',
    dica: 'Para reconhecê-lo depois: “Celular”, “Notebook do escritório”.',
    maximo: 60,
    obrigatorio: true,
  });

/** An authenticator or a passkey. */
export function telaDaEscolha(
  lugar: LugarDoCadastro,
  pedido: PedidoDeCadastro,
  deQual: 'app' | 'passkey' | null = null,
  estado: EstadoDoFormulario = EM_BRANCO,
): Tela {
  const { base, titulo, porque } = lugar;
  const doApp: EstadoDoFormulario =
    deQual === 'app' ? estado : { ...EM_BRANCO, digitado: new Map([['nome', ['Celular']]]) };
  const daPasskey: EstadoDoFormulario =
    deQual === 'passkey' ? estado : { ...EM_BRANCO, digitado: new Map([['nome', ['Este aparelho']]]) };
  return {
    titulo,
    corpo: html`${porque === null ? null : aviso('info', porque)}
    ${cartao(
      'Aplicativo de códigos',
      html`<p>Um aplicativo no celular mostra um código de seis dígitos, que muda a cada meio minuto.</p>
        ${formulario({ para: `${base}/app`, estado: doApp, rotulos: { nome: 'Nome' }, corpo: html`${nome(doApp)} ${levada(lugar)}`, enviar: 'Continuar' })}`,
    )}
    ${cartao(
      'Chave de acesso',
      html`<p>
          O aparelho confirma que é você pela digital, pelo rosto ou pelo PIN dele. Serve também para entrar sem a
          senha.
        </p>
        <p class="sem-passkeys text-secondary">
          Este navegador não tem chaves de acesso aqui; use o aplicativo de códigos.
        </p>
        ${daPasskey.recusa === null ? null : html`<p class="text-danger" role="alert">${daPasskey.recusa}</p>`}
        ${formularioDePasskey(
          `${base}/passkey`,
          { modo: 'criar', pedido, texto: 'Criar chave de acesso' },
          html`<div class="campo">
            <label class="form-label" for="nome-da-passkey">Nome</label>
            <input
              class="form-control"
              id="nome-da-passkey"
              name="nome"
              maxlength="60"
              autocomplete="off"
              value="${valorDe(daPasskey, 'nome')}"
            />
            ${levada(lugar)}
          </div>`,
        )}`,
    )}
    ${naEntrada(lugar) ? botao({ para: '/sair', texto: 'Sair', valores: { volta: lugar.depois } }) : html`<a class="btn" href="${BASE}${lugar.depois}">Cancelar</a>`}`,
  };
}

/** The secret as a QR code and as text, and the field for the first code. */
export async function telaDoAplicativo(
  lugar: LugarDoCadastro,
  { provedor, usuario }: Pick<Sessao, 'provedor' | 'usuario'>,
  { fatorId, segredo }: { readonly fatorId: string; readonly segredo: string },
  estado: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const { base, titulo, depois } = lugar;
  const endereco = await enderecoTotp(provedor.nome, usuario.email, segredo);
  const emGrupos = (segredo.match(/.{1,4}/g) ?? []).join(' ');
  return {
    titulo,
    corpo: cartao(
      'Leia o código com o aplicativo',
      html`<p>Abra o aplicativo de códigos no celular, escolha acrescentar uma conta e leia isto:</p>
        <div class="qr">${desenharQr(endereco, 'QR code para o aplicativo')}</div>
        <p class="mt-2 mb-1">Não dá para ler? Digite lá esta chave:</p>
        <p class="segredo" id="segredo-do-app">${emGrupos}</p>
        ${formulario({
          para: `${base}/codigo`,
          estado,
          rotulos: { codigo: 'Código' },
          enviar: 'Confirmar',
          ...(naEntrada(lugar) ? {} : { volta: depois }),
          corpo: html`${escondido('fator_id', fatorId)} ${escondido('segredo', segredo)} ${levada(lugar)}
          ${entrada(
            { ...estado, digitado: new Map() },
            {
              nome: 'codigo',
              rotulo: 'Código',
              dica: 'Os seis dígitos que o aplicativo mostra agora.',
              teclado: 'numeric',
              autocomplete: 'one-time-code',
              maximo: 10,
              obrigatorio: true,
            },
          )}`,
        })}`,
    ),
  };
}

/** The recovery codes, this once. */
export const telaDosCodigos = (codigos: readonly string[], depois: string): Tela => ({
  titulo: 'Códigos de recuperação',
  corpo: cartao(
    'Guarde agora: não serão mostrados outra vez',
    html`<p>Cada um serve uma vez, no lugar do segundo fator: se o celular se perder, são o jeito de entrar.</p>
      <ul class="codigos segredo" id="codigos-de-recuperacao">
        ${codigos.map((codigo) => html`<li>${codigo}</li>`)}
      </ul>
      <div class="acoes">
        <button class="btn com-script" type="button" data-copia="codigos-de-recuperacao">
          ${icone('copy')} Copiar
        </button>
        <button class="btn com-script" type="button" data-imprime>${icone('printer')} Imprimir</button>
        <a class="btn btn-primary" href="${BASE}${depois}">Guardei: continuar</a>
      </div>`,
  ),
});
