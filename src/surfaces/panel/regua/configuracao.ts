import { escreverValor } from '../../../brazil/dinheiro/escrita.ts';
import { MINIMOS_DA_REGUA, PASSOS_COM_TEXTO, ULTIMA_HORA } from '../../../domain/regua/regua.types.ts';
import type { ConfiguracaoRegua } from '../../../domain/regua/regua.types.ts';
import { CAMPOS_DO_TEXTO, preencher } from '../../../domain/regua/textos.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta } from '../componentes/cartao.ts';
import { escreverData, quantos } from '../componentes/escrita.ts';
import { area, caixa, entrada } from '../formulario/campos.ts';
import { faltaDe, preenchido, recusado } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import { versaoAtual } from '../formulario/versao.ts';
import type { Chamada, Tela } from '../rota.ts';
import { PASSO } from './palavras.ts';

export const CAMINHO = '/configuracoes/cobranca/regua';

const DOS_TEXTOS = PASSOS_COM_TEXTO.flatMap((passo) => [`titulo_${passo}`, `texto_${passo}`]);

export const CAMPOS: Readonly<Record<string, TipoDeCampo>> = {
  ativa: 'caixa',
  hora: 'texto',
  lembrete_dias: 'apagavel',
  no_vencimento: 'caixa',
  aviso_dias: 'texto',
  bloqueio_dias: 'apagavel',
  segundo_aviso_dias: 'apagavel',
  rescisao_dias: 'texto',
  rescinde: 'caixa',
  vesperas: 'caixa',
  sem_entrega: 'caixa',
  minimo: 'dinheiro',
  ...Object.fromEntries(DOS_TEXTOS.map((nome): [string, TipoDeCampo] => [nome, 'apagavel'])),
  confirmado: 'caixa',
  versao: 'texto',
};

const ROTULOS = {
  ativa: 'A régua está ligada',
  confirmado: 'Os avisos já dados deixam de valer, e serão dados outros',
  hora: 'Começa às (hora)',
  lembrete_dias: 'Lembrete antes de vencer (dias)',
  no_vencimento: 'Lembrar no dia do vencimento',
  aviso_dias: 'Aviso de débito, depois de vencida (dias)',
  bloqueio_dias: 'Bloqueio, depois do aviso (dias)',
  segundo_aviso_dias: 'Aviso de rescisão, depois do bloqueio (dias)',
  rescisao_dias: 'Rescisão, depois do bloqueio (dias)',
  rescinde: 'Cancelar o contrato sem perguntar à equipe',
  vesperas: 'Bloquear também em véspera e em dia sem banco',
  sem_entrega: 'Bloquear também quem não se sabe se recebeu o aviso',
  minimo: 'Não bloquear por menos de (R$)',
  ...Object.fromEntries(
    PASSOS_COM_TEXTO.flatMap((passo) => [
      [`titulo_${passo}`, `Título: ${PASSO[passo].toLowerCase()}`],
      [`texto_${passo}`, `Texto: ${PASSO[passo].toLowerCase()}`],
    ]),
  ),
};

function campos(regua: ConfiguracaoRegua): EstadoDoFormulario {
  return preenchido({
    ativa: regua.ativaDesde !== null,
    hora: regua.hora,
    lembrete_dias: regua.lembreteDias,
    no_vencimento: regua.noVencimento,
    aviso_dias: regua.avisoDias,
    bloqueio_dias: regua.bloqueioDias,
    segundo_aviso_dias: regua.segundoAvisoDias,
    rescisao_dias: regua.rescisaoDias,
    rescinde: regua.rescinde,
    vesperas: regua.vesperas,
    sem_entrega: regua.semEntrega,
    minimo: escreverValor(regua.minimo),
    ...Object.fromEntries(
      PASSOS_COM_TEXTO.flatMap((passo) => [
        [`titulo_${passo}`, regua.textos[passo].titulo],
        [`texto_${passo}`, regua.textos[passo].texto],
      ]),
    ),
  });
}

