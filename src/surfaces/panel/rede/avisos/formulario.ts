import type { Cobertura } from '../../../../domain/rede/avisos/avisos.types.ts';
import { TIPOS_DE_AVISO } from '../../../../domain/rede/avisos/avisos.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { inteiro, quantos } from '../../componentes/escrita.ts';
import { area, caixa, caixas, conjunto, entrada, escolha } from '../../formulario/campos.ts';
import type { Opcao } from '../../formulario/campos.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { TIPOS } from '../palavras.ts';
import { bairroEscrito } from './leitura.ts';
import type { Ofertas } from './leitura.ts';

export const ROTULOS_DO_AVISO = {
  tipo: 'Tipo',
  titulo: 'Título',
  texto: 'O que dizer ao assinante',
  inicio: 'Início',
  previsao: 'Previsão de volta',
  fim: 'Fim',
  alvos: 'Quem é atingido',
  atualizado_em: 'Versão',
} as const;

const TIPO_EM_OPCOES: readonly Opcao[] = TIPOS_DE_AVISO.map((tipo) => ({ valor: tipo, texto: TIPOS[tipo] }));

/** What is said, and until when it is foreseen. */
export const palavrasDoAviso = (estado: EstadoDoFormulario): Html =>
  html`${escolha(estado, { nome: 'tipo', rotulo: ROTULOS_DO_AVISO.tipo, opcoes: TIPO_EM_OPCOES, obrigatorio: true })}
  ${entrada(estado, {
    nome: 'titulo',
    rotulo: ROTULOS_DO_AVISO.titulo,
    dica: 'Para a equipe reconhecer o aviso, como “Rompimento de fibra no Centro”.',
    obrigatorio: true,
    maximo: 120,
  })}
  ${area(estado, {
    nome: 'texto',
    rotulo: ROTULOS_DO_AVISO.texto,
    dica: 'O robô de atendimento dirá este texto a quem é atingido e perguntar pela conexão: escreva como se falasse com o cliente, sem nomes de equipamentos.',
    obrigatorio: true,
    maximo: 1000,
  })}`;

export const horario = (estado: EstadoDoFormulario, nome: 'inicio' | 'previsao' | 'fim', dica: string): Html =>
  entrada(estado, { nome, rotulo: ROTULOS_DO_AVISO[nome], tipo: 'datetime-local', dica });

/** Boxes of one kind of target, folded while none of them is ticked. */
function grupo(estado: EstadoDoFormulario, nome: string, rotulo: string, opcoes: readonly Opcao[]): Html | null {
  if (opcoes.length === 0) return null;
  const marcadas = estado.digitado.get(nome)?.length ?? 0;
  return html`<details class="mb-2" ${marcadas > 0 ? html`open` : null}>
    <summary>${rotulo}${marcadas > 0 ? ` (${marcadas})` : null}</summary>
    <div class="mt-2">${caixas(estado, { nome, rotulo, opcoes })}</div>
  </details>`;
}

const emOpcoes = (nomes: ReadonlyMap<string | number, string>): Opcao[] =>
  [...nomes].map(([valor, texto]) => ({ valor: String(valor), texto }));

function alvos(estado: EstadoDoFormulario, { nomes, cidades, bairros }: Ofertas): Html {
  return conjunto(
    estado,
    { nome: 'alvos', rotulo: ROTULOS_DO_AVISO.alvos },
    html`${caixa(estado, { nome: 'todos', rotulo: 'Todos os contratos do provedor' })}
    ${grupo(estado, 'nas', 'Servidores', emOpcoes(nomes.servidores))}
    ${grupo(estado, 'pops', 'POPs', emOpcoes(nomes.pops))}
    ${grupo(
      estado,
      'cidades',
      'Cidades',
      cidades.map((cidade) => ({ valor: cidade, texto: cidade })),
    )}
    ${grupo(
      estado,
      'bairros',
      'Bairros',
      bairros.map(({ cidade, bairro }) => ({ valor: bairroEscrito(cidade, bairro), texto: `${bairro} (${cidade})` })),
    )}
    ${grupo(estado, 'planos', 'Planos', emOpcoes(nomes.planos))}`,
  );
}

export function coberturaEmPalavras({ contratos, clientes, mais }: Cobertura): string {
  if (contratos === 0) return 'Nenhum contrato é atingido';
  if (mais) return `Mais de ${inteiro(contratos)} contratos`;
  return `${quantos(contratos, 'contrato', 'contratos')} de ${quantos(clientes, 'cliente', 'clientes')}`;
}

/** Whom what was ticked covers; it is shown before a notice can be opened. */
export interface Alcance {
  readonly cobertura: Cobertura;
  readonly visto: string;
}

export function formularioDoAviso(estado: EstadoDoFormulario, ofertas: Ofertas, alcance: Alcance | null): Html {
  const corpo = html`<div class="colunas">
      <div>
        ${palavrasDoAviso(estado)}
        <div class="grade">
          ${horario(estado, 'inicio', 'Vazio: agora.')} ${horario(estado, 'previsao', 'Vazio: não se sabe.')}
        </div>
      </div>
      <div>${alvos(estado, ofertas)}</div>
    </div>
    ${
      alcance === null
        ? null
        : html`${escondido('visto', alcance.visto)}
            <div id="alcance" tabindex="-1">
              ${aviso(
                alcance.cobertura.contratos === 0 ? 'warning' : 'info',
                html`<strong>${coberturaEmPalavras(alcance.cobertura)}.</strong> ${
                    alcance.cobertura.contratos === 0
                      ? 'Confira o que foi marcado.'
                      : 'Confira o texto e abra o aviso. Se mudar quem é atingido, o número é mostrado de novo antes.'
                  }`,
              )}
            </div>`
    }`;
  return cartao(
    null,
    formulario({
      para: '/rede/avisos/novo',
      estado,
      rotulos: ROTULOS_DO_AVISO,
      corpo,
      enviar:
        alcance === null
          ? 'Ver quem é atingido'
          : `Abrir o aviso para ${quantos(alcance.cobertura.contratos, 'contrato', 'contratos')}`,
      volta: '/rede/avisos',
    }),
  );
}
