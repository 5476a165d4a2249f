import type { Procedencia } from '../../../domain/actor.ts';
import { Recusa } from '../../../domain/erros.ts';
import type { MotivoDeRecusa } from '../../../domain/erros.ts';
import { html } from '../../../kit/html/html.ts';
import type { FormFields } from '../../../kit/html/form.ts';
import { botaoDePasskey, lerPasskey, lugarDe } from '../fatores/passkey.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { entrada } from '../formulario/campos.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { DA_SUPERFICIE } from '../formulario/leitura.ts';
import type { Acao, Desfecho } from '../rota.ts';
import type { Servicos } from '../servicos.ts';
import type { Sessao } from '../sessao.ts';

interface DaProva {
  readonly digitado: FormFields;
  readonly sessao: Sessao;
  /** The address of the change, below `/painel`. */
  readonly para: string;
  /** What was not sent by htmx, such as what a file is answered to, goes on without it. */
  readonly porHtmx: boolean;
  readonly campos: Acao['campos'];
  /** Whether his password is not enough; see `Acao.prova`. */
  readonly soFator: boolean;
  readonly servicos: Servicos;
  readonly deOnde: Procedencia;
  readonly origem: string;
}

const SENHA = `${DA_SUPERFICIE}senha`;
const CODIGO = `${DA_SUPERFICIE}codigo`;
const DESAFIO = `${DA_SUPERFICIE}desafio`;
const RESPOSTA = `${DA_SUPERFICIE}resposta`;

const NAO_CONFERE: readonly MotivoDeRecusa[] = ['prova_incorreta', 'codigo_incorreto'];

/**
 * Asks who acts for his password or a code of his second factor, before something that is hard to undo. What he had sent stands in the
 * form that asks, so that it is done as soon as he has answered. Null when he has proved it.
 */
export async function provar({
  digitado,
  sessao,
  para,
  porHtmx,
  campos,
  soFator,
  servicos,
  deOnde,
  origem,
}: DaProva): Promise<Desfecho | null> {
  const senha = soFator ? '' : (digitado.get(SENHA)?.[0] ?? '');
  const codigo = digitado.get(CODIGO)?.[0] ?? '';
  const resposta = digitado.get(RESPOSTA)?.[0] ?? '';
  const respondeu = senha !== '' || codigo !== '' || resposta !== '';
  const lugar = lugarDe({ origem });
  let estado: EstadoDoFormulario = EM_BRANCO;
  if (respondeu) {
    try {
      const passkey = lerPasskey({ desafio: digitado.get(DESAFIO)?.[0], resposta });
      const porFator = resposta === '' ? { codigo } : { passkey, lugar };
      await servicos.tentativas.prove(sessao.provedor.id, sessao.usuario.id, async () =>
        servicos.sessoes.provar(sessao, senha === '' ? porFator : { senha }, deOnde),
      );
      return null;
    } catch (error) {
      if (!(error instanceof Recusa) || !NAO_CONFERE.includes(error.motivo)) throw error;
      estado = {
        ...EM_BRANCO,
        recusa: soFator ? 'Não confere.' : 'Não confere. Confirme pela senha ou pelo segundo fator.',
      };
    }
  }
  const pedido = sessao.usuario.temFator ? await servicos.sessoes.pedirPasskey(sessao, lugar) : null;
  const levados = [...digitado].filter(([nome]) => !nome.startsWith(DA_SUPERFICIE) && campos[nome] !== 'segredo');
  const comSegredo = [...digitado].some(([nome, [valor = '']]) => campos[nome] === 'segredo' && valor !== '');
  return {
    status: respondeu ? 422 : 200,
    tela: {
      titulo: 'Confirme que é você',
      corpo: html`<div class="card largura-leitura">
        <div class="card-body">
          <p>
            ${
              soFator
                ? 'O que você pediu precisa do seu segundo fator, ou de um código de recuperação.'
                : 'O que você pediu precisa da sua senha ou do segundo fator: basta um.'
            }
            Vale por dez minutos.
          </p>
          ${comSegredo ? html`<p>O segredo que você digitou não fica nesta página: digite-o de novo depois.</p>` : null}
          ${formulario({
            para,
            porHtmx,
            estado,
            rotulos: {},
            enviar: 'Confirmar e continuar',
            corpo: html`${levados.flatMap(([nome, valores]) => valores.map((valor) => escondido(nome, valor)))}
            ${soFator ? null : entrada(EM_BRANCO, { nome: SENHA, rotulo: 'Senha', tipo: 'password', autocomplete: 'current-password', obrigatorio: !sessao.usuario.temFator })}
            ${
              sessao.usuario.temFator
                ? entrada(EM_BRANCO, {
                    nome: CODIGO,
                    rotulo: 'Código do segundo fator',
                    teclado: 'numeric',
                    autocomplete: 'one-time-code',
                    maximo: 30,
                  })
                : null
            }
            ${
              (pedido?.opcoes.allowCredentials ?? []).length === 0 || pedido === null
                ? null
                : html`<p>
                    ${botaoDePasskey({
                      modo: 'usar',
                      pedido,
                      texto: 'Usar chave de acesso',
                      campos: { desafio: DESAFIO, resposta: RESPOSTA },
                    })}
                  </p>`
            }`,
          })}
        </div>
      </div>`,
    },
  };
}