/** The ladder as it is set, from before the due date to the end, each step with the day on which it comes. */
function linhaDoTempo(regua: ConfiguracaoRegua): Html {
  const { lembreteDias, noVencimento, avisoDias, bloqueioDias, segundoAvisoDias, rescisaoDias, rescinde } = regua;
  const dias = (n: number) => quantos(n, 'dia', 'dias');
  const passos: readonly (readonly [titulo: string, quando: string | null])[] = [
    [PASSO.lembrete, lembreteDias === null ? null : `${dias(lembreteDias)} antes do vencimento`],
    [PASSO.vencimento, noVencimento ? 'no dia do vencimento' : null],
    [PASSO.aviso, `${dias(avisoDias)} depois do último dia de pagar em dia`],
    [PASSO.bloqueio, bloqueioDias === null ? null : `${dias(bloqueioDias)} depois da entrega do aviso`],
    [PASSO.segundo_aviso, segundoAvisoDias === null ? null : `${dias(segundoAvisoDias)} depois do bloqueio`],
    [
      PASSO.rescisao,
      segundoAvisoDias === null
        ? null
        : `${dias(rescisaoDias)} depois do bloqueio: ${rescinde ? 'cancela o contrato' : 'a equipe decide'}`,
    ],
  ];
  return html`<ol class="list-group list-group-numbered mb-0">
    ${passos.map(
      ([titulo, quando]) =>
        html`<li class="list-group-item">
          <strong>${titulo}</strong>
          ${quando === null ? etiqueta('não há', 'secondary') : html`<span class="text-secondary">${quando}</span>`}
        </li>`,
    )}
  </ol>`;
}

/** What leaves clients with less than the house's care, said each time that somebody looks. */
const cuidados = (regua: ConfiguracaoRegua): Html => html`
  ${regua.semEntrega ? aviso('danger', 'Bloqueia-se também quem não se sabe se recebeu o aviso. O prazo de 15 dias da ANATEL conta do aviso: guarde você a prova de que ele foi entregue.') : null}
  ${regua.vesperas ? aviso('warning', 'Bloqueia-se também em véspera de fim de semana e de feriado: quem paga num dia sem banco pode ficar sem conexão até o dia útil.') : null}
  ${regua.rescinde ? aviso('warning', 'Contratos são cancelados sem que ninguém da equipe confirme.') : null}
`;

const exemplos = (regua: ConfiguracaoRegua): Html =>
  cartao(
    'Como se lê',
    html`<p>Com os textos gravados e os valores de um exemplo:</p>
      ${PASSOS_COM_TEXTO.map((passo) => {
        const { titulo, texto } = regua.textos[passo];
        return html`<details class="mb-2">
          <summary>${PASSO[passo]}: ${preencher(titulo, CAMPOS_DO_TEXTO)}</summary>
          <p class="dito mt-2 mb-0">${preencher(texto, CAMPOS_DO_TEXTO)}</p>
        </details>`;
      })}`,
  );

const numero = (estado: EstadoDoFormulario, nome: keyof typeof ROTULOS, dica: string, obrigatorio: boolean) =>
  entrada(estado, { nome, rotulo: ROTULOS[nome], teclado: 'numeric', obrigatorio, dica });

