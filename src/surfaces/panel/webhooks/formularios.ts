import { DE_FORA, TESTE } from '../../../domain/eventos/fora.types.ts';
import type { Webhook } from '../../../domain/webhooks/webhooks.types.ts';
import { html } from '../../../kit/html/html.ts';
import { cartao } from '../componentes/cartao.ts';
import { caixas, entrada } from '../formulario/campos.ts';
import { preenchido, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import type { Tela } from '../rota.ts';
import { CAMINHO, migalhasDeUm } from './telas.ts';

export const ROTULOS = { url: 'Endereço', eventos: 'Eventos', descricao: 'Descrição' } as const;

export const CAMPOS_NA_TELA: Readonly<Record<keyof typeof ROTULOS, TipoDeCampo>> = {
  url: 'texto',
  eventos: 'lista',
  descricao: 'apagavel',
};

/** All, the families, and each event. */
const OPCOES = [
  { valor: '*', texto: '*', dica: 'Tudo, também o que vier a existir.' },
  ...[...new Set(Object.keys(DE_FORA).map((nome) => nome.split('.')[0]))]
    .filter((familia) => !TESTE.startsWith(`${familia}.`))
    .map((familia) => ({ valor: `${familia}.*`, texto: `${familia}.*`, dica: `Tudo de ${familia}.` })),
  ...Object.entries(DE_FORA)
    .filter(([nome]) => nome !== TESTE)
    .map(([nome, { descricao }]) => ({ valor: nome, texto: nome, dica: descricao.replaceAll('`', '') })),
];

export const formaDe = ({ url, eventos, descricao, atualizadoEm }: Webhook): EstadoDoFormulario =>
  preenchido({ url, eventos, descricao, atualizado_em: atualizadoEm.toISOString() });

const campos = (estado: EstadoDoFormulario) => html`
  ${entrada(estado, {
    nome: 'url',
    rotulo: ROTULOS.url,
    dica: 'Como https://crm.exemplo.com.br/malha. Só https, num endereço público.',
    obrigatorio: true,
    maximo: 2000,
  })}
  ${entrada(estado, { nome: 'descricao', rotulo: ROTULOS.descricao, maximo: 200 })}
  ${caixas(estado, {
    nome: 'eventos',
    rotulo: ROTULOS.eventos,
    dica: 'Só chega o que se marca. O corpo leva ids, situações, datas e valores; nunca nomes ou documentos.',
    opcoes: OPCOES,
  })}
`;

export function telaDeNovo(estado: EstadoDoFormulario): Tela {
  const form = formulario({
    para: `${CAMINHO}/novo`,
    estado,
    rotulos: ROTULOS,
    enviar: 'Criar webhook',
    volta: CAMINHO,
    corpo: campos(estado),
  });
  return {
    titulo: 'Novo webhook',
    menu: 'webhooks',
    migalhas: migalhasDeUm(),
    corpo: html`<div class="largura-leitura">${cartao(null, form)}</div>`,
  };
}

export function telaDeAlterar(webhook: Webhook, estado: EstadoDoFormulario): Tela {
  const para = `${CAMINHO}/${webhook.id}/alterar`;
  const form = formulario({
    para,
    estado,
    rotulos: ROTULOS,
    enviar: 'Salvar',
    volta: `${CAMINHO}/${webhook.id}`,
    corpo: html`${escondido('atualizado_em', valorDe(estado, 'atualizado_em'))} ${campos(estado)}`,
  });
  return {
    titulo: 'Mudar webhook',
    menu: 'webhooks',
    migalhas: migalhasDeUm(webhook),
    corpo: html`<div class="largura-leitura">${cartao(null, form)}</div>`,
  };
}

const ROTULOS_DO_SEGREDO = { manter_horas: 'O segredo de agora assina por mais' } as const;

export function telaDoSegredo(webhook: Webhook, estado: EstadoDoFormulario): Tela {
  const form = formulario({
    para: `${CAMINHO}/${webhook.id}/segredo`,
    estado,
    rotulos: ROTULOS_DO_SEGREDO,
    enviar: 'Criar segredo novo',
    volta: `${CAMINHO}/${webhook.id}`,
    corpo: html`<p>
        O segredo que termina em <code>${webhook.segredoFim}</code> dá lugar a outro. Enquanto os dois assinam, troque
        um pelo outro no sistema que recebe.
      </p>
      ${entrada(estado, {
        nome: 'manter_horas',
        rotulo: ROTULOS_DO_SEGREDO.manter_horas,
        dica: 'Horas, de 0 a 168. Com 0, já o próximo envio é assinado só pelo novo.',
        teclado: 'numeric',
        obrigatorio: true,
      })}`,
  });
  return {
    titulo: 'Trocar o segredo',
    menu: 'webhooks',
    migalhas: migalhasDeUm(webhook),
    corpo: html`<div class="largura-leitura">${cartao(null, form)}</div>`,
  };
}

const ROTULOS_DO_REENVIO = {
  de: 'Desde o dia',
  ate: 'Até o dia',
  tudo: 'Também o que nunca foi enviado',
} as const;

export function telaDeReenviarDesde(webhook: Webhook, estado: EstadoDoFormulario): Tela {
  const form = formulario({
    para: `${CAMINHO}/${webhook.id}/reenviar-desde`,
    estado,
    rotulos: ROTULOS_DO_REENVIO,
    enviar: 'Reenviar',
    volta: `${CAMINHO}/${webhook.id}`,
    corpo: html`<p>
        Põe de novo na fila, dos mais antigos para os mais novos e até 10.000 de cada vez, o que não foi entregue. Quem
        recebe conhece as repetições pelo <code>webhook-id</code>.
      </p>
      <div class="grade">
        ${entrada(estado, {
          nome: 'de',
          rotulo: ROTULOS_DO_REENVIO.de,
          dica: 'Até 29 dias atrás.',
          tipo: 'date',
          obrigatorio: true,
        })}
        ${entrada(estado, { nome: 'ate', rotulo: ROTULOS_DO_REENVIO.ate, dica: 'Em branco, até agora.', tipo: 'date' })}
      </div>
      ${caixas(estado, {
        nome: 'tudo',
        rotulo: 'Mais',
        opcoes: [
          {
            valor: 'sim',
            texto: ROTULOS_DO_REENVIO.tudo,
            dica: 'Como o que houve enquanto estava pausado ou desativado.',
          },
        ],
      })}`,
  });
  return {
    titulo: 'Reenviar desde um dia',
    menu: 'webhooks',
    migalhas: migalhasDeUm(webhook),
    corpo: html`<div class="largura-leitura">${cartao(null, form)}</div>`,
  };
}

export function telaDeRemover(webhook: Webhook, estado: EstadoDoFormulario): Tela {
  const form = formulario({
    para: `${CAMINHO}/${webhook.id}/remover`,
    estado,
    rotulos: {},
    enviar: 'Remover webhook',
    volta: `${CAMINHO}/${webhook.id}`,
    perigoso: true,
    corpo: html`<p>
      Nada mais vai para <strong>${webhook.url}</strong>, nem o que está na fila. Isto não se desfaz; para parar por um
      tempo, pause.
    </p>`,
  });
  return {
    titulo: 'Remover webhook',
    menu: 'webhooks',
    migalhas: migalhasDeUm(webhook),
    corpo: html`<div class="largura-leitura">${cartao(null, form)}</div>`,
  };
}
