import { UFS } from '../../../brazil/pessoa/endereco.ts';
import { LOGO_MAXIMO_DE_BYTES } from '../../../domain/provedores/configuracao/logo.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { cartao } from '../componentes/cartao.ts';
import { icone } from '../componentes/icone.ts';
import { arquivo, entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { pontuado } from '../formulario/pontuacao.ts';
import { versaoLida } from '../formulario/versao.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import type { Tela } from '../rota.ts';
import { previaViva } from './previa.ts';
import type { Previsto } from './previa.ts';

export const CAMINHO = '/configuracoes/provedor';

/** Labels of the fields, by their names in the domain's form. */
const ROTULOS = {
  nome: 'Nome',
  razao_social: 'Razão social',
  cnpj: 'CNPJ',
  fuso: 'Fuso horário',
  cor: 'Cor',
  telefone: 'Telefone',
  whatsapp: 'WhatsApp',
  email: 'E-mail',
  site: 'Site',
  cep: 'CEP',
  logradouro: 'Logradouro',
  numero: 'Número',
  complemento: 'Complemento',
  bairro: 'Bairro',
  cidade: 'Cidade',
  uf: 'Estado',
} as const;
type Nome = keyof typeof ROTULOS;
const NOMES = Object.keys(ROTULOS) as readonly Nome[];

/** What is emptied is cleared. */
export const CAMPOS_NA_TELA = Object.fromEntries(NOMES.map((nome) => [nome, 'apagavel'])) as Readonly<
  Record<Nome, TipoDeCampo>
>;

/** Where providers are; the domain takes any other of IANA, too, and the one that stands is among them. */
const FUSOS = [
  ['America/Noronha', 'Fernando de Noronha (UTC−2)'],
  ['America/Sao_Paulo', 'Brasília (UTC−3)'],
  ['America/Bahia', 'Bahia (UTC−3)'],
  ['America/Fortaleza', 'Fortaleza (UTC−3)'],
  ['America/Recife', 'Recife (UTC−3)'],
  ['America/Belem', 'Belém (UTC−3)'],
  ['America/Cuiaba', 'Cuiabá (UTC−4)'],
  ['America/Campo_Grande', 'Campo Grande (UTC−4)'],
  ['America/Manaus', 'Manaus (UTC−4)'],
  ['America/Boa_Vista', 'Boa Vista (UTC−4)'],
  ['America/Porto_Velho', 'Porto Velho (UTC−4)'],
  ['America/Rio_Branco', 'Rio Branco (UTC−5)'],
] as const;

/** A field's value as the form shows it. */
export const NO_CAMPO = pontuado(['cnpj'], ['telefone', 'whatsapp']);

interface DoProvedor {
  readonly estado: EstadoDoFormulario;
  readonly previsto: Previsto;
  /** How the fields stand. */
  readonly campos: Readonly<Record<string, string>>;
  /** What is wrong with a logo that was just sent. */
  readonly doLogo?: EstadoDoFormulario;
}

/** How the provider shows itself to its subscribers. */
export function telaDoProvedor({ estado, previsto, campos, doLogo = EM_BRANCO }: DoProvedor): Tela {
  return {
    titulo: 'Provedor',
    menu: 'provedor',
    corpo: html`<div class="lado-a-lado">
      ${cartao('Identidade', identidade(estado, campos))}
      <div>
        ${cartao(
          'Como o assinante vê',
          html`${previaViva(previsto)}
            <p class="text-secondary mt-2 mb-0">
              O texto fica preto ou branco, o que se ler melhor sobre a cor. Páginas abertas mudam em até 30 segundos.
            </p>`,
        )}
        ${cartao('Logo', logo(doLogo, previsto.logo !== null))}
      </div>
    </div>`,
  };
}

function identidade(estado: EstadoDoFormulario, campos: DoProvedor['campos']): Html {
  const { fuso = '' } = campos;
  const campo = (nome: Nome, mais: Partial<Parameters<typeof entrada>[1]> = {}): Html =>
    entrada(estado, { nome, rotulo: ROTULOS[nome], ...mais });
  const fusos = FUSOS.some(([valor]) => valor === fuso) ? FUSOS : [[fuso, fuso] as const, ...FUSOS];
  return formulario({
    para: CAMINHO,
    estado,
    rotulos: ROTULOS,
    enviar: 'Salvar',
    corpo: html`${versaoLida({ estado, campos, rotulos: ROTULOS, dito: NO_CAMPO })}
      <div id="campos-da-identidade">
        <fieldset>
          <legend>O provedor</legend>
          <div class="grade">
            ${campo('nome', { obrigatorio: true, maximo: 120, dica: 'O que o assinante lê nas páginas e nas mensagens.' })}
            ${campo('cor', { tipo: 'color', obrigatorio: true })} ${campo('razao_social', { maximo: 120 })}
            ${campo('cnpj', { teclado: 'numeric' })}
            ${escolha(estado, {
              nome: 'fuso',
              rotulo: ROTULOS.fuso,
              obrigatorio: true,
              dica: 'Decide quando um dia acaba.',
              opcoes: fusos.map(([valor, texto]) => ({ valor, texto })),
            })}
          </div>
        </fieldset>
        <fieldset>
          <legend>Onde o assinante pede ajuda</legend>
          <div class="grade">
            ${campo('telefone', { tipo: 'tel' })} ${campo('whatsapp', { tipo: 'tel' })}
            ${campo('email', { tipo: 'email' })} ${campo('site', { dica: 'Sem https://, como exemplo.com.br/ajuda.' })}
          </div>
        </fieldset>
        <fieldset>
          <legend>Endereço</legend>
          <div class="grade">
            ${campo('cep', { teclado: 'numeric' })} ${campo('logradouro', { maximo: 150 })}
            ${campo('numero', { maximo: 20 })} ${campo('complemento', { maximo: 100 })}
            ${campo('bairro', { maximo: 100 })} ${campo('cidade', { maximo: 100 })}
            ${escolha(estado, {
              nome: 'uf',
              rotulo: ROTULOS.uf,
              vazia: 'não dito',
              dica: 'Diz os feriados do estado.',
              opcoes: UFS.map((uf) => ({ valor: uf, texto: uf })),
            })}
          </div>
        </fieldset>
      </div>`,
  });
}

function logo(estado: EstadoDoFormulario, tem: boolean): Html {
  return html`${formulario({
    para: `${CAMINHO}/logo`,
    estado,
    rotulos: { logo: 'Arquivo' },
    enviar: tem ? 'Trocar o logo' : 'Enviar o logo',
    comArquivo: true,
    corpo: arquivo(estado, {
      nome: 'logo',
      rotulo: 'Arquivo',
      obrigatorio: true,
      aceita: 'image/png,image/jpeg',
      dica: `PNG ou JPEG de até ${LOGO_MAXIMO_DE_BYTES / 1024} KiB. Aparece nas páginas e nos boletos.`,
    }),
  })}
  ${
    tem
      ? html`<div class="mt-2">
          ${botao({ para: `${CAMINHO}/logo/remover`, texto: 'Tirar o logo', icone: icone('trash') })}
        </div>`
      : null
  }`;
}
