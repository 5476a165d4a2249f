import { UFS } from '../../../brazil/pessoa/endereco.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import type { ConviteValido } from '../../../domain/convites/convites.types.ts';
import type { Plano } from '../../../domain/planos/planos.types.ts';
import { documento, recado } from '../documento.ts';
import type { Anfitriao } from '../documento.ts';
import type { Page } from '../../../kit/html/document.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { CAMPOS, CAMPO_DA_MARCA, CAMPO_DE_ROBOS, DIAS_DE_VENCIMENTO, ROTULOS, SIM, TAMANHOS } from './campos.ts';
import type { Campo, Digitado } from './campos.ts';
import type { Faltas } from './conferencia.ts';
import { SCRIPT } from './script.ts';

export interface Formulario {
  readonly convite: ConviteValido;
  /** Path of this page. */
  readonly caminho: string;
  readonly marca: string;
  readonly digitado: Digitado;
  readonly faltas: Faltas;
  /** What is wrong with no field of its own. */
  readonly aviso: string | null;
}

interface DoTexto {
  readonly dica?: string;
  readonly opcional?: true;
  readonly tipo?: 'text' | 'email' | 'tel';
  /** Attributes of the input besides those that all have. */
  readonly atributos: Html;
}

/** The registration form, with what was typed and what is wrong with it. */
export function telaDoFormulario(formulario: Formulario): Page {
  const { convite, caminho, marca, digitado, faltas, aviso } = formulario;
  const { provedor } = convite;
  const comErro = faltas.size > 0 || aviso !== null;
  const titulo = 'Pré-cadastro';
  const texto = (campo: Campo, desta: DoTexto): Html => entrada(formulario, campo, desta);

  const corpo = html`
    <h1>${titulo}</h1>
    <p>Preencha os seus dados para contratar a internet de ${provedor.nome}.</p>
    <p>Só os campos marcados como opcionais podem ficar em branco.</p>
    ${comErro ? resumoDosErros(faltas, aviso) : null}
    <form method="post" action="${caminho}" accept-charset="utf-8" novalidate>
      <input type="hidden" name="${CAMPO_DA_MARCA}" value="${marca}" />
      <div class="sobra" aria-hidden="true">
        <label for="${CAMPO_DE_ROBOS}">Página pessoal (deixe em branco)</label>
        <input id="${CAMPO_DE_ROBOS}" name="${CAMPO_DE_ROBOS}" type="text" tabindex="-1" autocomplete="off" />
      </div>
      <fieldset>
        <legend>Quem contrata</legend>
        ${texto('nome', { atributos: html`autocomplete="name" maxlength="${TAMANHOS.nome}"` })}
        ${texto('documento', {
          dica: 'Com ou sem pontos. O CNPJ pode ter letras.',
          atributos: html`autocomplete="off" autocapitalize="characters" spellcheck="false"`,
        })}
        ${texto('nascimento', {
          dica: 'Dia, mês e ano, como 31/12/1990. Empresas deixam em branco.',
          opcional: true,
          atributos: html`autocomplete="bday" inputmode="numeric"`,
        })}
      </fieldset>
      <fieldset>
        <legend>Contato</legend>
        ${texto('telefone', {
          dica: 'De preferência um celular, como (35) 99999-0001.',
          tipo: 'tel',
          atributos: html`autocomplete="tel-national" inputmode="tel"`,
        })}
        ${texto('telefone2', {
          opcional: true,
          tipo: 'tel',
          atributos: html`autocomplete="off" inputmode="tel"`,
        })}
        ${texto('email', {
          opcional: true,
          tipo: 'email',
          atributos: html`autocomplete="email" inputmode="email" maxlength="${TAMANHOS.email}"`,
        })}
      </fieldset>
      <fieldset>
        <legend>Endereço da instalação</legend>
        ${texto('cep', { atributos: html`autocomplete="postal-code" inputmode="numeric"` })}
        ${texto('logradouro', { atributos: html`autocomplete="address-line1" maxlength="${TAMANHOS.logradouro}"` })}
        <div class="par">
          ${texto('numero', { atributos: html`autocomplete="off" maxlength="${TAMANHOS.numero}"` })}
          ${texto('complemento', {
            opcional: true,
            atributos: html`autocomplete="address-line2" maxlength="${TAMANHOS.complemento}"`,
          })}
        </div>
        ${texto('bairro', { atributos: html`autocomplete="address-level3" maxlength="${TAMANHOS.bairro}"` })}
        ${texto('cidade', { atributos: html`autocomplete="address-level2" maxlength="${TAMANHOS.cidade}"` })}
        ${lista(formulario, 'uf', UFS, html`autocomplete="address-level1"`)}
      </fieldset>
      <fieldset>
        <legend>Plano e vencimento</legend>
        ${convite.plano === null ? escolhaDePlano(formulario) : html`<p class="plano">${resumoDoPlano(convite.plano)}</p>`}
        ${
          convite.diaVencimento === null
            ? lista(formulario, 'vencimento', DIAS_DE_VENCIMENTO.map(String), html`autocomplete="off"`)
            : html`<p class="plano">Vencimento todo dia ${convite.diaVencimento}.</p>`
        }
      </fieldset>
      <fieldset>
        <legend>${ROTULOS.consentimento}</legend>
        <p id="consentimento-dica">
          ${provedor.nome} usa os seus dados para analisar o pedido, falar com você, instalar o serviço e cobrar por
          ele, e para nada mais, conforme a Lei Geral de Proteção de Dados (Lei 13.709/2018). Quando quiser, você pode
          pedir para ver, corrigir ou apagar os seus dados.
        </p>
        <label class="opcao" for="consentimento">
          <input
            type="checkbox"
            id="consentimento"
            name="consentimento"
            value="${SIM}"
            required
            ${digitado.consentimento === SIM ? html`checked` : null}
            ${ligacoes('consentimento', faltas, true)}
          />
          <span>Li e concordo com o uso dos meus dados para este cadastro.</span>
        </label>
        ${falta('consentimento', faltas)}
      </fieldset>
      <button type="submit">Enviar cadastro</button>
    </form>
  `;
  return documento({ titulo: comErro ? `Erro: ${titulo}` : titulo, de: convite, corpo, script: SCRIPT });
}