const formularioDaRegua = (regua: ConfiguracaoRegua, estado: EstadoDoFormulario): Html =>
  formulario({
    para: CAMINHO,
    estado,
    rotulos: ROTULOS,
    enviar: 'Salvar',
    corpo: html`${versaoAtual(estado, regua.versao)}
      ${caixa(estado, { nome: 'ativa', rotulo: ROTULOS.ativa, dica: 'Ligada, começa no dia seguinte. Dívidas antigas começam pelo aviso. Desligada, os avisos já dados deixam de valer, a não ser que se ligue de novo no mesmo dia.' })}
      ${faltaDe(estado, 'confirmado') === null ? null : caixa(estado, { nome: 'confirmado', rotulo: ROTULOS.confirmado })}
      <div class="grade">
        ${numero(estado, 'hora', `De 8 a ${ULTIMA_HORA - 1}, no relógio do provedor; depois do retorno do banco.`, true)}
        ${numero(estado, 'lembrete_dias', 'De 1 a 30; vazio, não lembra.', false)}
        ${numero(estado, 'aviso_dias', 'De 1 a 90.', true)}
        ${numero(estado, 'bloqueio_dias', `De ${MINIMOS_DA_REGUA.bloqueio} a 365: menos a ANATEL não deixa. Vazio, não bloqueia.`, false)}
        ${numero(estado, 'segundo_aviso_dias', `Até ${MINIMOS_DA_REGUA.entreSegundoAvisoERescisao} dias antes da rescisão; vazio, não rescinde.`, false)}
        ${numero(estado, 'rescisao_dias', `De ${MINIMOS_DA_REGUA.rescisao} a 730: menos a ANATEL não deixa.`, true)}
        ${entrada(estado, { nome: 'minimo', rotulo: ROTULOS.minimo, teclado: 'decimal', obrigatorio: true, dica: 'O que falta de uma fatura, sem encargos.' })}
      </div>
      ${caixa(estado, { nome: 'no_vencimento', rotulo: ROTULOS.no_vencimento })}
      ${caixa(estado, { nome: 'vesperas', rotulo: ROTULOS.vesperas })}
      ${caixa(estado, { nome: 'sem_entrega', rotulo: ROTULOS.sem_entrega, dica: 'Entregue é o que o servidor de e-mail aceitou, o que o aparelho ou o webhook recebeu, ou o que a equipe anotou.' })}
      ${caixa(estado, { nome: 'rescinde', rotulo: ROTULOS.rescinde, dica: 'Sem isto, quem é da equipe recebe um aviso no sino e decide.' })}
      <fieldset>
        <legend>Textos</legend>
        <p class="form-hint">
          Campos que se podem usar: ${Object.keys(CAMPOS_DO_TEXTO).map((nome) => html`<code>{${nome}}</code> `)}. Um
          texto vazio volta ao da casa; a linha cujo campo não existe some.
        </p>
        ${PASSOS_COM_TEXTO.map(
          (passo) =>
            html`<details class="mb-2" ${recusado(estado) ? html`open` : null}>
              <summary>${PASSO[passo]}</summary>
              ${entrada(estado, { nome: `titulo_${passo}`, rotulo: `Título: ${PASSO[passo].toLowerCase()}`, maximo: 120 })}
              ${area(estado, { nome: `texto_${passo}`, rotulo: `Texto: ${PASSO[passo].toLowerCase()}`, maximo: 2000, linhas: 7 })}
            </details>`,
        )}
      </fieldset>`,
  });

/** How the provider asks for what it is owed. `estado`: what was typed; null: what stands. */
export async function telaDaRegua(
  { dominio }: Pick<Chamada, 'dominio'>,
  estado: EstadoDoFormulario | null,
): Promise<Tela> {
  const regua = await dominio.regua.regua();
  const { ativaDesde } = regua;
  return {
    titulo: 'Regras da régua de cobrança',
    menu: 'configuracao-regua',
    migalhas: [['Régua de cobrança', '/regua']],
    acoes: html`<a class="btn" href="${BASE}/regua">Hoje</a>`,
    corpo: html`${cuidados(regua)}
      <div class="colunas">
        ${cartao(
          ativaDesde === null ? 'Desligada' : `Ligada desde ${escreverData(ativaDesde)}`,
          html`${linhaDoTempo(regua)}`,
        )}
        ${exemplos(regua)}
      </div>
      ${cartao('Regras e textos', formularioDaRegua(regua, estado ?? campos(regua)))}`,
  };
}