function resumoDosErros(faltas: Faltas, aviso: string | null): Html {
  const itens = CAMPOS.flatMap((campo) => {
    const mensagem = faltas.get(campo);
    return mensagem === undefined ? [] : [html`<li><a href="#${campo}">${ROTULOS[campo]}: ${mensagem}</a></li>`];
  });
  return html`<div class="aviso" role="alert" tabindex="-1" autofocus>
    <h2>O cadastro ainda não foi enviado</h2>
    ${aviso === null ? null : html`<p>${aviso}</p>`}
    ${
      itens.length === 0
        ? null
        : html`<p>Confira o que segue e envie de novo:</p>
            <ul>
              ${itens}
            </ul>`
    }
  </div>`;
}

/** What ties a field to its hint and to what is wrong with it, for those who do not see where they stand. */
function ligacoes(campo: Campo, faltas: Faltas, comDica: boolean): Html {
  const errado = faltas.has(campo);
  const descricao = [...(errado ? [`${campo}-falta`] : []), ...(comDica ? [`${campo}-dica`] : [])].join(' ');
  return html`${errado ? html`aria-invalid="true"` : null}
  ${descricao === '' ? null : html`aria-describedby="${descricao}"`}`;
}

function falta(campo: Campo, faltas: Faltas): Html | null {
  const mensagem = faltas.get(campo);
  return mensagem === undefined ? null : html`<p class="falta" id="${campo}-falta">${mensagem}</p>`;
}

function entrada({ digitado, faltas }: Formulario, campo: Campo, { dica, opcional, tipo, atributos }: DoTexto): Html {
  return html`<div class="campo">
    <label for="${campo}">${ROTULOS[campo]}${opcional === true ? ' (opcional)' : null}</label>
    ${dica === undefined ? null : html`<p class="dica" id="${campo}-dica">${dica}</p>`} ${falta(campo, faltas)}
    <input
      type="${tipo ?? 'text'}"
      id="${campo}"
      name="${campo}"
      value="${digitado[campo]}"
      ${opcional === true ? null : html`required`}
      ${atributos}
      ${ligacoes(campo, faltas, dica !== undefined)}
    />
  </div>`;
}

function lista({ digitado, faltas }: Formulario, campo: Campo, valores: readonly string[], atributos: Html): Html {
  const opcoes = valores.map(
    (valor) => html`<option value="${valor}" ${valor === digitado[campo] ? html`selected` : null}>${valor}</option>`,
  );
  return html`<div class="campo">
    <label for="${campo}">${ROTULOS[campo]}</label>
    ${falta(campo, faltas)}
    <select id="${campo}" name="${campo}" required ${atributos} ${ligacoes(campo, faltas, false)}>
      <option value="">Escolha</option>
      ${opcoes}
    </select>
  </div>`;
}

function escolhaDePlano({ convite, digitado, faltas }: Formulario): Html {
  const opcoes = convite.planos.map((plano, i) => {
    // The first has the field's own id, which the summary of errors leads to.
    const id = i === 0 ? 'plano' : `plano-${plano.id}`;
    return html`<label class="opcao" for="${id}">
      <input
        type="radio"
        id="${id}"
        name="plano"
        value="${plano.id}"
        required
        ${digitado.plano === String(plano.id) ? html`checked` : null}
      />
      <span>${resumoDoPlano(plano)}</span>
    </label>`;
  });
  return html`<fieldset role="radiogroup" ${ligacoes('plano', faltas, false)}>
    <legend>${ROTULOS.plano}</legend>
    ${falta('plano', faltas)} ${opcoes}
  </fieldset>`;
}

function resumoDoPlano({ nome, downloadMbps, uploadMbps, valor }: Plano): Html {
  return html`<strong>${nome}</strong> ${downloadMbps.toLocaleString('pt-BR')} Mbps de download e
    ${uploadMbps.toLocaleString('pt-BR')} Mbps de upload, ${escreverReais(valor)} por mês`;
}

export const telaDeUsado = (de: Anfitriao, agora: boolean): Page =>
  recado(
    'Cadastro recebido',
    de,
    `${de.provedor.nome} recebeu o cadastro feito por este link e vai entrar em contato.`,
    agora
      ? 'Ele já tinha sido recebido antes deste envio, que não mudou nada.'
      : 'Não é preciso fazer mais nada. Cada link serve para um cadastro só.',
  );

export const telaDeExpirado = (de: Anfitriao): Page =>
  recado(
    'Este link venceu',
    de,
    'O prazo para se cadastrar por ele terminou.',
    `Peça um link novo a ${de.provedor.nome}: o cadastro leva poucos minutos.`,
  );

export const telaSemPlanos = (de: Anfitriao): Page =>
  recado(
    'Não há planos para escolher',
    de,
    `No momento não há planos abertos a novos cadastros. Fale com ${de.provedor.nome}, que pode mandar outro link.`,
  );

export const telaDeDesconhecido = (): Page =>
  recado(
    'Link não encontrado',
    null,
    'Não há cadastro neste endereço. Ele pode ter sido copiado pela metade: abra de novo o link que você recebeu.',
    'Se não der certo, peça um link novo ao seu provedor.',
  );

/** A post that was not read, or must not be; `caminho` leads back to the form. */
export const telaDeEnvioRecusado = (de: Anfitriao, caminho: string, motivo: string): Page =>
  recado('O cadastro não foi enviado', de, motivo, html`<a href="${caminho}">Abrir o formulário</a>`);
